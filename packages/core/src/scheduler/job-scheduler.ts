/**
 * One job in this process. It acts when the replica changes, when the clock reaches a time, when the
 * session changes its state, and when a run ends: each of these leads to one look at everything, in
 * which decisions are made from what is, not from what event came by.
 */
import type { TransactionPart } from '@elasticjob/zookeeper'

import { writeInstance } from '../config/instance-yaml.ts'
import type { JobConfiguration } from '../config/job-configuration.ts'
import type { ErrorContext, OnError } from '../error-handlers/error-handler.ts'
import { JobFailures } from '../error-handlers/job-failures.ts'
import { ElasticJobError } from '../errors.ts'
import type { Emit } from '../events.ts'
import { noCatchUp } from '../execution/catch-up.ts'
import { type DueContext, windowOf } from '../execution/due.ts'
import type { Code, ExecutionHost, ExecutionSettings } from '../execution/host.ts'
import type { ClaimedRun } from '../execution/run.ts'
import type { Rush } from '../execution/rush.ts'
import { ExecutionService } from '../execution/service.ts'
import type { TakeSettings } from '../failover/service.ts'
import { GuaranteeService } from '../guarantee/service.ts'
import { isMixed } from '../job-tree/job-view.ts'
import { isPaused, noJobWord, resumedOn, type Round } from '../job-tree/job-word.ts'
import type { Member } from '../job-tree/member.ts'
import type { Change, JobReplica } from '../job-tree/replica.ts'
import type { Runner } from '../job-types/job-type.ts'
import type { RegistrySession } from '../registry/registry-session.ts'
import { planRegistration } from '../servers/plan.ts'
import { itemsOf, ownershipOf } from '../sharding/ownership.ts'
import type { RoundRequest } from '../trigger/plan.ts'
import { Carrier } from './carrier.ts'
import { ClockGuard } from './clock-guard.ts'
import { carryOutDeparture, type Farewell, planDeparture } from './departure.ts'
import { type CoordinatorHost, JobCoordinator } from './job-coordinator.ts'
import { type JobDeclaration, removedError, setUpJob } from './job-setup.ts'
import { LiveConfiguration } from './live-configuration.ts'
import type { ProcessServices } from './process-services.ts'
import { type BodyHost, ClaimedCode } from './run-body.ts'
import type { SessionSlot } from './session-slot.ts'
import type { JobStanding } from './standing.ts'
import type { Sleeper } from './timer-queue.ts'
import { within } from './within.ts'

export class JobScheduler implements ExecutionHost, CoordinatorHost, Sleeper {
  readonly jobName: string
  readonly session: RegistrySession
  readonly emit: Emit
  readonly rush: Rush
  readonly #services: ProcessServices
  readonly #slot: SessionSlot
  readonly #declaration: JobDeclaration
  readonly #live: LiveConfiguration
  readonly #body: BodyHost
  readonly #execution: ExecutionService
  readonly #guarantee: GuaranteeService
  readonly #coordinator: JobCoordinator
  readonly #carrier: Carrier
  readonly #clockGuard: ClockGuard
  #replica: JobReplica | undefined
  #member: Member | undefined
  #phase: 'setting up' | 'joining' | 'registered' | 'stopping' | 'stopped' = 'setting up'
  /** The id under which it last took part. */
  #registeredAs: string | undefined
  #structuralDirty = true
  #structuralWake: number | undefined
  #ownedItems = ''
  #registrations: (() => void)[] = []
  #failRegistration: (error: unknown) => void = () => {}
  #waiting: { resolve: () => void; reject: (error: unknown) => void }[] = []
  #stopped: Promise<void> | undefined
  /** Resolves when this instance has no part in the job any more, whoever wanted it so. */
  readonly ended: Promise<void>
  #end: () => void = () => {}

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
    this.rush = services.rush
    const { session } = slot
    this.#live = new LiveConfiguration(services, session, declaration.configuration, runnerOf)
    this.#guarantee = new GuaranteeService(this, () => this.#live.value)
    this.#body = {
      clock: slot.session.clock,
      random: services.random,
      loggerOf: (runs) => services.loggerOf(runs),
      interceptors: services.interceptors,
      slots: this.#live.slots,
      emit: services.emit,
      failures: this.#failures(onError),
      configuration: () => this.#live.value,
      limits: () => this.#live.limits,
      listeners: () => this.#live.listeners,
      guarantee: this.#guarantee,
      isYielding: (item) => this.#phase !== 'registered' || this.#execution.isYielding(item),
      isPaused: () => isPaused(this.replica.word?.value ?? noJobWord, services.ip),
    }
    this.#execution = new ExecutionService(this)
    this.#coordinator = new JobCoordinator(this, services, this.#live)
    this.#carrier = new Carrier(this)
    this.#clockGuard = new ClockGuard(session, (difference, limit) =>
      this.emit('clock:refused', { jobName: this.jobName, difference, limit }),
    )
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  get replica(): JobReplica {
    if (this.#replica === undefined) throw this.#stoppedError()
    return this.#replica
  }

  get configuration(): JobConfiguration {
    return this.#live.value
  }

  /** The items that this instance owns. */
  get items(): readonly number[] {
    return this.#execution.items
  }

  /** Whether it takes no part any more although its code may still run. */
  get isStopping(): boolean {
    return this.#stopped !== undefined
  }

  get isLeader(): boolean {
    return this.#replica !== undefined && this.#coordinator.isLeader
  }

  /** How it stands; undefined while it is not known here. */
  get standing(): JobStanding | undefined {
    if (this.#replica === undefined || this.#phase !== 'registered') return undefined
    return {
      jobName: this.jobName,
      isLeader: this.#coordinator.isLeader,
      hasLeader: this.#replica.leader !== undefined,
      items: this.#execution.ownedCount,
      due: this.#execution.dueCount,
    }
  }

  /** When it fires next, in milliseconds; undefined for never. */
  get nextFire(): number | undefined {
    return this.#live.schedule.next(this.session.now())
  }

  /** Joins the job, making it if it does not exist; resolves when this instance takes part. */
  async start(): Promise<void> {
    this.#replica = await this.#slot.hub.add(this.jobName)
    await setUpJob(this, this.#declaration, this.#services.maxRetries)
    this.#phase = 'joining'
    this.changed()
    await this.#untilRegistered()
    const { cron, shardingTotalCount } = this.#live.value
    this.emit('job:scheduled', { jobName: this.jobName, cron, shardingTotalCount })
  }

  trigger(request: RoundRequest): Promise<Round> {
    return this.#coordinator.ask(request)
  }

  rerunFailed(parameter?: string): Promise<Round> {
    return this.#coordinator.askForFailed(parameter)
  }

  /** Something about the job is different. */
  touched(change: Change): void {
    // Others run the job while its watch is set here: what they do is read once it stands.
    if (this.#replica === undefined) return
    this.#guarantee.touched(change)
    if (change?.kind === 'owner') this.#execution.ownerTouched(change.item)
    // Java's leader makes surplus items again without a look at our words: what crashed before they went waits there.
    if (change?.kind === 'item' && isMixed(this.#replica)) this.#coordinator.lookAgain()
    if (change?.kind === 'mark') {
      const nodes = this.#replica.items.get(change.item)
      if (change.mark === 'disabled' && nodes?.disabled !== true) {
        this.#execution.enabled(change.item, this.session.now())
      }
      if (change.mark === 'running') this.#execution.runTouched(change.item)
      if (change.mark === 'running' && nodes?.running === true) {
        this.#coordinator.marked(change.item, this.session.now())
      }
      if (change.mark === 'running' && !this.#coordinator.concernsAll(change.item)) {
        // From a run of somebody else's item nothing follows here.
        if (this.#execution.concerns(change.item)) this.look()
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
    this.#services.pump.add(this)
  }

  wake(time: number): void {
    this.#execution.fired(time)
    if (this.#structuralWake !== undefined && this.#structuralWake <= this.session.now()) {
      this.#structuralDirty = true
    }
    this.#lookAt(time)
  }

  member(): Member {
    if (this.#member?.instance !== this.session.instance) {
      const { instance, make } = this.session
      const { paths } = this.replica
      this.#member = { instance, ip: this.#services.ip, paths, make }
      this.replica.belongsTo(instance)
    }
    return this.#member
  }

  quiet(): Promise<void> {
    if (this.#isKnown) return Promise.resolve()
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  settings(): ExecutionSettings {
    return this.#live.value
  }

  nextFireTime(now: number): number | undefined {
    return this.#live.schedule.next(now)
  }

  ready(time: number): void {
    this.#services.timers.ready(time)
  }

  codeOf(runs: readonly ClaimedRun[]): Code {
    return new ClaimedCode(this.#body, this.#live.runner, runs)
  }

  async take(items: readonly number[], settings: TakeSettings): Promise<void> {
    try {
      await this.#execution.take(items, settings)
    } catch (error) {
      this.emit('error:unhandled', { jobName: this.jobName, error })
    }
  }

  get isTaking(): boolean {
    return this.#execution.isTaking
  }

  nextTurn(): readonly TransactionPart[] {
    return this.#coordinator.nextTurn()
  }

  givesAway(item: number): boolean {
    return this.#coordinator.givesAway(item)
  }

  newRunId(): string {
    return this.#services.newRunId()
  }

  dueContext(now: number): DueContext {
    const { value: word } = this.replica.word ?? { value: noJobWord }
    const { ip } = this.#services
    const since = Math.max(this.#coordinator.scheduledSince, resumedOn(word, ip))
    const latest = this.#live.schedule.latest(now)
    const oldest = Math.max(now - windowOf(this.session.client.sessionTimeout), since)
    const { monitorExecution, misfire, maxTimeDiffSeconds } = this.#live.value
    const isHeld =
      this.#phase !== 'registered' || this.#clockGuard.refuses(latest, maxTimeDiffSeconds)
    return {
      now,
      fires: isHeld ? undefined : this.#live.schedule.fires,
      latest: latest !== undefined && latest > oldest ? latest : undefined,
      oldest,
      misfire,
      // What is not written down cannot be made up for.
      catchUp: monitorExecution ? this.#live.limits.catchUp : noCatchUp,
      paused: isPaused(word, ip),
      since,
      round: isHeld ? undefined : monitorExecution ? word.running : (word.running ?? word.previous),
    }
  }

  cycle(): void {
    this.#lookAt(this.session.now())
  }

  /** One look at everything, as it is at that time, which may be a moment ahead: what is due then is made ready. */
  #lookAt(now: number): void {
    if (!this.#isKnown) return
    for (const { resolve } of this.#waiting.splice(0)) resolve()
    if (this.#phase === 'joining') {
      this.#register()
      this.#services.timers.set(this, this.#carrier.freeFrom(now))
    }
    if (this.#phase === 'stopping') this.#execution.settleCutOff()
    if (this.#phase !== 'registered') return
    if (this.#isSentAway) {
      void this.stop(this.#services.stopLimit)
      return
    }
    // After a long silence nothing that is written now would prove the session for long enough.
    const { settlesIn } = this.session.client.lease
    if (settlesIn > 0) {
      this.#services.timers.set(this, now + settlesIn)
      return
    }
    this.#applyConfiguration()
    const stops = this.replica.word?.value.stops
    if (stops !== undefined) this.#execution.stop(stops)
    if (this.#structuralDirty) {
      this.#takeOwnership()
      const present = this.session.now()
      if (this.#carrier.isFree(present)) this.#coordinate(present)
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
    this.#execution.orphanAll(
      new ElasticJobError('JOB_STOPPED', 'the session that claimed this run is gone'),
    )
    if (this.#phase === 'registered') this.#phase = 'joining'
    this.#coordinator.lookAgain()
    this.#ownedItems = ''
    this.changed()
  }

  /** Nothing proves the session: what runs has to stop before others may run it. */
  leaseEnded(): number {
    const { runningCount } = this.#execution
    this.#execution.abortAll(
      new ElasticJobError('JOB_STOPPED', 'the session is not proven to live any more'),
    )
    return runningCount
  }

  /** Takes no further part; what runs gets `limit` milliseconds to end. */
  stop(limit: number): Promise<void> {
    this.#stopped ??= this.#stop(limit)
    return this.#stopped
  }

  async #stop(limit: number): Promise<void> {
    // One that was about to register may find its node made by the time it is asked to stop.
    const mayStand = this.#phase === 'registered' || this.#phase === 'joining'
    this.#phase = 'stopping'
    this.#services.timers.set(this, undefined)
    for (const { reject } of this.#waiting.splice(0)) reject(this.#stoppedError())
    await this.#carrier.settled()
    const mixed = this.#replica !== undefined && isMixed(this.#replica)
    if (mayStand) await this.#giveUp(mixed ? 'leadership' : 'everything')
    this.#execution.abortAll(new ElasticJobError('JOB_STOPPED', `job ${this.jobName} is stopping`))
    const idle = Promise.all([this.#execution.idle(), this.#guarantee.idle()])
    await within(this.session.clock, limit, idle)
    if (mayStand && mixed) await this.#giveUp('everything')
    await this.#guarantee.stop()
    await this.#live.runner.stop?.()
    const left = this.#leave()
    if (this.#execution.runningCount === 0) await left
    this.emit('job:stopped', { jobName: this.jobName, instance: this.session.instance })
  }

  /**
   * Code that outlasts the limit keeps its item from running anywhere, as long as this session lives: its end
   * has to be written whenever it comes, and for that the job has to be known here.
   */
  async #leave(): Promise<void> {
    await this.#execution.idle()
    this.#phase = 'stopped'
    await this.#slot.release(this.jobName)
    this.#end()
  }

  /** First of all, so that what is idle here moves at once and misses nothing. */
  async #giveUp(what: Farewell): Promise<void> {
    if (!this.session.isReady) return
    await carryOutDeparture(this.session, planDeparture(this.replica, this.member(), what))
  }

  get #isKnown(): boolean {
    return this.#replica?.isQuiet === true && this.session.isReady && this.#slot.hub.knowsAlive
  }

  #untilRegistered(): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (this.#phase === 'registered') resolve()
        else if (this.#phase === 'stopping' || this.#phase === 'stopped')
          reject(this.#stoppedError())
        else this.#registrations.push(look)
      }
      this.#failRegistration = reject
      look()
    })
  }

  #register(): void {
    if (!this.#carrier.isFree(this.session.now())) return
    const { replica } = this
    // The job may have been removed while there was no connection, or before we could register: who
    // comes too late must not make it again.
    const isGone = replica.config === undefined
    if (this.#isSentAway || isGone) {
      this.#failRegistration(removedError(this.jobName))
      if (this.#registeredAs !== undefined) void this.stop(this.#services.stopLimit)
      return
    }
    this.#applyConfiguration()
    const member = this.member()
    const { disabled } = this.#live.value
    // Once: what an operator says later holds, also when this process comes back after a lost session.
    const overwrite = this.#declaration.configuration.overwrite && this.#registeredAs === undefined
    const operations = planRegistration(replica, member, {
      instanceText: this.instanceText(),
      disabled,
      overwrite,
      word: {
        ...noJobWord,
        schedule: { digest: this.#live.schedule.digest, since: this.session.now() },
      },
    })
    this.#carrier.carryOut(
      this.session.commit(operations).then(() => {
        if (this.#phase !== 'joining') return
        this.#phase = 'registered'
        this.#registeredAs = member.instance
        this.emit('job:registered', { jobName: this.jobName, instance: member.instance })
        for (const look of this.#registrations.splice(0)) look()
      }),
    )
  }

  /** Whether an operator wants this instance out of the job, or nobody in it. */
  get #isSentAway(): boolean {
    const word = this.replica.word?.value
    if (word?.removing === true) return true
    const isAsked = (instance: string): boolean => instance === this.#registeredAs
    return word?.shutdown?.some(isAsked) === true
  }

  /**
   * Our node is gone: an operator has shut this instance down, or our session has ended and we hear of
   * its nodes first. Only a write that is answered now tells one from the other; a job must never stop
   * because a session died.
   */
  async #stopIfMeant(): Promise<void> {
    if (await this.session.isProven()) void this.stop(this.#services.stopLimit)
  }

  #coordinate(now: number): void {
    this.#structuralDirty = false
    if (!this.replica.instances.has(this.session.instance)) {
      this.#carrier.carryOut(this.#stopIfMeant())
      return
    }
    const step = this.#coordinator.step(now)
    this.#structuralWake = step instanceof Promise ? undefined : step
    if (step instanceof Promise) this.#carrier.carryOut(step)
  }

  #failures(onError: OnError | undefined): JobFailures {
    const { jobName, session, emit } = this
    const { errorHandlers, logger } = this.#services
    const live = this.#live
    const context = (): ErrorContext => ({
      get props() {
        return live.value.props
      },
      clock: session.clock,
      logger,
      report: (error) => emit('error:unhandled', { jobName, error }),
    })
    return new JobFailures(errorHandlers, context, () => live.value.jobErrorHandlerType, onError)
  }

  /** What the registry says of the job takes effect, unless it cannot be used. */
  #applyConfiguration(): void {
    const refused = this.#live.follow(this.replica)
    if (refused !== undefined) this.#failRegistration(refused.error)
  }

  #takeOwnership(): void {
    const { replica } = this
    const member = this.member()
    const dealing = this.#coordinator.dealing()
    const mine = itemsOf(replica, member, dealing)
    const key = [...mine].join()
    if (key === this.#ownedItems) return
    this.#ownedItems = key
    const now = this.session.now()
    this.#execution.own(mine, (item) => ownershipOf(replica, item, member, dealing, now))
    this.emit('items:owned', { jobName: this.jobName, items: [...mine].toSorted((a, b) => a - b) })
  }

  #sleep(now: number): void {
    const fire = this.#live.schedule.next(now)
    // While something is under way its end is what wakes us: a time that has passed would do so at once,
    // again and again.
    const isFree = this.#carrier.isFree(now)
    const structural = isFree ? this.#structuralWake : this.#carrier.freeFrom(now)
    const wake = Math.min(fire ?? Infinity, structural ?? Infinity)
    const punctuality = wake === fire ? 'just before' : 'about then'
    const at = wake === Infinity ? undefined : wake
    this.#services.timers.set(this, at, punctuality, Math.max(this.#execution.laneCount, 1))
  }

  instanceText(): string {
    const { label } = this.#live.value
    return writeInstance({
      jobInstanceId: this.session.instance,
      labels: label,
      serverIp: this.#services.ip,
    })
  }

  #stoppedError(): ElasticJobError {
    return new ElasticJobError('JOB_STOPPED', `job ${this.jobName} has been stopped here`)
  }
}
