/** What the instances of a job agree on: who leads, who owns what, what has crashed, what is asked for. */
import type { TransactionPart } from '@elasticjob/zookeeper'

import { speaksForOurs } from '../election/deputy.ts'
import { leads } from '../election/plan.ts'
import { ElectionService, type ElectionSettings } from '../election/service.ts'
import { windowOf } from '../execution/due.ts'
import { planStopsOver } from '../execution/stop-plan.ts'
import { type FailoverSettings, FailoverService, type Take } from '../failover/service.ts'
import type { Coordination, Step } from '../job-tree/coordination.ts'
import { isMixed } from '../job-tree/job-view.ts'
import type { Round } from '../job-tree/job-word.ts'
import { FireWatch, type FireWatchSettings } from '../misfire/service.ts'
import { ServerCleaning } from '../reconcile/servers-service.ts'
import { type ReconcileSettings, ReconcileService } from '../reconcile/service.ts'
import { planSchedule, planServerRepair } from '../servers/plan.ts'
import { MixedService } from '../sharding/mixed-service.ts'
import type { OverlookedSettings } from '../sharding/overlooked-plan.ts'
import { ShardingService } from '../sharding/service.ts'
import { averageAllocation } from '../sharding/strategies/average-allocation.ts'
import type { RoundRequest } from '../trigger/plan.ts'
import { type RoundSettings, TriggerService } from '../trigger/service.ts'
import type { LiveConfiguration } from './live-configuration.ts'
import type { ProcessServices } from './process-services.ts'

export interface CoordinatorHost extends Coordination {
  /** What the node of our instance says. */
  instanceText(): string
  /** Takes crashed runs over. */
  take: Take
  /** Whether it is about to. */
  readonly isTaking: boolean
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
  readonly #failover: FailoverService
  readonly #reconcile: ReconcileService
  readonly #cleaning: ServerCleaning
  readonly #fireWatch: FireWatch
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
    this.#failover = new FailoverService(host, (items, settings) => host.take(items, settings))
    this.#reconcile = new ReconcileService(host)
    this.#cleaning = new ServerCleaning(host)
    this.#fireWatch = new FireWatch(host)
  }

  get isLeader(): boolean {
    const { replica, session } = this.#host
    return leads(replica, session.instance)
  }

  ask(request: RoundRequest): Promise<Round> {
    return this.#triggers.ask(request)
  }

  askForFailed(parameter?: string): Promise<Round> {
    return this.#triggers.askForFailed(this.#roundSettings(false), parameter)
  }

  /** A run has begun somewhere. */
  marked(item: number, now: number): void {
    this.#fireWatch.marked(item, now)
  }

  /** What was known of the others may be old. */
  lookAgain(): void {
    this.#failover.lookAgain()
  }

  givesAway(item: number): boolean {
    return this.#sharding.givesAway(item)
  }

  nextTurn(): readonly TransactionPart[] {
    return this.#mixed.nextTurn(this.dealing())
  }

  /** Whether a run's beginning or end matters to more than its own item. */
  concernsAll(item: number): boolean {
    const { replica } = this.#host
    const word = replica.word?.value
    if (word?.running !== undefined || word?.stops !== undefined) return true
    const mixed = isMixed(replica)
    // A Java leader waits for its end, and so does who has to replace it.
    if (mixed && (replica.necessary !== undefined || this.isLeader)) return true
    // What waits to be taken over waits until Java has ended what it runs.
    if (mixed && replica.failoverItems.has(item)) return true
    const isSurplus = item >= this.#live.value.shardingTotalCount
    return this.isLeader && (isSurplus || replica.epoch?.value.moving.has(item) === true)
  }

  /** The first thing that has to be done, or when to look again. */
  step(now: number): Step {
    const { replica, session } = this.#host
    const speaks = speaksForOurs(replica, session.instance)
    const steps: (() => Step)[] = [
      () => replica.settleAbsences(now),
      () => this.#commit(planServerRepair(replica, this.#host.member())),
      () => (speaks ? this.#stampSchedule() : undefined),
      () => (speaks ? this.#commit(planStopsOver(replica, this.#host.member())) : undefined),
      () => this.#triggers.step(now, this.#roundSettings(speaks)),
      () => this.#election.step(now, this.#electionSettings()),
      () => this.#failover.step(now, this.#failoverSettings(speaks)),
      () => (this.isLeader ? this.#reshardAfterTakes(now) : undefined),
      () => this.#mixed.step(now, this.dealing()),
      () => this.#reconcile.step(now, this.#reconcileSettings()),
      () => this.#cleaning.step(now, this.isLeader),
      () => this.#failover.makeReady(this.#failoverSettings(speaks)),
      () => this.#fireWatch.step(now, this.#fireWatchSettings()),
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
    const { config, word } = this.#host.replica
    const schedule = word?.value.schedule
    return schedule?.digest === this.#live.schedule.digest ? schedule.since : (config?.mtime ?? 0)
  }

  dealing(): OverlookedSettings {
    const { shardingTotalCount: total, staticSharding, jobShardingStrategyType } = this.#live.value
    return { total, strategy: jobShardingStrategyType ?? averageAllocation.type, staticSharding }
  }

  #commit(operations: readonly TransactionPart[]): Step {
    if (operations.length === 0) return undefined
    return this.#host.session.commit(operations).then(() => undefined)
  }

  #stampSchedule(): Step {
    const { replica } = this.#host
    return this.#commit(planSchedule(replica, replica.paths, this.#live.schedule.digest))
  }

  /** What has crashed should run again first: a resharding keeps the registry busy, and nobody waits for it. */
  #reshardAfterTakes(now: number): Step {
    const isWaitedFor = this.#host.isTaking || this.#host.replica.failoverItems.size > 0
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
        isDue: replica.word?.value.running !== undefined || (latest ?? 0) > oldest,
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

  #roundSettings(speaks: boolean): RoundSettings {
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

  #fireWatchSettings(): FireWatchSettings {
    const { shardingTotalCount, monitorExecution } = this.#live.value
    const isPausedEverywhere = this.#host.replica.word?.value.paused === true
    return {
      watches: this.isLeader && monitorExecution && !isPausedEverywhere,
      fires: this.#live.schedule.fires,
      total: shardingTotalCount,
      since: this.scheduledSince,
      grace: this.#live.limits.grace,
    }
  }
}
