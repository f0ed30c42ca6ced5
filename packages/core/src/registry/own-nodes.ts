/**
 * The nodes that a session relies on: the folders that all instances share, and its own nodes below them. Missing nodes
 * are recreated. The roots of the folders also show whether the registry still has its data.
 */

import { ancestorsOf } from '../node-path.ts'
import type { RegistryClient } from './registry-client.ts'
import { isRegistryError } from './registry-error.ts'
import { type NodeContent, read, type ReadPart, type ReadResult } from './transaction.ts'

/** The paths of these nodes. */
export interface SessionNodes {
  /** The nodes whose loss means that the registry's data were lost. */
  readonly roots: readonly string[]
  /** The folders that have to exist before anything else, parents first. */
  readonly folders: readonly string[]
  aliveNode(instance: string): string
  leaseNode(instance: string): string
}

/** A node that this session has written, and the zxid of the write. */
interface Written {
  readonly path: string
  readonly mzxid: bigint
}

const failing = { whileDisconnected: 'fail' } as const

export class OwnNodes {
  readonly #client: RegistryClient
  readonly #nodes: SessionNodes
  /** The last answered write of this session. */
  #lastWrite: Written | undefined
  #generation = ''

  constructor(client: RegistryClient, nodes: SessionNodes) {
    this.#client = client
    this.#nodes = nodes
  }

  /** Identifies the registry's data: the value changes when the roots are recreated. */
  get generation(): string {
    return this.#generation
  }

  /** A write of this session has been answered. */
  written(path: string, mzxid: bigint): void {
    this.#lastWrite = { path, mzxid }
  }

  /** Creates the missing folders; returns those it has created. */
  async ensureFolders(): Promise<string[]> {
    const paths = [...new Set([...this.#nodes.roots, ...this.#nodes.folders])]
    const made = await this.#makeMissing(paths, await this.#read(paths), 'persistent')
    const roots = await this.#read(this.#nodes.roots)
    this.#generation = this.#nodes.roots
      .map((path) => roots.get(path)?.stat)
      .map((stat) => `${stat?.czxid}@${stat?.ctime}`)
      .join()
    return made
  }

  /** Creates the missing nodes of an instance; returns those it has created. */
  async ensureOwn(instance: string): Promise<string[]> {
    const paths = [this.#nodes.aliveNode(instance), this.#nodes.leaseNode(instance)]
    return this.#makeMissing(paths, await this.#read(paths), 'ephemeral')
  }

  /**
   * Whether the registry has lost writes of this session: the last write is missing, and no client has deleted the
   * node. A registry never loses an earlier write without the later ones, so the last write stands for all.
   */
  async hasLostWrites(): Promise<boolean> {
    const written = this.#lastWrite
    if (written === undefined) return false
    const { path, mzxid } = written
    const places = [...ancestorsOf(path), path].toReversed()
    const nodes = await this.#read(places)
    const place = places.find((one) => nodes.has(one)) ?? ''
    const stat = nodes.get(place)?.stat
    if (stat === undefined) return true
    // A deletion of the node, or of a node above it, would show in the last change of the children there.
    return (place === path ? stat.mzxid : stat.pzxid) < mzxid
  }

  /** Whether the `alive` node of the instance is gone. Only a loss of data or a manual deletion removes it. */
  async isForgotten(instance: string): Promise<boolean> {
    const path = this.#nodes.aliveNode(instance)
    return !(await this.#read([path])).has(path)
  }

  async #read(paths: readonly string[]): Promise<Map<string, NodeContent>> {
    const results = await this.#client.read(
      paths.map((path): ReadPart => read.get(path)),
      failing,
    )
    const nodes = new Map<string, NodeContent>()
    for (const [index, path] of paths.entries()) {
      const content = contentOf(results[index])
      if (content !== undefined) nodes.set(path, content)
    }
    return nodes
  }

  async #makeMissing(
    paths: readonly string[],
    present: ReadonlyMap<string, unknown>,
    mode: 'persistent' | 'ephemeral',
  ): Promise<string[]> {
    const made: string[] = []
    for (const path of paths) {
      if (present.has(path)) continue
      const parents = mode === 'persistent'
      try {
        await this.#client.create(path, { mode, parents, ...failing })
        made.push(path)
      } catch (error) {
        // Another instance has created it at the same moment.
        if (!isRegistryError(error, 'REGISTRY_NODE_EXISTS')) throw error
      }
    }
    return made
  }
}

/** A failed read does not mean that the node is absent. */
function contentOf(result: ReadResult | undefined): NodeContent | undefined {
  if (result === undefined) return undefined
  if ('error' in result && result.error.code !== 'REGISTRY_NO_NODE') throw result.error
  return 'data' in result ? result : undefined
}
