/**
 * One job in this process. A change of the replica, a time, a change of the session or the end of a run leads to one
 * look at the whole state: decisions are made from the state, not from the event.
 */
import type { JobConfiguration } from '../config/job-configuration.ts'
import type { OnError } from '../error-handlers/error-handler.ts'
import { brokenJob, ElasticJobError } from '../errors.ts'
import type { Emit } from '../events.ts'
import { unproven } from '../execution/aborts.ts'
import type { DueContext } from '../fire-times/due.ts'
import type { FireHistory } from '../fire-times/fire-history.ts'
import type { Code, ExecutionHost, ExecutionSettings } from '../execution/host.ts'
import type { ClaimedRun } from '../execution/run.ts'
import type { StartPriority } from '../timing/start-priority.ts'
import { ExecutionService } from '../execution/service.ts'
import type { TakeSettings } from '../failover/service.ts'
import { BarrierService } from '../barrier/service.ts'
import { brokenBy, JobHealth } from '../job-tree/job-health.ts'
import { isMixed } from '../job-tree/job-view.ts'
import type { ManualRun } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import type { Change, JobReplica } from '../job-tree/replica.ts'
import type { Runner } from '../job-types/job-type.ts'
import { deletionGrace } from '../reconcile/structure-service.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import type { TransactionPart } from '../registry/transaction.ts'
import { shardsOf, ownershipOf } from '../sharding/ownership.ts'
import type { ManualRunRequest } from '../trigger/plan.ts'
import { instanceTextOf, recreateJob, registerInstance } from './arrival.ts'
import { bodyHostOf } from './body-host.ts'
import { TransactionRunner } from './transaction-runner.ts'
import { ClockGuard } from './clock-guard.ts'
import { Deferred } from './deferred.ts'
import { carryOutDeparture, type DepartureNotice, planDeparture } from './departure.ts'
import { type CoordinatorHost, JobCoordinator } from './job-coordinator.ts'
import { type JobDeclaration, removedError, type SetUpHost, setUpJob } from './job-setup.ts'
import { LiveConfiguration } from './live-configuration.ts'
import type { ProcessServices } from './process-services.ts'
import { nothingRemembered, rememberedJob } from './remembered-job.ts'
import { type BodyHost, ClaimedCode } from './run-body.ts'
import type { SessionSlot } from './session-slot.ts'
import type { JobRuntimeStatus } from './process-status.ts'
import type { Wakeable } from '../timing/timer-queue.ts'
import { WaitingList } from './waiting-list.ts'
import { within } from './within.ts'

/** How often an instance looks whether its clock is right again, in milliseconds. */
const clockCheck = 5000

export class JobScheduler implements ExecutionHost, CoordinatorHost, SetUpHost, Wakeable {
  readonly jobName: string
  readonly session: RegistrySession
  readonly emit: Emit
  readonly startPriority: StartPriority
  readonly health: JobHealth
  readonly #services: ProcessServices
  readonly #slot: SessionSlot
  readonly #declaration: JobDeclaration
  readonly #live: LiveConfiguration
  readonly #body: BodyHost
  readonly #execution: ExecutionService
  readonly #barrier: BarrierService
  readonly #coordinator: JobCoordinator
  readonly #transactionRunner: TransactionRunner
  readonly #clockGuard: ClockGuard
  #replica: JobReplica | undefined
  #member: Member | undefined
  /** `withdrawn`: the clock of this machine is wrong, and the instance takes no part until it is right. */
  #phase: 'setting up' | 'joining' | 'registered' | 'withdrawn' | 'stopping' | 'stopped' =
    'setting up'
  /** The id under which it last took part. */
  #registeredAs: string | undefined
  /** The registry's data in which the job was last known to be. */
  #history: string | undefined
  #remembered = nothingRemembered
  /** Since when our own node is missing although our session lives, as far as that is known. */
  #missingSince: number | undefined
  #structuralDirty = true
  #structuralWake: number | undefined
  #ownedShards = ''
  /** The last fire time at which it was looked for what still ran. */
  #met: number | undefined
  readonly #registration = new Deferred()
  readonly #broken = new Deferred()
  readonly #waiting = new WaitingList()
  #stopped: Promise<void> | undefined
  readonly #ended = new Deferred()
  /** Resolves when this instance has no part in the job any more, whoever wanted it so. */
  readonly ended: Promise<void> = this.#ended.promise

  constructor(
    services: ProcessServices,
    slot: SessionSlot,
    declaration: JobDeclaration,
    runnerOf: (props: JobConfiguration['props']) => Runner,
    onError?: OnError,
  ) {
    this.#services = services
    this.#slot = slot
    this.#declaration = declaration
    this.jobName = declaration.configuration.jobName
    this.session = slot.session
    this.emit = services.emit
    this.startPriority = services.timing.startPriority
    this.health = new JobHealth(this.jobName, services.emit)
    const { session } = slot
    this.#live = new LiveConfiguration(services, session, declaration.configuration, runnerOf)
    this.#barrier = new BarrierService(this, () => this.#live.value)
    const isYielding = (shard: number): boolean =>
      this.#phase !== 'registered' || this.#execution.isYielding(shard)
    this.#body = bodyHostOf(this, services, this.#live, this.#barrier, isYielding, onError)
    this.#execution = new ExecutionService(this)
    this.#coordinator = new JobCoordinator(this, services, this.#live)
    this.#transactionRunner = new TransactionRunner(this)
    this.#clockGuard = new ClockGuard(session, (difference, limit) =>
      this.emit('clock:refused', { jobName: this.jobName, difference, limit }),
    )
  }

  get replica(): JobReplica {
    if (this.#replica === undefined) throw this.#stoppedError()
    return this.#replica
  }

  get configuration(): JobConfiguration {
    return this.#live.value
  }

  /** The shards that this instance owns. */
  get shards(): readonly number[] {
    return this.#execution.shards
  }

  /** Whether it takes no part any more although its code may still run. */
  get isStopping(): boolean {
    return this.#stopped !== undefined
  }

  get isLeader(): boolean {
    return this.#replica !== undefined && this.#coordinator.isLeader
  }

  /** The status; undefined while it is not known here. */
  get status(): JobRuntimeStatus | undefined {
    if (this.#replica === undefined || this.#phase !== 'registered') return undefined
    return {
      jobName: this.jobName,
      isLeader: this.#coordinator.isLeader,
      hasLeader: this.#replica.leader !== undefined,
      shards: this.#execution.ownedCount,
      due: this.#execution.dueCount,
    }
  }

  /** When it fires next, in milliseconds; undefined for never. */
  get nextFire(): number | undefined {
    return this.#live.schedule.next(this.session.now())
  }

  /**
   * Joins the job, making it if it does not exist; resolves when this instance takes part, or when the job is
   * broken: then it takes part once the job can be read, and does not keep other jobs from starting.
   */
  async start(): Promise<void> {
    this.#replica = await this.#slot.hub.add(this.jobName)
    const joined = this.#join()
    await Promise.race([joined, this.#broken.promise])
    void joined.catch((error: unknown) => {
      if (this.isStopping) return
      this.emit('error:unhandled', { jobName: this.jobName, error })
      void this.stop(0)
    })
  }

  async #join(): Promise<void> {
    await setUpJob(this, this.#declaration, this.#services.maxRetries)
    this.#history = this.session.history
    this.#phase = 'joining'
    this.changed()
    await this.#registration.promise
    const { cron, shardingTotalCount } = this.#live.value
    this.emit('job:scheduled', { jobName: this.jobName, cron, shardingTotalCount })
  }

  trigger(request: ManualRunRequest): Promise<ManualRun> {
    return this.#coordinator.ask(request)
  }

  rerunFailed(parameter?: string): Promise<ManualRun> {
    return this.#coordinator.askForFailed(parameter)
  }

  /** Something about the job is different. */
  touched(change: Change): void {
    // Others run the job while its watch is set here: what they do is read once it stands.
    if (this.#replica === undefined) return
    this.#barrier.touched(change)
    if (change === undefined) this.#execution.readAgain()
    if (change?.kind === 'owner') this.#execution.ownerTouched(change.shard)
    // Java's leader makes surplus shards again without a look at our states: what crashed before they went waits there.
    if (change?.kind === 'shard' && isMixed(this.#replica)) this.#coordinator.lookAgain()
    if (change?.kind === 'mark') {
      const nodes = this.#replica.shards.get(change.shard)
      if (change.mark === 'disabled') {
        if (nodes?.disabled === true) this.#coordinator.disabled(change.shard, this.session.now())
        else this.#execution.enabled(change.shard)
      }
      if (change.mark === 'running') this.#execution.runTouched(change.shard)
      if (change.mark === 'running' && nodes?.running === true) {
        this.#coordinator.marked(change.shard, this.session.now())
      }
      if (change.mark === 'running' && !this.#coordinator.concernsAll(change.shard)) {
        // From a run of somebody else's shard nothing follows here.
        if (this.#execution.concerns(change.shard)) this.look()
        return
      }
    }
    this.changed()
  }

  changed(): void {
    this.#structuralDirty = true
    this.look()
  }

  look(): void {
    this.#services.dirtyQueue.add(this)
  }

  nodeMissing(): void {
    this.#coordinator.nodeMissing()
    this.#structuralDirty = true
  }

  wake(time: number): void {
    this.#execution.fired(time)
    const fireTime = this.#live.schedule.latest(time)
    if (fireTime !== undefined && fireTime !== this.#met && this.#phase === 'registered') {
      this.#met = fireTime
      this.#execution.meet(fireTime)
    }
    if (this.#structuralWake !== undefined && this.#structuralWake <= this.session.now()) {
      this.#structuralDirty = true
    }
    this.#lookAt(time)
  }

  member(): Member {
    if (this.#member?.instance !== this.session.instance) {
      const { instance } = this.session
      const { paths } = this.replica
      this.#member = { instance, ip: this.#services.ip, paths }
      this.replica.belongsTo(instance)
    }
    return this.#member
  }

  quiet(): Promise<void> {
    if (this.replica.isBroken)
      return Promise.reject(brokenJob(this.jobName, brokenBy(this.replica)))
    return this.#isKnown ? Promise.resolve() : this.#waiting.add(false)
  }

  readable(): Promise<void> {
    return this.#isKnown && !this.replica.isBroken ? Promise.resolve() : this.#waiting.add(true)
  }

  settings(): ExecutionSettings {
    return this.#live.value
  }

  nextFireTime(now: number): number | undefined {
    return this.#live.schedule.next(now)
  }

  ready(time: number): void {
    this.#services.timing.ready(time)
  }

  codeOf(runs: readonly ClaimedRun[]): Code {
    return new ClaimedCode(this.#body, this.#live.runner, runs)
  }

  take(shards: readonly number[], settings: TakeSettings): Promise<void> {
    return this.#execution
      .take(shards, settings)
      .catch((error: unknown) => this.emit('error:unhandled', { jobName: this.jobName, error }))
  }

  get isTaking(): boolean {
    return this.#execution.isTaking
  }

  nextTurn(): readonly TransactionPart[] {
    return this.#coordinator.nextTurn()
  }

  givesAway(shard: number): boolean {
    return this.#coordinator.givesAway(shard)
  }

  newRunId(): string {
    return this.#services.newRunId()
  }

  dueContext(now: number): DueContext {
    const { maxTimeDiffSeconds } = this.#live.value
    const isHeld = this.#phase !== 'registered' || this.#clockGuard.refuses(maxTimeDiffSeconds)
    return this.#coordinator.dueContext(now, this.#services.ip, isHeld)
  }

  fireHistory(): FireHistory {
    return this.#coordinator.fireHistory
  }

  reconcile(): void {
    this.#lookAt(this.session.now())
  }

  /** One look at everything, as it is at that time, which may be a moment ahead: what is due then is made ready. */
  #lookAt(now: number): void {
    if (!this.#isKnown) return
    this.health.follow(this.replica)
    if (this.replica.isBroken) {
      this.#broken.resolve()
      this.#waiting.refuse(() => brokenJob(this.jobName, brokenBy(this.replica)))
      // What runs ends as always; nothing is decided on a state that nobody knows.
      this.#execution.settleCutOff()
      return
    }
    this.#waiting.release()
    if (this.#phase === 'joining') {
      this.#register()
      this.#services.timing.wakeAt(this, this.#transactionRunner.freeFrom(now))
    }
    if (this.#phase === 'stopping' || this.#phase === 'withdrawn') this.#execution.settleCutOff()
    if (this.#phase === 'withdrawn') this.#returnIfRight(now)
    if (this.#phase !== 'registered') return
    if (this.#isSentAway) {
      void this.stop(this.#services.stopLimit)
      return
    }
    // After a long silence nothing that is written now would prove the session for long enough.
    const { settlesIn } = this.session.client.lease
    if (settlesIn > 0) {
      this.#services.timing.wakeAt(this, now + settlesIn)
      return
    }
    this.#applyConfiguration()
    if (this.#clockGuard.refuses(this.#live.value.maxTimeDiffSeconds) && this.#withdraw()) return
    const stops = this.replica.jobState?.value.stops
    if (stops !== undefined) this.#execution.stop(stops)
    if (this.#structuralDirty) {
      this.#coordinator.followOwners(now)
      this.#takeOwnership()
      const present = this.session.now()
      if (this.#transactionRunner.isFree(present)) this.#coordinate(present)
    }
    this.#execution.step(now)
    this.#sleep(now)
  }

  /** The connection is back: what is here is being read again. */
  resumed(): void {
    this.#execution.resume()
    this.#coordinator.lookAgain()
    this.changed()
  }

  /** The session was lost; this process comes back as another instance. */
  renewed(): void {
    // Before it is read again: the registry may have lost it.
    if (this.#replica?.config !== undefined) this.#remembered = rememberedJob(this.#replica)
    this.#missingSince = undefined
    this.#execution.orphanAll(
      new ElasticJobError('JOB_STOPPED', 'the session that claimed this run is gone'),
    )
    if (this.#phase === 'registered') this.#phase = 'joining'
    this.#coordinator.lookAgain()
    this.#ownedShards = ''
    this.changed()
  }

  /** Nothing proves the session: what runs has to stop before others may run it. */
  leaseEnded(): number {
    const { runningCount } = this.#execution
    this.#execution.abortAll(unproven())
    return runningCount
  }

  /**
   * Leaves the job, so that others run what this instance would have to leave out; what runs goes on. Java would take
   * a run whose instance has left for a crashed one: in a mixed job it ends first. Says whether it is done.
   */
  #withdraw(): boolean {
    if (isMixed(this.replica) && this.#execution.runningCount > 0) return false
    if (!this.#transactionRunner.isFree(this.session.now())) return false
    this.#phase = 'withdrawn'
    this.#ownedShards = ''
    this.#execution.own(new Set(), () => ({ since: 0, byTurn: false }))
    this.emit('shards:owned', { jobName: this.jobName, shards: [] })
    this.#transactionRunner.carryOut(this.#giveUp('everything'))
    return true
  }

  /** Joins again when the clock is right; a write shows what the registry's clock says. */
  #returnIfRight(now: number): void {
    if (this.#isSentAway) void this.stop(this.#services.stopLimit)
    if (this.#phase !== 'withdrawn') return
    this.#applyConfiguration()
    const isFree = this.#transactionRunner.isFree(now)
    if (isFree && !this.#clockGuard.refuses(this.#live.value.maxTimeDiffSeconds)) {
      this.#phase = 'joining'
      this.changed()
      return
    }
    const noted = this.#clockGuard.planRefusal(this.replica, this.member())
    if (isFree && noted.length > 0) {
      this.#transactionRunner.carryOut(this.session.commit(noted).then(() => undefined))
    }
    if (this.session.timeAge >= clockCheck) void this.session.prove().catch(() => {})
    this.#services.timing.wakeAt(this, now + clockCheck)
  }

  /** Takes no further part; what runs gets `limit` milliseconds to end. */
  stop(limit: number): Promise<void> {
    this.#stopped ??= this.#stop(limit)
    return this.#stopped
  }

  async #stop(limit: number): Promise<void> {
    // One that was about to register may find its node made by the time it is asked to stop.
    const mayStand = ['registered', 'joining', 'withdrawn'].includes(this.#phase)
    this.#phase = 'stopping'
    this.#services.timing.wakeAt(this, undefined)
    this.#waiting.stop(this.#stoppedError())
    this.#registration.reject(this.#stoppedError())
    await this.#transactionRunner.settled()
    const mixed = this.#replica !== undefined && isMixed(this.#replica)
    if (mayStand) await this.#giveUp(mixed ? 'leadership' : 'everything')
    this.#execution.abortAll(new ElasticJobError('JOB_STOPPED', `job ${this.jobName} is stopping`))
    const idle = Promise.all([this.#execution.idle(), this.#barrier.idle()])
    await within(this.session.clock, limit, idle)
    if (mayStand && mixed) await this.#giveUp('everything')
    await this.#barrier.stop()
    await this.#live.runner.stop?.()
    const left = this.#leave()
    if (this.#execution.runningCount === 0) await left
    this.emit('job:stopped', { jobName: this.jobName, instance: this.session.instance })
  }

  /**
   * Code that outlasts the limit keeps its shard from running anywhere, as long as this session lives: its end has to
   * be written whenever it comes, and for that the job has to be known here.
   */
  async #leave(): Promise<void> {
    await this.#execution.idle()
    this.#phase = 'stopped'
    await this.#slot.release(this.jobName)
    this.#ended.resolve()
  }

  /** First of all, so that what is idle here moves at once and misses nothing. */
  async #giveUp(what: DepartureNotice): Promise<void> {
    if (!this.session.isReady) return
    await carryOutDeparture(this.session, planDeparture(this.replica, this.member(), what))
  }

  get #isKnown(): boolean {
    return this.#replica?.isSynced === true && this.session.isReady && this.#slot.hub.knowsAlive
  }

  #register(): void {
    if (!this.#transactionRunner.isFree(this.session.now())) return
    const { replica } = this
    const isLost = this.#history !== this.session.history
    // The job may have been removed meanwhile: it must not be made again, unless the registry has lost it.
    const isGone = replica.config === undefined
    if (this.#isSentAway || (isGone && !isLost)) {
      this.#registration.reject(removedError(this.jobName))
      if (this.#registeredAs !== undefined) void this.stop(this.#services.stopLimit)
      return
    }
    if (!isGone) this.#applyConfiguration()
    if (this.#live.isBlocked) return this.#broken.resolve()
    this.#transactionRunner.carryOut(
      isGone
        ? recreateJob(this, this.#live, this.#declaration, this.#remembered)
        : this.#arrive(isLost),
    )
  }

  /** Takes part, as the instance that this process is now. */
  async #arrive(isLost: boolean): Promise<void> {
    const { session } = this
    const instance = await registerInstance(this, this.#live, {
      instanceText: this.instanceText(),
      // Once: what an operator says later holds, also when this process comes back after a lost session.
      overwrite: this.#declaration.configuration.overwrite && this.#registeredAs === undefined,
      lostUntil: isLost ? session.lostUntil : undefined,
    })
    if (this.#phase !== 'joining') return
    this.#phase = 'registered'
    this.#registeredAs = instance
    this.#history = session.history
    this.emit('job:registered', { jobName: this.jobName, instance })
    this.#registration.resolve()
  }

  /** Whether an operator wants this instance out of the job, or nobody in it. */
  get #isSentAway(): boolean {
    const jobState = this.replica.jobState?.value
    if (jobState?.removing === true) return true
    const isAsked = (instance: string): boolean => instance === this.#registeredAs
    return jobState?.shutdown?.some(isAsked) === true
  }

  /**
   * Our node is gone: an operator shut this instance down, the folder of instances was deleted, or the session ended.
   * Only an answered write tells the last from the others; a job must never stop because a session died.
   */
  async #settleAbsence(): Promise<void> {
    await this.session.repair()
    if (!(await this.session.isProven()) || this.#phase !== 'registered') return
    await this.quiet()
    const { config, folders, paths } = this.replica
    const isLost = this.#history !== this.session.history
    const isFolderGone = config !== undefined && !folders.has('instances')
    if (!isLost && !isFolderGone) {
      void this.stop(this.#services.stopLimit)
      return
    }
    this.#phase = 'joining'
    this.#missingSince = undefined
    const what = `missing nodes: ${paths.instances}`
    this.emit('reconcile:repaired', { jobName: this.jobName, what })
  }

  #coordinate(now: number): void {
    this.#structuralDirty = false
    if (!this.replica.instances.has(this.session.instance)) {
      this.#missingSince ??= now
      this.#structuralWake = this.#missingSince + deletionGrace
      if (now >= this.#structuralWake) this.#transactionRunner.carryOut(this.#settleAbsence())
      return
    }
    this.#missingSince = undefined
    const step = this.#coordinator.step(now)
    this.#structuralWake = step instanceof Promise ? undefined : step
    if (step instanceof Promise) this.#transactionRunner.carryOut(step)
  }

  /** What the registry says of the job takes effect, unless it cannot be used. */
  #applyConfiguration(): void {
    const refused = this.#live.follow(this.replica)
    const { unreadable } = this.#live
    this.health.note(this.replica.paths.config, unreadable)
    if (refused !== undefined && unreadable === undefined) this.#registration.reject(refused.error)
  }

  #takeOwnership(): void {
    const { replica } = this
    const member = this.member()
    const resharding = this.#coordinator.resharding()
    const mine = shardsOf(replica, member, resharding)
    const key = [...mine].join()
    if (key === this.#ownedShards) return
    this.#ownedShards = key
    const now = this.session.now()
    const { formerOwners: former } = this.#coordinator
    this.#execution.own(mine, (shard) =>
      ownershipOf(replica, shard, member, resharding, now, former),
    )
    this.emit('shards:owned', {
      jobName: this.jobName,
      shards: [...mine].toSorted((a, b) => a - b),
    })
  }

  #sleep(now: number): void {
    const fire = this.#live.schedule.next(now)
    // While something is under way its end wakes the job: a passed time would wake it at once, again and again.
    const isFree = this.#transactionRunner.isFree(now)
    const structural = isFree ? this.#structuralWake : this.#transactionRunner.freeFrom(now)
    const wake = Math.min(fire ?? Infinity, structural ?? Infinity)
    const precision = wake === fire ? 'just before' : 'about then'
    const at = wake === Infinity ? undefined : wake
    this.#services.timing.wakeAt(this, at, precision, Math.max(this.#execution.slotCount, 1))
  }

  instanceText(): string {
    return instanceTextOf(this.session.instance, this.#services.ip, this.#live)
  }

  #stoppedError(): ElasticJobError {
    return new ElasticJobError('JOB_STOPPED', `job ${this.jobName} has been stopped here`)
  }
}
