/** One session and the jobs in it. */
import type { Emit } from '../events.ts'
import type { StatePaths } from '../job-tree/paths.ts'
import { ReplicaHub } from '../job-tree/replica-hub.ts'
import type { Change } from '../job-tree/replica.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import type { SessionStatus } from './process-status.ts'

/** The callbacks of a job for changes of its session. */
export interface SlotJob {
  readonly nextFire: number | undefined
  touched(change: Change): void
  changed(): void
  resumed(): void
  renewed(): void
  /** Returns how many runs the job has aborted. */
  leaseEnded(): number
}

export class SessionSlot {
  readonly session: RegistrySession
  readonly hub: ReplicaHub
  readonly #emit: Emit
  readonly #jobs = new Map<string, SlotJob>()
  readonly #reserved = new Map<string, number>()
  #bytes = 0

  constructor(session: RegistrySession, namespace: string, state: StatePaths, emit: Emit) {
    this.session = session
    this.#emit = emit
    this.hub = new ReplicaHub(session, namespace, state, {
      changed: (jobName, change) => this.#jobs.get(jobName)?.touched(change),
      membersChanged: () => {
        for (const job of this.#jobs.values()) job.changed()
      },
      failed: (jobName, error) => this.#readFailed(jobName, error),
      aliveFailed: (error) => this.#aliveFailed(error),
    })
  }

  async start(): Promise<void> {
    const { session } = this
    session.on('session:suspended', ({ instance, reason }) => {
      this.hub.suspend()
      this.#emit('registry:suspended', { instance, reason })
    })
    session.on('session:resumed', ({ instance }) => {
      this.#emit('registry:resumed', { instance })
      this.#readAgain()
      for (const job of this.#jobs.values()) job.resumed()
    })
    session.on('session:renewed', ({ instance, former }) => {
      this.#emit('registry:renewed', { instance, former })
      for (const job of this.#jobs.values()) job.renewed()
      this.#readAgain()
    })
    session.on('data:lost', ({ instance, loss }) => {
      this.hub.dataLost()
      this.#emit('registry:data-lost', { instance, loss })
    })
    session.on('nodes:repaired', ({ paths }) => {
      this.#emit('reconcile:repaired', {
        jobName: undefined,
        what: `missing nodes: ${paths.join(', ')}`,
      })
    })
    session.on('session:failed', ({ error }) => {
      this.#emit('error:unhandled', { jobName: undefined, error })
    })
    session.on('lease:ended', ({ instance }) => {
      let running = 0
      for (const job of this.#jobs.values()) running += job.leaseEnded()
      this.#emit('lease:ended', { instance, running })
    })
    await this.hub.start()
  }

  get status(): SessionStatus {
    const { client, instance } = this.session
    return {
      instance,
      state: client.state,
      leaseLeft: client.lease.isHeld ? client.lease.remaining : undefined,
      outstanding: client.outstanding,
      replicaJobs: this.hub.size,
      replicaNodes: this.hub.nodeCount,
    }
  }

  /** The maximum bytes of ephemeral paths of the jobs in this session. */
  get reserved(): number {
    return this.#bytes
  }

  reserve(jobName: string, bytes: number): void {
    this.#reserved.set(jobName, bytes)
    // A running total: every job that looks for a session reads it.
    this.#bytes += bytes
  }

  add(jobName: string, job: SlotJob): void {
    this.#jobs.set(jobName, job)
  }

  async release(jobName: string): Promise<void> {
    this.#jobs.delete(jobName)
    this.#bytes -= this.#reserved.get(jobName) ?? 0
    this.#reserved.delete(jobName)
    if (this.session.client.state === 'closed') return
    await this.hub.remove(jobName).catch(() => {
      // Without a connection there is no watch to remove.
    })
  }

  /** Reads the jobs with the earliest fire times first. */
  #readAgain(): void {
    const order = [...this.#jobs].map(
      ([jobName, job]) => [jobName, job.nextFire ?? Infinity] as const,
    )
    this.hub.resume(order.toSorted((a, b) => a[1] - b[1]).map(([jobName]) => jobName))
  }

  /** The live instances could not be read. No job can make decisions without them, so they are read again. */
  #aliveFailed(error: unknown): void {
    if (!this.session.isReady) return
    if (!isRegistryError(error, 'REGISTRY_NO_NODE', 'REGISTRY_DEADLINE_EXCEEDED')) {
      this.#emit('error:unhandled', { jobName: undefined, error })
    }
    this.session.clock.setTimer(() => {
      if (this.session.isReady) void this.session.repair().then(() => this.hub.readAlive())
    }, readAgainAfter)
  }

  /** Without a connection nothing can be read; after the reconnect everything is read again. */
  #readFailed(jobName: string, error: unknown): void {
    if (!this.session.isReady) return
    // After a deadline error the client is about to close the connection.
    if (!isRegistryError(error, 'REGISTRY_DEADLINE_EXCEEDED'))
      this.#emit('error:unhandled', { jobName, error })
    this.session.clock.setTimer(() => {
      if (this.session.isReady) this.hub.replica(jobName)?.load()
    }, readAgainAfter)
  }
}

/** The delay before a failed read is retried on a live connection, in milliseconds. */
const readAgainAfter = 1000
