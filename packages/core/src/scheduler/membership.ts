/** The membership of this instance in a job: it joins, registers, withdraws, joins again, leaves and drains. */
import type { BarrierService } from '../barrier/service.ts'
import { ElasticJobError } from '../errors.ts'
import type { ExecutionService } from '../execution/service.ts'
import { isMixed } from '../job-tree/job-view.ts'
import { deletionGrace } from '../reconcile/structure-service.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { ClockGuard } from './clock-guard.ts'
import { Deferred } from './deferred.ts'
import { type DepartureNotice, isSentAway, planDeparture } from './departure-plan.ts'
import type { JobContext } from './job-context.ts'
import { type JobDeclaration, removedError, setUpJob } from './job-setup.ts'
import { MembershipPhase } from './membership-phase.ts'
import { recreateJob, registerInstance, type RememberedJob, rememberedJob } from './registration.ts'
import { within } from './within.ts'

/** How often a withdrawn instance checks whether its clock is right again, in milliseconds. */
const clockCheck = 5000
/** How often, and at which interval in milliseconds, a departure is retried that an ACL refuses. */
const departureRetries = 30
const departureRetry = 1000

export class Membership {
  readonly #context: JobContext
  readonly #declaration: JobDeclaration
  readonly #execution: ExecutionService
  readonly #barrier: BarrierService
  readonly #clockGuard: ClockGuard
  readonly #phase = new MembershipPhase()
  /** The id under which this instance last took part. */
  #registeredAs: string | undefined
  /** Identifies the registry's data that contained the job last. */
  #history: string | undefined
  #remembered: RememberedJob
  /** Since when the node of this instance is known to be missing although its session is alive. */
  #missingSince: number | undefined
  readonly #registration = new Deferred()
  readonly #broken = new Deferred()
  #stopped: Promise<void> | undefined
  readonly #ended = new Deferred()
  /** Resolves when this instance no longer takes part in the job, for any reason. */
  readonly ended: Promise<void> = this.#ended.promise

  constructor(
    context: JobContext,
    declaration: JobDeclaration,
    execution: ExecutionService,
    barrier: BarrierService,
  ) {
    this.#context = context
    this.#remembered = rememberedJob(context.replica)
    this.#declaration = declaration
    this.#execution = execution
    this.#barrier = barrier
    this.#clockGuard = new ClockGuard(context)
  }

  /** Whether the watch on the job is set, so that changes by other instances arrive. */
  get isWatching(): boolean {
    return this.#phase.current !== 'starting'
  }

  get isRegistered(): boolean {
    return this.#phase.current === 'registered'
  }

  /** Whether nothing is due on this instance: it does not take part, or its clock is wrong. */
  get isHeld(): boolean {
    return !this.isRegistered || this.#clockGuard.isRefused
  }

  /** Whether this instance is leaving or has left; its code may still run. */
  get isStopping(): boolean {
    return this.#stopped !== undefined
  }

  /**
   * Joins the job, and creates it if it does not exist. Resolves when this instance takes part, or when the job is
   * broken. This instance then takes part once the job can be read, and does not keep other jobs from starting.
   */
  async start(): Promise<void> {
    const { jobName, slot, emit } = this.#context
    await slot.hub.follow(jobName)
    // The stop came before the watch was set.
    if (!this.#phase.after('watched')) return this.#registration.promise
    const joined = this.#join()
    // A stop rejects the registration; the setup of the job may then wait forever.
    await Promise.race([joined, this.#broken.promise, this.#registration.promise])
    void joined.catch((error: unknown) => {
      if (this.isStopping) return
      emit('error:unhandled', { jobName, error })
      void this.stop(0)
    })
  }

  /** The job cannot be read: `start` does not wait for it. */
  jobBroken(): void {
    this.#broken.resolve()
    this.#execution.settleCutOff()
  }

  /** Advances the membership; returns whether this instance takes part. */
  step(now: number): boolean {
    if (this.#phase.current === 'joining') {
      this.#register()
      this.#context.wakeAt(this.#context.transactions.freeFrom(now))
    }
    const { current } = this.#phase
    if (current === 'stopping' || current === 'withdrawn') this.#execution.settleCutOff()
    if (current === 'withdrawn') this.#returnIfRight(now)
    if (!this.isRegistered) return false
    if (!this.#isSentAway) return true
    this.#leave()
    return false
  }

  /**
   * Leaves the job if the clock of this machine is wrong, so that other instances run its shards. Current runs
   * continue. In mixed mode they end first, because Java treats the run of an instance that has left as crashed.
   * Returns whether this instance has left.
   */
  withdrawIfClockRefused(): boolean {
    if (!this.#clockGuard.isRefused) return false
    const { replica, session } = this.#context
    if (isMixed(replica) && this.#execution.runningCount > 0) return false
    if (!this.#context.transactions.isFree(session.now())) return false
    this.#phase.after('clock refused')
    this.#context.transactions.carryOut(this.#giveUp('everything'))
    return true
  }

  /**
   * Checks whether the node of this instance exists; if not, returns when to check again. After `deletionGrace` it
   * investigates why the node is missing.
   */
  missingUntil(now: number): number | undefined {
    const { replica, session } = this.#context
    if (replica.instances.has(session.instance)) {
      this.#missingSince = undefined
      return undefined
    }
    this.#missingSince ??= now
    const until = this.#missingSince + deletionGrace
    if (now >= until) this.#context.transactions.carryOut(this.#settleAbsence())
    return until
  }

  /** Applies the stored configuration, unless it is invalid. */
  applyConfiguration(): void {
    const { live, replica, health } = this.#context
    const refused = live.follow(replica)
    const { unreadable } = live
    health.note(replica.paths.config, unreadable)
    if (refused !== undefined && unreadable === undefined) this.#registration.reject(refused.error)
  }

  /** The session was lost; this process joins again as a new instance. */
  renewed(): void {
    const { replica } = this.#context
    // Before the replica reads the job again: the registry may have lost it.
    if (replica.config !== undefined) this.#remembered = rememberedJob(replica)
    this.#missingSince = undefined
    this.#phase.after('node lost')
  }

  /** Leaves the job; its runs have `limit` milliseconds to end. */
  stop(limit: number): Promise<void> {
    this.#stopped ??= this.#stop(limit)
    return this.#stopped
  }

  async #join(): Promise<void> {
    const { jobName, session, live, emit } = this.#context
    await setUpJob(this.#context, this.#declaration)
    this.#history = session.history
    this.#phase.after('set up')
    this.#context.changed()
    await this.#registration.promise
    const { cron, shardingTotalCount } = live.value
    emit('job:scheduled', { jobName, cron, shardingTotalCount })
  }

  #register(): void {
    const { jobName, session, replica, live } = this.#context
    if (!this.#context.transactions.isFree(session.now())) return
    const isLost = this.#history !== session.history
    // An operator may have removed the job meanwhile. It is created again only if the registry lost its data.
    const isGone = replica.config === undefined
    if (this.#isSentAway || (isGone && !isLost)) {
      this.#registration.reject(removedError(jobName))
      if (this.#registeredAs !== undefined) this.#leave()
      return
    }
    if (!isGone) this.applyConfiguration()
    if (live.isBlocked) return this.#broken.resolve()
    this.#context.transactions.carryOut(
      isGone
        ? recreateJob(this.#context, this.#declaration, this.#remembered)
        : this.#arrive(isLost),
    )
  }

  /** Registers this process under its current instance id. */
  async #arrive(isLost: boolean): Promise<void> {
    const { jobName, session, emit } = this.#context
    const instance = await registerInstance(this.#context, {
      // Only at the first registration: later changes by an operator stay, even after a lost session.
      overwrite: this.#declaration.configuration.overwrite && this.#registeredAs === undefined,
      lostUntil: isLost ? session.lostUntil : undefined,
    })
    if (!this.#phase.after('registered')) return
    this.#registeredAs = instance
    this.#history = session.history
    emit('job:registered', { jobName, instance })
    this.#registration.resolve()
  }

  /** Joins again when the clock is right. A write reveals the current time of the registry. */
  #returnIfRight(now: number): void {
    const { session } = this.#context
    if (this.#isSentAway) return this.#leave()
    this.applyConfiguration()
    const isFree = this.#context.transactions.isFree(now)
    if (isFree && !this.#clockGuard.isRefused) {
      this.#phase.after('clock right')
      this.#context.changed()
      return
    }
    const noted = this.#clockGuard.planRefusal()
    if (isFree && noted.length > 0) {
      this.#context.transactions.carryOut(session.commit(noted).then(() => undefined))
    }
    if (session.timeAge >= clockCheck) void session.prove().catch(() => {})
    this.#context.wakeAt(now + clockCheck)
  }

  /**
   * The node of this instance is gone: an operator shut it down, the folder of instances was deleted, or the session
   * ended. Only a committed write distinguishes the last case from the others; a job must never stop because a session
   * expired.
   */
  async #settleAbsence(): Promise<void> {
    const { jobName, session, replica, emit } = this.#context
    await session.repair()
    if (!(await session.isProven()) || !this.isRegistered) return
    await this.#context.quiet()
    const { config, folders, paths } = replica
    const isLost = this.#history !== session.history
    const isFolderGone = config !== undefined && !folders.has('instances')
    if (!isLost && !isFolderGone) {
      this.#leave()
      return
    }
    this.#phase.after('node lost')
    this.#missingSince = undefined
    emit('reconcile:repaired', { jobName, what: `missing nodes: ${paths.instances}` })
  }

  async #stop(limit: number): Promise<void> {
    const { jobName, session, replica, live, emit } = this.#context
    // The registration of an instance in phase `joining` may complete before the stop takes effect.
    const { mayHaveNode } = this.#phase
    this.#phase.after('stop requested')
    this.#context.wakeAt(undefined)
    const stopped = new ElasticJobError('JOB_STOPPED', `job ${jobName} has been stopped here`)
    this.#context.rejectWaiters(stopped)
    this.#registration.reject(stopped)
    await this.#context.transactions.settled()
    const mixed = isMixed(replica)
    // First, so that idle shards move at once and miss no fire time.
    if (mayHaveNode) await this.#giveUp(mixed ? 'leadership' : 'everything')
    this.#execution.abortAll(new ElasticJobError('JOB_STOPPED', `job ${jobName} is stopping`))
    const idle = Promise.all([this.#execution.idle(), this.#barrier.idle()])
    await within(session.clock, limit, idle)
    if (mayHaveNode && mixed) await this.#giveUp('everything')
    await this.#barrier.stop()
    await live.runner.stop?.()
    const released = this.#release()
    if (this.#execution.runningCount === 0) await released
    emit('job:stopped', { jobName, instance: session.instance })
  }

  /**
   * Code that outlasts the limit blocks its shard on all instances while this session is alive. The end of the run has
   * to be stored whenever it comes, and that requires the replica of the job.
   */
  async #release(): Promise<void> {
    await this.#execution.idle()
    this.#phase.after('runs ended')
    await this.#context.slot.release(this.#context.jobName)
    this.#ended.resolve()
  }

  async #giveUp(what: DepartureNotice, retries = departureRetries): Promise<void> {
    const { session, replica } = this.#context
    if (!session.isReady) return
    const transactions = planDeparture(replica, this.#context.member(), what)
    const given = transactions.map((one) => session.commit(one))
    let refusal: Error | undefined
    for (const result of await Promise.allSettled(given)) {
      if (result.status === 'fulfilled') continue
      // The node is already gone, or the connection is lost: the end of the session deletes it.
      if (!isRegistryError(result.reason)) throw result.reason
      if (result.reason.code === 'REGISTRY_NO_AUTH') refusal = result.reason
    }
    if (refusal === undefined) return
    if (retries === 0) throw refusal
    // Leaders assign shards to this instance as long as its node exists.
    await new Promise<void>((resolve) => session.clock.setTimer(resolve, departureRetry))
    await this.#giveUp(what, retries - 1)
  }

  /** Leaves the job on request of an operator. */
  #leave(): void {
    void this.stop(this.#context.services.stopLimit)
  }

  get #isSentAway(): boolean {
    return isSentAway(this.#context.replica, this.#registeredAs)
  }
}
