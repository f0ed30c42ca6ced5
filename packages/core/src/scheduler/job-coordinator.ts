/** What the instances of a job agree on: who leads, who owns what, what has crashed, what is asked for. */
import { isDeputy } from '../election/deputy.ts'
import { leads } from '../election/plan.ts'
import { ElectionService, type ElectionSettings } from '../election/service.ts'
import { noCatchUp } from '../fire-times/catch-up.ts'
import { type DueContext, windowOf } from '../fire-times/due.ts'
import type { FireHistory } from '../fire-times/fire-history.ts'
import type { ExecutionHost } from '../execution/host.ts'
import type { ExecutionService } from '../execution/service.ts'
import { planStopsOver } from '../trigger/stop-plan.ts'
import { FailoverService, type FailoverSettings } from '../failover/service.ts'
import { Takeover } from '../failover/takeover.ts'
import type { Step } from '../job-tree/coordination.ts'
import { isMixed } from '../job-tree/job-view.ts'
import { isPaused, noJobState, resumedOn, type ManualRun } from '../job-tree/job-state.ts'
import { clockTolerance, type CloseContext } from '../misfire/close-plan.ts'
import { MissedFireMonitor, type MissedFireSettings } from '../misfire/service.ts'
import { ServerCleaning } from '../reconcile/servers-service.ts'
import { ReconcileService, type ReconcileSettings } from '../reconcile/service.ts'
import { StructureService } from '../reconcile/structure-service.ts'
import { UnprovenCleaning } from '../reconcile/unproven-service.ts'
import type { TransactionPart } from '../registry/transaction.ts'
import { planEnabledByOthers, planSchedule } from '../servers/plan.ts'
import { FormerOwners } from '../sharding/former-owners.ts'
import { MixedService } from '../sharding/mixed-service.ts'
import type { OverlookedSettings } from '../sharding/overlooked-plan.ts'
import { ShardingService } from '../sharding/service.ts'
import { averageAllocation } from '../sharding/strategies/average-allocation.ts'
import type { ManualRunRequest } from '../trigger/plan.ts'
import { type ManualRunSettings, TriggerService } from '../trigger/service.ts'
import type { LiveConfiguration } from './live-configuration.ts'
import type { ProcessServices } from './process-services.ts'

export interface CoordinatorHost extends ExecutionHost {
  /** What the node of our instance says. */
  instanceText(): string
  readonly execution: ExecutionService
}

/** So long a resharding waits for runs that are being taken over, at most, and looks for them at this pace. */
const longestTake = 500
const takeCheck = 20

export class JobCoordinator {
  readonly #host: CoordinatorHost
  readonly #services: ProcessServices
  readonly #live: LiveConfiguration
  readonly #election: ElectionService
  readonly #sharding: ShardingService
  readonly #mixed: MixedService
  readonly #triggers: TriggerService
  readonly #takeover: Takeover
  readonly #failover: FailoverService
  readonly #reconcile: ReconcileService
  readonly #cleaning: ServerCleaning
  readonly #structure: StructureService
  readonly #unproven: UnprovenCleaning
  readonly #missedFires: MissedFireMonitor
  readonly formerOwners: FormerOwners = new FormerOwners()
  /** Since when crashed runs wait to be taken over, or are about to be. */
  #takingSince: number | undefined

  constructor(host: CoordinatorHost, services: ProcessServices, live: LiveConfiguration) {
    this.#host = host
    this.#services = services
    this.#live = live
    this.#election = new ElectionService(host)
    this.#sharding = new ShardingService(host)
    this.#mixed = new MixedService(host)
    this.#triggers = new TriggerService(host, () => host.instanceText())
    this.#takeover = new Takeover(host, host.execution.slots, host.execution.claimer)
    this.#failover = new FailoverService(host, this.#takeover)
    this.#reconcile = new ReconcileService(host)
    this.#cleaning = new ServerCleaning(host)
    this.#structure = new StructureService(host)
    this.#unproven = new UnprovenCleaning(host)
    this.#missedFires = new MissedFireMonitor(host)
  }

  get isLeader(): boolean {
    const { replica, session } = this.#host
    return leads(replica, session.instance)
  }

  ask(request: ManualRunRequest): Promise<ManualRun> {
    return this.#triggers.ask(request)
  }

  askForFailed(parameter?: string): Promise<ManualRun> {
    return this.#triggers.askForFailed(this.#manualRunSettings(false), parameter)
  }

  /** A run has begun somewhere. */
  marked(shard: number, now: number): void {
    this.#missedFires.marked(shard, now)
  }

  /** Sees who owns what, before anything is decided from it. */
  followOwners(now: number): void {
    for (const lost of this.formerOwners.follow(this.#host.replica, now))
      this.#missedFires.lost(lost)
  }

  /** A shard may not run any more. */
  disabled(shard: number, now: number): void {
    this.#missedFires.disabled(shard, now)
  }

  /** What was known of the others may be old. */
  lookAgain(): void {
    this.#failover.lookAgain()
    this.formerOwners.clear()
  }

  /** A transaction has met a node that is not there. */
  nodeMissing(): void {
    this.#structure.nodeMissing()
  }

  givesAway(shard: number): boolean {
    return this.#sharding.givesAway(shard)
  }

  nextTurn(): readonly TransactionPart[] {
    return this.#mixed.nextTurn(this.resharding())
  }

  /** Whether a run's beginning or end matters to more than its own shard. */
  concernsAll(shard: number): boolean {
    const { replica } = this.#host
    const jobState = replica.jobState?.value
    if (jobState?.running !== undefined || jobState?.stops !== undefined) return true
    const mixed = isMixed(replica)
    // A Java leader waits for its end, and so does who has to replace it.
    if (mixed && (replica.necessary !== undefined || this.isLeader)) return true
    // What waits to be taken over waits until Java has ended what it runs.
    if (mixed && replica.failoverShards.has(shard)) return true
    const isSurplus = shard >= this.#live.value.shardingTotalCount
    return this.isLeader && (isSurplus || replica.assignment?.value.moving.has(shard) === true)
  }

  /** The first thing that has to be done, or when to look again. */
  step(now: number): Step {
    const { replica, session } = this.#host
    const speaks = isDeputy(replica, session.instance)
    const steps: (() => Step)[] = [
      () => replica.settleAbsences(now),
      () => this.#repairStructure(now),
      () => (speaks ? this.#stampSchedule() : undefined),
      () => (speaks ? this.#commit(planEnabledByOthers(replica, replica.paths, now)) : undefined),
      () => (speaks ? this.#commit(planStopsOver(replica, this.#host.member())) : undefined),
      () => this.#triggers.step(now, this.#manualRunSettings(speaks)),
      () => this.#election.step(now, this.#electionSettings()),
      () => this.#failover.step(now, this.#failoverSettings(speaks)),
      () => (this.isLeader ? this.#reshardAfterTakes(now) : undefined),
      () => this.#mixed.step(now, this.resharding()),
      () => this.#reconcile.step(now, this.#reconcileSettings()),
      () => this.#cleaning.step(now, this.isLeader),
      () => this.#unproven.step(now, this.isLeader),
      () => this.#failover.makeReady(this.#failoverSettings(speaks)),
      () => this.#missedFires.step(now, this.#missedFireSettings(speaks)),
    ]
    let wake: number | undefined
    for (const step of steps) {
      const result = step()
      if (result instanceof Promise) return result
      if (result !== undefined) wake = Math.min(wake ?? Infinity, result)
    }
    return wake
  }

  /** Nothing is due that was scheduled before the schedule was made. */
  get scheduledSince(): number {
    const { config, jobState } = this.#host.replica
    const since = jobState?.value.schedule?.since ?? 0
    return this.#isScheduleNoted ? since : (config?.mtime ?? 0)
  }

  /** Whether the job's state knows the schedule that holds. */
  get #isScheduleNoted(): boolean {
    const { jobState } = this.#host.replica
    return jobState?.value.schedule?.digest === this.#live.schedule.digest
  }

  /** What is due at a moment on a server; `isHeld`: nothing is, for this instance takes no part now. */
  dueContext(now: number, ip: string, isHeld: boolean): DueContext {
    const { value: jobState } = this.#host.replica.jobState ?? { value: noJobState }
    const since = Math.max(this.scheduledSince, resumedOn(jobState, ip))
    const latest = this.#live.schedule.latest(now)
    const oldest = Math.max(now - this.#window, since)
    const { monitorExecution, misfire } = this.#live.value
    return {
      now,
      fires: isHeld ? undefined : this.#live.schedule.fires,
      latest: latest !== undefined && latest > oldest ? latest : undefined,
      oldest,
      misfire,
      // What is not written down cannot be made up for.
      catchUp: monitorExecution ? this.#live.limits.catchUp : noCatchUp,
      paused: isPaused(jobState, ip),
      since,
      round: isHeld
        ? undefined
        : monitorExecution
          ? jobState.running
          : (jobState.running ?? jobState.previous),
    }
  }

  get fireHistory(): FireHistory {
    const { config, jobState } = this.#host.replica
    const { value } = jobState ?? { value: noJobState }
    return this.#live.historyOf(value, config?.mtime ?? 0, this.#isScheduleNoted)
  }

  resharding(): OverlookedSettings {
    const { shardingTotalCount: total, staticSharding, jobShardingStrategyType } = this.#live.value
    return { total, strategy: jobShardingStrategyType ?? averageAllocation.type, staticSharding }
  }

  #commit(operations: readonly TransactionPart[]): Step {
    if (operations.length === 0) return undefined
    return this.#host.session.commit(operations).then(() => undefined)
  }

  #repairStructure(now: number): Step {
    const { schedule, text: configText, value } = this.#live
    const settings = {
      total: value.shardingTotalCount,
      scheduleDigest: schedule.digest,
      configText,
    }
    return this.#structure.step(now, settings)
  }

  #stampSchedule(): Step {
    const { replica } = this.#host
    return this.#commit(
      planSchedule(replica, replica.paths, this.#live.schedule.digest, this.#live.timing),
    )
  }

  /** What has crashed should run again first: a resharding keeps the registry busy, and nobody waits for it. */
  #reshardAfterTakes(now: number): Step {
    const isWaitedFor = this.#takeover.isTaking || this.#host.replica.failoverShards.size > 0
    this.#takingSince = isWaitedFor ? (this.#takingSince ?? now) : undefined
    // The registry's clock may have been set since.
    const waited = Math.abs(now - (this.#takingSince ?? -Infinity))
    return waited < longestTake ? now + takeCheck : this.#reshard(now)
  }

  #reshard(now: number): Step {
    const { replica, session } = this.#host
    const { shardingTotalCount, jobShardingStrategyType, staticSharding } = this.#live.value
    const { schedule } = this.#live
    const latest = schedule.latest(now)
    const window = windowOf(session.client.sessionTimeout)
    const oldest = Math.max(now - window, this.scheduledSince)
    return this.#sharding.step(
      now,
      {
        total: shardingTotalCount,
        strategy: () => this.#services.strategies.get(jobShardingStrategyType),
        staticSharding,
        nextFire: schedule.next(now),
        lastFire: latest,
        isDue: replica.jobState?.value.running !== undefined || (latest ?? 0) > oldest,
        fires: schedule.fires,
        window,
      },
      (reason) => this.#election.abstain(now, reason),
    )
  }

  #electionSettings(): ElectionSettings {
    const { monitorExecution } = this.#live.value
    const { takesOver } = this.#services
    return { takesOver, monitorExecution, fires: this.#live.schedule.fires }
  }

  #manualRunSettings(speaks: boolean): ManualRunSettings {
    const { shardingTotalCount, monitorExecution, failover } = this.#live.value
    return { total: shardingTotalCount, monitorExecution, failover, leads: speaks }
  }

  #failoverSettings(speaks: boolean): FailoverSettings {
    const { failover, shardingTotalCount } = this.#live.value
    const { attempts: maximumAttempts } = this.#live.limits
    return {
      failover,
      total: shardingTotalCount,
      maximumAttempts,
      leads: this.isLeader,
      speaks,
      fires: this.#live.schedule.fires,
    }
  }

  #reconcileSettings(): ReconcileSettings {
    const { shardingTotalCount, reconcileIntervalMinutes, failover } = this.#live.value
    const interval = Math.max(reconcileIntervalMinutes, 0) * 60_000
    return { leads: this.isLeader, total: shardingTotalCount, failover, interval }
  }

  #missedFireSettings(speaks: boolean): MissedFireSettings {
    const { shardingTotalCount: total, monitorExecution } = this.#live.value
    const { grace } = this.#live.limits
    return {
      watches: speaks && monitorExecution,
      // A job that is paused is late with nothing.
      fires: this.#isPaused ? undefined : this.#live.schedule.fires,
      total,
      since: this.scheduledSince,
      grace,
      window: this.#window,
      account: (now) => this.#account(now),
    }
  }

  #account(now: number): CloseContext {
    const { shardingTotalCount: total, misfire } = this.#live.value
    const { resumed = 0, off = [] } = this.#host.replica.jobState?.value ?? noJobState
    const isOff = off.some((period) => period.to === undefined && period.server === undefined)
    return {
      now,
      oldest: now - this.#window - clockTolerance,
      misfire,
      catchUp: this.#live.limits.catchUp,
      paused: false,
      history: this.fireHistory,
      total,
      // While nothing is to fire nothing is due, and what was before that will not be.
      cut: isOff || this.#isPaused ? now : Math.max(this.scheduledSince, resumed),
    }
  }

  get #isPaused(): boolean {
    return this.#host.replica.jobState?.value.paused === true
  }

  get #window(): number {
    return windowOf(this.#host.session.client.sessionTimeout)
  }
}
