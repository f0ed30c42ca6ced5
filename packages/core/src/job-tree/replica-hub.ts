/**
 * All replicas of one session. They share one watch for each job, or one on the whole namespace when there are many
 * jobs; one on the states of all jobs; and one on the live instances.
 */
import { nameOf } from '../node-path.ts'
import type { Watch, WatchEvent } from '../registry/registry-client.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import { read } from '../registry/transaction.ts'
import { JobPaths, type StatePaths } from './paths.ts'
import { type Change, JobReplica, type ReplicaReader } from './replica.ts'

/** Above this number of jobs one watch on the namespace is cheaper for servers and clients than one for each job. */
const manyJobs = 500

export interface HubListener {
  changed(jobName: string, change: Change): void
  /** A native instance is gone, or the live instances were read again. */
  membersChanged(): void
  failed(jobName: string, error: unknown): void
  /** The live instances could not be read. */
  aliveFailed(error: unknown): void
}

export class ReplicaHub {
  readonly alive: Set<string> = new Set()
  readonly #session: RegistrySession
  readonly #reader: ReplicaReader
  readonly #namespace: string
  readonly #state: StatePaths
  readonly #listener: HubListener
  readonly #replicas = new Map<string, JobReplica>()
  readonly #watches = new Map<string, Watch>()
  #namespaceWatch: Promise<Watch> | undefined
  #aliveKnown = false
  /** Counts the events below `alive`: a list that was read before the last event is obsolete. */
  #aliveEvents = 0

  constructor(
    session: RegistrySession,
    namespace: string,
    state: StatePaths,
    listener: HubListener,
  ) {
    this.#session = session
    this.#reader = {
      read: (parts, onAnswer) => session.read(parts, onAnswer),
      now: () => session.now(),
    }
    this.#namespace = namespace
    this.#state = state
    this.#listener = listener
  }

  async start(): Promise<void> {
    const { client } = this.#session
    await client.watch(this.#state.alive, 'recursive', this.#aliveTouched)
    await client.watch(this.#state.jobs, 'recursive', this.#stateTouched)
    await this.#loadAlive()
  }

  /** Whether the live instances are known. */
  get knowsAlive(): boolean {
    return this.#aliveKnown
  }

  get size(): number {
    return this.#replicas.size
  }

  /** The number of nodes in the replicas of all jobs. */
  get nodeCount(): number {
    let count = this.alive.size
    for (const replica of this.#replicas.values()) count += replica.size
    return count
  }

  replica(jobName: string): JobReplica | undefined {
    return this.#replicas.get(jobName)
  }

  /** Adds an empty replica of the job; `follow` fills it. */
  add(jobName: string): JobReplica {
    const paths = new JobPaths(this.#namespace, this.#state, jobName)
    const replica = new JobReplica(
      jobName,
      paths,
      this.alive,
      this.#reader,
      (change) => this.#listener.changed(jobName, change),
      (error) => this.#listener.failed(jobName, error),
    )
    this.#replicas.set(jobName, replica)
    return replica
  }

  /** Watches the job and loads its replica. */
  async follow(jobName: string): Promise<JobReplica> {
    const replica = this.#replicas.get(jobName) ?? this.add(jobName)
    await this.#watch(jobName, replica.paths)
    replica.load()
    return replica
  }

  async remove(jobName: string): Promise<void> {
    this.#replicas.get(jobName)?.suspend()
    this.#replicas.delete(jobName)
    const watch = this.#watches.get(jobName)
    this.#watches.delete(jobName)
    await watch?.remove()
  }

  suspend(): void {
    this.#aliveKnown = false
    for (const replica of this.#replicas.values()) replica.suspend()
  }

  /** The registry has lost data. */
  dataLost(): void {
    for (const replica of this.#replicas.values()) replica.dataLost()
  }

  /** Reads everything again, the jobs in the order given. */
  resume(inOrder: readonly string[]): void {
    this.readAlive()
    for (const jobName of inOrder) this.#replicas.get(jobName)?.load()
  }

  /** Reads the live instances, again if needed. */
  readAlive(): void {
    this.#loadAlive().catch((error: unknown) => this.#listener.aliveFailed(error))
  }

  async #watch(jobName: string, paths: JobPaths): Promise<void> {
    if (this.#replicas.size > manyJobs) {
      this.#namespaceWatch ??= this.#watchNamespace()
      await this.#namespaceWatch
      return
    }
    const watch = await this.#session.client.watch(paths.root, 'recursive', (event) =>
      this.#replicas.get(jobName)?.touched(event),
    )
    this.#watches.set(jobName, watch)
  }

  async #watchNamespace(): Promise<Watch> {
    const root = `/${this.#namespace}`
    const watch = await this.#session.client.watch(root, 'recursive', (event) => {
      const slash = event.path.indexOf('/', root.length + 1)
      const jobName = event.path.slice(root.length + 1, slash === -1 ? undefined : slash)
      this.#replicas.get(jobName)?.touched(event)
    })
    const single = [...this.#watches.values()]
    this.#watches.clear()
    await Promise.all(single.map((one) => one.remove()))
    return watch
  }

  readonly #stateTouched = ({ type, path }: WatchEvent): void => {
    if (path === this.#state.jobs) {
      if (type === 'deleted') void this.#session.repair()
      return
    }
    this.#replicas.get(nameOf(path))?.stateTouched(type)
  }

  readonly #aliveTouched = ({ type, path }: WatchEvent): void => {
    const isMissed = path === this.#state.alive || nameOf(path) === this.#session.instance
    // The node was deleted by hand, or the session is over: only a check of the registry tells which.
    if (type === 'deleted' && isMissed) void this.#session.repair()
    if (path === this.#state.alive) return
    this.#aliveEvents += 1
    if (type === 'created') {
      this.alive.add(nameOf(path))
      for (const replica of this.#replicas.values()) replica.proven(nameOf(path))
    }
    if (type === 'deleted') this.alive.delete(nameOf(path))
    // A new instance has not joined any job yet, so only a departure concerns the jobs.
    if (type === 'deleted') this.#listener.membersChanged()
  }

  async #loadAlive(): Promise<void> {
    for (;;) {
      let eventsThen = this.#aliveEvents
      const [result] = await this.#session.read([read.children(this.#state.alive)], () => {
        eventsThen = this.#aliveEvents
      })
      if (result !== undefined && 'error' in result) throw result.error
      if (result === undefined || !('children' in result)) return
      if (eventsThen !== this.#aliveEvents) continue
      this.alive.clear()
      for (const instance of result.children) this.alive.add(instance)
      this.#aliveKnown = true
      for (const replica of this.#replicas.values()) replica.proveAll()
      this.#listener.membersChanged()
      return
    }
  }
}
