/** Coordinates the instances of a job: leader election, assignment, failover, manual runs. */
import { isDeputy } from '../election/deputy.ts'
import { leads } from '../election/plan.ts'
import { ElectionService, type ElectionSettings } from '../election/service.ts'
import { planStopsOver } from '../trigger/stop-plan.ts'
import { FailoverService, type FailoverSettings } from '../failover/service.ts'
import type { Takeover } from '../failover/takeover.ts'
import type { Step } from '../job-tree/coordination.ts'
import { isMixed } from '../job-tree/job-view.ts'
import type { ManualRun } from '../job-tree/job-state.ts'
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
import type { DueTimes } from './due-times.ts'
import type { JobContext } from './job-context.ts'
import type { LiveConfiguration } from './live-configuration.ts'

/** How long a resharding waits for pending takeovers at most, and how often it checks them, in milliseconds. */
const longestTake = 500
const takeCheck = 20

export class JobCoordinator {
  readonly #context: JobContext
  readonly #live: LiveConfiguration
  readonly #due: DueTimes
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
  /** Since when crashed runs wait for a takeover. */
  #takingSince: number | undefined

  constructor(context: JobContext, due: DueTimes, takeover: Takeover) {
    this.#context = context
    this.#live = context.live
    this.#due = due
    this.#takeover = takeover
    this.#election = new ElectionService(context)
    this.#sharding = new ShardingService(context)
    this.#mixed = new MixedService(context)
    this.#triggers = new TriggerService(context, () => context.instanceText())
    this.#failover = new FailoverService(context, takeover)
    this.#reconcile = new ReconcileService(context)
    this.#cleaning = new ServerCleaning(context)
    this.#structure = new StructureService(context)
    this.#unproven = new UnprovenCleaning(context)
    this.#missedFires = new MissedFireMonitor(context)
  }

  get isLeader(): boolean {
    const { replica, session } = this.#context
    return leads(replica, session.instance)
  }

  ask(request: ManualRunRequest): Promise<ManualRun> {
    return this.#triggers.ask(request)
  }

  askForFailed(parameter?: string): Promise<ManualRun> {
    return this.#triggers.askForFailed(this.#manualRunSettings(false), parameter)
  }

  /** An instance has marked a shard as running. */
  marked(shard: number, now: number): void {
    this.#missedFires.marked(shard, now)
  }

  /** Follows the owners of shards, before any decision that depends on them. */
  followOwners(now: number): void {
    for (const lost of this.formerOwners.follow(this.#context.replica, now))
      this.#missedFires.lost(lost)
  }

  /** A shard was disabled. */
  disabled(shard: number, now: number): void {
    this.#missedFires.disabled(shard, now)
  }

  /** The known state of other instances may be outdated. */
  lookAgain(): void {
    this.#failover.lookAgain()
    this.formerOwners.clear()
  }

  /** A transaction failed because a node is missing. */
  nodeMissing(): void {
    this.#structure.nodeMissing()
  }

  givesAway(shard: number): boolean {
    return this.#sharding.givesAway(shard)
  }

  nextTurn(): readonly TransactionPart[] {
    return this.#mixed.nextTurn(this.resharding())
  }

  /** Whether the start or end of a run affects more than its own shard. */
  concernsAll(shard: number): boolean {
    const { replica } = this.#context
    const jobState = replica.jobState?.value
    if (jobState?.running !== undefined || jobState?.stops !== undefined) return true
    const mixed = isMixed(replica)
    // A Java leader waits for the end of the run, and so does the instance that has to replace it.
    if (mixed && (replica.necessary !== undefined || this.isLeader)) return true
    // A shard that waits for failover waits until Java has ended its run.
    if (mixed && replica.failoverShards.has(shard)) return true
    const isSurplus = shard >= this.#live.value.shardingTotalCount
    return this.isLeader && (isSurplus || replica.assignment?.value.moving.has(shard) === true)
  }

  /** Starts the first pending action, or returns when to check again. */
  step(now: number): Step {
    const { replica, session } = this.#context
    const speaks = isDeputy(replica, session.instance)
    const steps: (() => Step)[] = [
      () => replica.settleAbsences(now),
      () => this.#repairStructure(now),
      () => (speaks ? this.#stampSchedule() : undefined),
      () => (speaks ? this.#commit(planEnabledByOthers(replica, replica.paths, now)) : undefined),
      () => (speaks ? this.#commit(planStopsOver(replica, this.#context.member())) : undefined),
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

  resharding(): OverlookedSettings {
    const { shardingTotalCount: total, staticSharding, jobShardingStrategyType } = this.#live.value
    return { total, strategy: jobShardingStrategyType ?? averageAllocation.type, staticSharding }
  }

  #commit(operations: readonly TransactionPart[]): Step {
    if (operations.length === 0) return undefined
    return this.#context.session.commit(operations).then(() => undefined)
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
    const { replica } = this.#context
    const { schedule, timing } = this.#live
    return this.#commit(planSchedule(replica, replica.paths, schedule.digest, timing))
  }

  /** Takeovers of crashed runs come first: a resharding keeps the registry busy, and it is not urgent. */
  #reshardAfterTakes(now: number): Step {
    const isWaitedFor = this.#takeover.isTaking || this.#context.replica.failoverShards.size > 0
    this.#takingSince = isWaitedFor ? (this.#takingSince ?? now) : undefined
    // `Math.abs`: the registry's clock may have been set back since.
    const waited = Math.abs(now - (this.#takingSince ?? -Infinity))
    return waited < longestTake ? now + takeCheck : this.#reshard(now)
  }

  #reshard(now: number): Step {
    const { replica, services } = this.#context
    const { shardingTotalCount, jobShardingStrategyType, staticSharding } = this.#live.value
    const { schedule } = this.#live
    const latest = schedule.latest(now)
    const { window, scheduledSince } = this.#due
    const oldest = Math.max(now - window, scheduledSince)
    return this.#sharding.step(
      now,
      {
        total: shardingTotalCount,
        strategy: () => services.strategies.get(jobShardingStrategyType),
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
    const { takesOver } = this.#context.services
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
      // A paused job has no late fires.
      fires: this.#due.isPaused ? undefined : this.#live.schedule.fires,
      total,
      since: this.#due.scheduledSince,
      grace,
      window: this.#due.window,
      account: (now) => this.#due.closeContext(now),
    }
  }
}
