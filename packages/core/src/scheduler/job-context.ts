/** The context that the parts of one job in this process share: constant values, and a few functions. */
import { writeInstance } from '../config/instance-yaml.ts'
import { brokenJob, type ElasticJobError } from '../errors.ts'
import type { Emit } from '../events.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import { brokenBy, JobHealth } from '../job-tree/job-health.ts'
import type { Member } from '../job-tree/member.ts'
import type { JobReplica } from '../job-tree/replica.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import type { WakePrecision } from '../timing/wake-lead-estimator.ts'
import type { JobLoop } from './job-loop.ts'
import type { LiveConfiguration } from './live-configuration.ts'
import type { ProcessServices } from './process-services.ts'
import type { SessionSlot } from './session-slot.ts'
import { TransactionRunner } from './transaction-runner.ts'

/** A part of the job that waits until the replica is synced. */
interface Waiter {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
  /** Whether the waiter keeps waiting while the job is broken. */
  readonly isPatient: boolean
}

export class JobContext implements Coordination {
  readonly jobName: string
  readonly services: ProcessServices
  readonly session: RegistrySession
  readonly slot: SessionSlot
  readonly replica: JobReplica
  readonly live: LiveConfiguration
  readonly emit: Emit
  readonly health: JobHealth
  readonly transactions: TransactionRunner
  readonly member: () => Member
  readonly changed: () => void
  readonly look: () => void
  readonly nodeMissing: () => void
  readonly quiet: () => Promise<void>
  readonly #loop: () => JobLoop
  #member: Member | undefined
  #waiters: readonly Waiter[] = []

  /** `loop` is called on changes and not in the constructor: the loop consists of parts that need this context. */
  constructor(
    jobName: string,
    services: ProcessServices,
    slot: SessionSlot,
    live: LiveConfiguration,
    loop: () => JobLoop,
  ) {
    this.jobName = jobName
    this.#loop = loop
    this.services = services
    this.session = slot.session
    this.slot = slot
    this.replica = slot.hub.add(jobName)
    this.live = live
    this.emit = services.emit
    this.health = new JobHealth(jobName, services.emit)
    this.transactions = new TransactionRunner(this)
    this.member = () => this.#memberNow()
    this.changed = () => loop().changed()
    this.look = () => services.dirtyQueue.add(loop())
    this.nodeMissing = () => loop().nodeMissing()
    this.quiet = () => this.#whenKnown(false)
  }

  /** Whether the replica shows the state of the registry. */
  get isKnown(): boolean {
    return this.replica.isSynced && this.session.isReady && this.slot.hub.knowsAlive
  }

  /** Like `quiet`, but waits until the job is no longer broken. */
  readable(): Promise<void> {
    return this.#whenKnown(true)
  }

  /** The replica is synced: all waiters continue, or fail if the job is broken. */
  settleWaiters(): void {
    if (this.#waiters.length === 0) return
    const { isBroken } = this.replica
    const settled = this.#waiters.filter(({ isPatient }) => !isBroken || !isPatient)
    this.#waiters = this.#waiters.filter((waiter) => !settled.includes(waiter))
    for (const { resolve, reject } of settled) {
      if (isBroken) reject(this.#brokenError())
      else resolve()
    }
  }

  /** The job has stopped: all waiters fail. */
  rejectWaiters(error: ElasticJobError): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const { reject } of waiters) reject(error)
  }

  /** Wakes the job at that time instead of any time that was set before; never if it is undefined. */
  wakeAt(time: number | undefined, precision?: WakePrecision, load?: number): void {
    this.services.timing.wakeAt(this.#loop(), time, precision, load)
  }

  /** The content of this instance's node. */
  instanceText(): string {
    const { instance: jobInstanceId } = this.session
    const { ip: serverIp } = this.services
    return writeInstance({ jobInstanceId, labels: this.live.value.label, serverIp })
  }

  #memberNow(): Member {
    const { instance } = this.session
    if (this.#member?.instance !== instance) {
      this.#member = { instance, ip: this.services.ip, paths: this.replica.paths }
      this.replica.belongsTo(instance)
    }
    return this.#member
  }

  #whenKnown(isPatient: boolean): Promise<void> {
    const { isBroken } = this.replica
    if (isBroken && !isPatient) return Promise.reject(this.#brokenError())
    if (this.isKnown && !isBroken) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#waiters = [...this.#waiters, { resolve, reject, isPatient }]
    })
  }

  #brokenError(): ElasticJobError {
    return brokenJob(this.jobName, brokenBy(this.replica))
  }
}
