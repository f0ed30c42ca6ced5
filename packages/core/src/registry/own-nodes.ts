/**
 * The nodes that a session relies on: the folders that all instances share, and its own below them. Whatever
 * is missing is made again. The folders' roots also tell whether the registry still has the data that it had.
 */

import { ancestorsOf } from '../node-path.ts'
import type { RegistryClient } from './registry-client.ts'
import { isRegistryError } from './registry-error.ts'
import { type NodeContent, read, type ReadPart, type ReadResult } from './transaction.ts'

/** Where those nodes stand. */
export interface SessionNodes {
  /** The nodes whose loss means that the registry's data were lost. */
  readonly roots: readonly string[]
  /** What has to exist before anything else, parents first. */
  readonly folders: readonly string[]
  aliveNode(instance: string): string
  leaseNode(instance: string): string
}

/** A node that this session has written, and the transaction that did it. */
interface Written {
  readonly path: string
  readonly mzxid: bigint
}

const failing = { whileDisconnected: 'fail' } as const

export class OwnNodes {
  readonly #client: RegistryClient
  readonly #nodes: SessionNodes
  /** The last of this session's writes whose answer has arrived. */
  #lastWrite: Written | undefined
  #generation = ''

  constructor(client: RegistryClient, nodes: SessionNodes) {
    this.#client = client
    this.#nodes = nodes
  }

  /** Identifies the registry's data: another value means that the roots were made again. */
  get generation(): string {
    return this.#generation
  }

  /** A write of this session has been answered. */
  written(path: string, mzxid: bigint): void {
    this.#lastWrite = { path, mzxid }
  }

  /** Makes the folders that are missing; answers which it has made. */
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

  /** Makes the nodes of an instance that are missing; answers which it has made. */
  async ensureOwn(instance: string): Promise<string[]> {
    const paths = [this.#nodes.aliveNode(instance), this.#nodes.leaseNode(instance)]
    return this.#makeMissing(paths, await this.#read(paths), 'ephemeral')
  }

  /**
   * Whether the registry has lost what this session wrote: its last write is not there, and nobody has deleted it.
   * Of two writes the earlier cannot be lost alone, so the last speaks for all.
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
    // Its deletion, or that of a node above it, would be the last change of the children there, or before the last.
    return (place === path ? stat.mzxid : stat.pzxid) < mzxid
  }

  /** Whether the node by which others know the instance is gone. Only a loss of data or a human takes it away. */
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
        // Another instance has made it at the same moment.
        if (!isRegistryError(error, 'REGISTRY_NODE_EXISTS')) throw error
      }
    }
    return made
  }
}

/** Unknown is not absent. */
function contentOf(result: ReadResult | undefined): NodeContent | undefined {
  if (result === undefined) return undefined
  if ('error' in result && result.error.code !== 'REGISTRY_NO_NODE') throw result.error
  return 'data' in result ? result : undefined
}
