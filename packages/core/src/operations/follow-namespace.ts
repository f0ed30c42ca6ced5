/**
 * Keeps a namespace in memory for observers such as a console: queries cost the registry nothing, however many there
 * are. The lease nodes of instances are not part of the copy: they change all the time and no observer needs them.
 */
import { ElasticJobError } from '../errors.ts'
import { isWithin } from '../node-path.ts'
import type { TreeCopy } from '../registry/registry-client.ts'
import { toText } from '../registry/transaction.ts'
import { message } from '../message.ts'
import { readJobNames } from './catalog.ts'
import { detailOf } from './describe-job.ts'
import type { JobDetail } from './details.ts'
import type { NodeReader, NodeText } from './node-reader.ts'
import type { OperatorRegistry } from './operator-registry.ts'
import { isGone, readSnapshot } from './snapshot.ts'

/** Receives the changes of a namespace. */
export interface NamespaceListener {
  /** These jobs were changed, created or deleted. Called often: simultaneous changes arrive one by one. */
  readonly changed: (jobNames: readonly string[]) => void
  /** The connection is lost; the copy keeps the state of that moment. */
  readonly lost: (reason: Error) => void
  /** The copy matches the registry again. */
  readonly current: () => void
}

/** The jobs of a namespace, followed until it is closed. */
export class FollowedNamespace implements AsyncDisposable {
  readonly #registry: OperatorRegistry
  readonly #listener: NamespaceListener
  readonly #caches: readonly TreeCopy[]
  readonly #reader: NodeReader
  /** The jobs in which an instance was last seen. The liveness node of an instance does not name its jobs. */
  readonly #jobsOf = new Map<string, Set<string>>()
  #reason: Error | undefined

  constructor(registry: OperatorRegistry, listener: NamespaceListener) {
    const { client, root, state } = registry
    this.#registry = registry
    this.#listener = listener
    this.#caches = [root, state.jobs, state.execution, state.alive].map((path) =>
      client.copyOf(path),
    )
    this.#reader = readerOf(this.#caches)
  }

  /** Resolves when everything has been read. */
  async start(): Promise<void> {
    this.#registry.client.on('session:suspended', this.#suspended)
    try {
      await Promise.all(this.#caches.map((cache) => cache.start()))
    } catch (error) {
      await this.stop()
      throw error
    }
    // The initial data is not reported as changes: the listener reads all of it first.
    for (const cache of this.#caches) {
      cache.follow({
        touched: (path) => this.#touched(path),
        stale: () => this.#listener.lost(this.#reason ?? lost()),
        current: () => {
          if (this.isCurrent) this.#listener.current()
        },
      })
    }
  }

  async stop(): Promise<void> {
    this.#registry.client.off('session:suspended', this.#suspended)
    await Promise.all(this.#caches.map((cache) => cache.stop()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  /** Whether the copy matches the registry, except for changes in transit. */
  get isCurrent(): boolean {
    return this.#caches.every(({ freshness: { state } }) => isFresh(state))
  }

  /** Resolves when the copy contains everything that was written through the same `Operations` before this call. */
  async settled(): Promise<void> {
    await Promise.all(this.#caches.map((cache) => cache.settled()))
  }

  /** The number of nodes in memory. */
  get size(): number {
    return this.#caches.reduce((sum, cache) => sum + cache.size, 0)
  }

  jobNames(): Promise<readonly string[]> {
    const { root, state } = this.#registry
    return readJobNames({ reader: this.#reader, root, state })
  }

  /** Undefined if the job does not exist. */
  async job(jobName: string): Promise<JobDetail | undefined> {
    const registry = this.#registry
    const alive = new Set(await this.#reader.children(registry.state.alive))
    const paths = registry.pathsOf(jobName)
    const snapshot = await readSnapshot(this.#reader, jobName, paths, alive, 'full')
    if (isGone(snapshot)) return undefined
    const detail = detailOf(snapshot, registry.estimate())
    this.#remember(detail)
    return detail
  }

  #remember({ jobName, instances, shards }: JobDetail): void {
    const named = [
      ...instances.map(({ instance }) => instance),
      ...shards.flatMap(({ owner, run }) => [owner, run?.instance]),
    ]
    for (const instance of named) {
      if (instance === undefined) continue
      const known = this.#jobsOf.get(instance)
      if (known === undefined) this.#jobsOf.set(instance, new Set([jobName]))
      else known.add(jobName)
    }
  }

  #touched(path: string): void {
    const { root, state } = this.#registry
    if (isWithin(path, state.alive)) {
      const instance = path.slice(state.alive.length + 1)
      const jobs = [...(this.#jobsOf.get(instance) ?? [])]
      if (jobs.length > 0) this.#listener.changed(jobs)
      if (this.#caches.at(-1)?.has(path) === false) this.#jobsOf.delete(instance)
      return
    }
    const folder = [root, state.jobs, state.execution].find((one) => isWithin(path, one))
    const [jobName] = path.slice((folder ?? '').length + 1).split('/')
    if (jobName !== undefined && jobName !== '') this.#listener.changed([jobName])
  }

  readonly #suspended = ({ reason }: { readonly reason: Error }): void => {
    this.#reason = reason
  }
}

function lost(): ElasticJobError {
  return new ElasticJobError('JOB_REGISTRY_UNREACHABLE', message('connection-lost'))
}

function isFresh(state: TreeCopy['freshness']['state']): boolean {
  return state === 'current' || state === 'updating'
}

function readerOf(caches: readonly TreeCopy[]): NodeReader {
  const cacheOf = (path: string): TreeCopy | undefined =>
    caches.find((cache) => isWithin(path, cache.path))
  return {
    get: (path): Promise<NodeText | undefined> => {
      const node = cacheOf(path)?.get(path)
      return Promise.resolve(node && { text: toText(node.data), stat: node.stat })
    },
    children: (path) => Promise.resolve(cacheOf(path)?.children(path)),
  }
}
