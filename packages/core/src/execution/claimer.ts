/** Finds the due runs of the shards that this instance owns, and claims them. `Executor` starts committed claims. */
import { type CountedShard, passedByClaim } from '../fire-times/account.ts'
import { type Due, type DueContext, dueOf, isAheadOfClock, manualRunOf } from '../fire-times/due.ts'
import type { DisabledPeriod } from '../job-tree/disabled-periods.ts'
import { isMixed } from '../job-tree/job-view.ts'
import { type ShardState, neverRun } from '../job-tree/shard-state.ts'
import type { Committed, CommitUnit } from '../registry/committer.ts'
import {
  ignoreRegistryError,
  isOutcomeUnknown,
  isRegistryError,
} from '../registry/registry-error.ts'
import { messageOf } from '../thrown.ts'
import { ClockCorrections } from './clock-corrections.ts'
import type { Ahead, Executor } from './executor.ts'
import type { ExecutionHost } from './host.ts'
import { obstacleTo, planClaim } from './plan.ts'
import { Run, type RunPlan } from './run.ts'
import type { ShardSlot } from './shard-slot.ts'
import type { ShardTable } from './shard-table.ts'

/** After this many failed claims in a row, `Claimer` stops trying until the next fire time resets the count. */
const mostFailures = 5

/** The transaction parts that claim a run. The last part sets the shard state. */
export interface Claim extends CommitUnit {
  readonly run: Run
}

type DueSlots = ReadonlyMap<ShardSlot, Due>

export class Claimer {
  readonly #host: ExecutionHost
  readonly #slots: ShardTable
  readonly #executor: Executor
  readonly #corrections: ClockCorrections

  constructor(host: ExecutionHost, slots: ShardTable, executor: Executor) {
    this.#host = host
    this.#slots = slots
    this.#executor = executor
    this.#corrections = new ClockCorrections(host)
  }

  /**
   * How many owned shards are due and have not started, including shards that an obstacle blocks. For status only;
   * claims do not use it.
   */
  get dueCount(): number {
    const { replica } = this.#host
    const context = this.#host.dueContext(this.#host.session.now())
    const { instance } = this.#host.member()
    let count = 0
    for (const slot of this.#slots) {
      const { shard, state, shardState } = slot
      if (!slot.isOwned || state === 'running' || state === 'ending') continue
      if (shardState === undefined && !slot.isBusy && state !== 'idle') continue
      if (replica.shards.get(shard)?.disabled === true) continue
      const due = dueOf(shardState ?? neverRun, shard, instance, this.#sinceOf(slot), context)
      if (due !== undefined) count += 1
    }
    return count
  }

  claimDue(now: number): void {
    const { session, replica } = this.#host
    if (!session.isReady || !replica.isSynced) return
    const mixed = isMixed(replica)
    this.#correct(mixed)
    const context = this.#host.dueContext(now)
    const { latest, round: manualRun, misfire, catchUp } = context
    const isOwed = misfire || catchUp.policy !== 'skip'
    if (latest === undefined && manualRun === undefined && !isOwed) return
    const dueSlots = new Map<ShardSlot, Due>()
    for (const slot of this.#slots) {
      const due = this.#dueIn(slot, context, mixed)
      if (due !== undefined) dueSlots.set(slot, due)
    }
    if (dueSlots.size === 0) return
    if (this.#host.settings().monitorExecution) void this.#claimAll(dueSlots, context, mixed)
    else void this.#runUnclaimed(dueSlots, now, mixed)
  }

  /**
   * Corrects shard states that lie in the future. Claims may be planned ahead of their fire time, so this check uses
   * the current registry time and not the time of the plan.
   */
  #correct(mixed: boolean): void {
    const now = this.#host.session.now()
    for (const slot of this.#slots) {
      const { shardState } = slot
      if (shardState === undefined || !isAheadOfClock(shardState, now) || !this.#isFree(slot))
        continue
      if (!this.#isBlocked(slot, mixed)) this.#corrections.correct(slot, shardState)
    }
  }

  #isFree(slot: ShardSlot): boolean {
    if (slot.state !== 'idle' || !slot.isOwned || this.#slots.isOrphaned(slot.shard)) return false
    return slot.failures < mostFailures && !this.#host.givesAway(slot.shard)
  }

  #isBlocked(slot: ShardSlot, mixed: boolean): boolean {
    const { failover } = this.#host.settings()
    return obstacleTo(this.#host.replica, slot.loaded, { mixed, failover }) !== undefined
  }

  #dueIn(slot: ShardSlot, context: DueContext, mixed: boolean): Due | undefined {
    if (!this.#isFree(slot)) return undefined
    const shardState = slot.shardState ?? neverRun
    const { monitorExecution } = this.#host.settings()
    const since = this.#sinceOf(slot)
    // Without monitorExecution no shard state records a manual run: the former owner ran it. Such a manual run must not
    // hide the scheduled fire time.
    const isOver = !monitorExecution && (context.round?.asked ?? Infinity) <= since
    const open = isOver ? { ...context, round: undefined } : context
    const due = dueOf(shardState, slot.shard, this.#host.member().instance, since, open)
    return due === undefined || this.#isBlocked(slot, mixed) ? undefined : due
  }

  /** Fire times up to this time are not due. */
  #sinceOf(slot: ShardSlot): number {
    // Without monitorExecution no other instance records runs. Fire times count from the moment this instance got the
    // shard.
    const ownedSince = this.#host.settings().monitorExecution ? 0 : slot.ownedSince
    const enabledAt = this.#disabledPeriods(slot).at(-1)?.until ?? 0
    return Math.max(slot.loaded.created, enabledAt, slot.ownership.since, ownedSince)
  }

  #disabledPeriods({ loaded }: ShardSlot): readonly DisabledPeriod[] {
    const { shard, shardState, created } = loaded
    return this.#host.replica.disabledPeriods.of(
      shard,
      this.#host.session.now(),
      shardState?.since,
      created,
    )
  }

  async #claimAll(dueSlots: DueSlots, context: DueContext, mixed: boolean): Promise<void> {
    const { now: time } = context
    const nextFireTime = this.#host.nextFireTime(time)
    const planned = [...dueSlots].map(([slot, due]) => this.#plan(slot, due, context, nextFireTime))
    const ahead = this.#executor.ahead(time, mixed)
    // Java instances read running marks as runs. In mixed mode no mark may exist before its fire time.
    if (ahead === undefined || !mixed) await this.claim(planned, mixed, ahead)
    else await this.claim(await this.#claimable(planned, ahead), mixed)
  }

  /** Waits for the fire time, then returns the claims that a plan made now would still contain. */
  async #claimable(planned: readonly Claim[], ahead: Ahead): Promise<readonly Claim[]> {
    const runs = planned.map(({ run }) => run)
    const wanted = await this.#executor.reach(ahead, runs)
    return planned.filter(({ run }) => {
      if (!run.hasSlot) return false
      if (wanted.has(run)) return true
      this.refused(run, 'something has changed after it was planned')
      return false
    })
  }

  #plan(slot: ShardSlot, due: Due, context: DueContext, nextFireTime: number | undefined): Claim {
    const runId = this.#host.newRunId()
    const before = slot.shardState ?? neverRun
    const history = this.#host.fireHistory()
    const passed = passedByClaim(this.#counted(slot, before), due, { ...context, history })
    const gone = [...(before.report ?? []), ...passed]
    const { failover } = this.#host.settings()
    const settings = { failover, now: context.now, runId, nextFireTime, gone }
    const plan = planClaim(this.#host.replica, this.#host.member(), slot.loaded, due, settings)
    const run = this.prepare(slot, { runId, due, before, shardState: plan.shardState, gone })
    // A shard that moved since the plan is stale. One reshard may move hundreds of shards.
    return { run, parts: plan.operations, isVain: () => slot.isStale }
  }

  #counted(slot: ShardSlot, shardState: ShardState): CountedShard {
    const { shard, created } = slot.loaded
    // Java's runs have no shard state, and a disabled shard was not meant to run.
    const left = [{ after: 0, until: slot.ownership.since }, ...this.#disabledPeriods(slot)]
    return { shard, shardState, server: this.#host.member().ip, created, left }
  }

  /** Creates a run, whose claim then occupies the slot. */
  prepare(slot: ShardSlot, plan: RunPlan): Run {
    const run = new Run(this.#host.jobName, slot, plan, this.#executor)
    slot.claim(run)
    return run
  }

  /** Commits the claims together and starts the runs whose claims the registry has committed. */
  async claim(claims: readonly Claim[], mixed: boolean, ahead?: Ahead): Promise<void> {
    const { session, startPriority } = this.#host
    if (claims.length === 0) return
    startPriority.enter()
    try {
      const runs = this.#claimed(claims, await session.commitEach(claims))
      if (runs.length > 0) await this.#executor.start(runs, mixed, ahead)
    } finally {
      startPriority.leave()
    }
  }

  #claimed(claims: readonly Claim[], committed: readonly Committed[]): Run[] {
    const runs: Run[] = []
    for (const [index, { run }] of claims.entries()) {
      const { results, error } = committed[index] as Committed
      const stat = results?.at(-1)?.stat
      if (stat === undefined) this.#claimFailed(run, error)
      else {
        run.claimedAs(stat)
        run.confirmedAt = this.#host.session.suspensions
        runs.push(run)
      }
    }
    return runs
  }

  #claimFailed(run: Run, error: unknown): void {
    const { jobName, emit } = this.#host
    if (!run.hasSlot) return
    if (isOutcomeUnknown(error)) {
      // The claim may be committed. The shard state decides once it has been read again: it then contains the run id.
      run.slot.cutOff()
      return
    }
    if (!isRegistryError(error)) emit('error:unhandled', { jobName, error })
    if (isRegistryError(error, 'REGISTRY_NO_NODE')) this.#host.nodeMissing()
    if (isRegistryError(error, 'REGISTRY_BAD_VERSION')) void this.#askTime()
    this.refused(run, messageOf(error))
  }

  /**
   * The registry refuses a claim that is too late by the registry's clock, because the leader has closed the fire time.
   * Refused writes do not show that clock. Without another write, an instance that only claims would stay late forever.
   */
  async #askTime(): Promise<void> {
    await this.#host.session.prove().catch(ignoreRegistryError)
  }

  refused(run: Run, reason: string): void {
    const { jobName, emit } = this.#host
    const { slot, shard } = run
    slot.refuse()
    this.#slots.released(slot)
    emit('claim:refused', { jobName, shardingItem: shard, reason })
    this.#slots.freed([shard])
  }

  /** Without monitorExecution there is no claim. One write, shared by all runs, proves the session. */
  async #runUnclaimed(dueSlots: DueSlots, now: number, mixed: boolean): Promise<void> {
    const { session } = this.#host
    const { instance } = session
    const runs = [...dueSlots].map(([slot, due]) => {
      const runId = this.#host.newRunId()
      const before = slot.shardState ?? neverRun
      const shardState = unwrittenState(before, due, { run: runId, instance, begin: now })
      return this.prepare(slot, { runId, due, before, shardState, gone: [] })
    })
    const ahead = this.#executor.ahead(now, mixed)
    try {
      await session.prove()
    } catch (error) {
      for (const { hasSlot, slot } of runs) {
        if (!hasSlot) continue
        slot.release()
        this.#slots.released(slot)
      }
      if (!isRegistryError(error)) throw error
      return
    }
    if (ahead === undefined) this.#executor.begin(runs)
    else await this.#executor.start(runs, false, ahead)
  }
}

/** The in-memory shard state of a run that the registry does not record. */
function unwrittenState(
  before: ShardState,
  due: Due,
  run: Pick<ShardState, 'run' | 'instance' | 'begin'>,
): ShardState {
  const fireTime = due.source === 'trigger' ? before.fireTime : due.fireTime
  const manualRun = manualRunOf(due)?.id ?? before.round
  return { ...neverRun, ...run, state: 'running', fireTime, round: manualRun, attempt: 1 }
}
