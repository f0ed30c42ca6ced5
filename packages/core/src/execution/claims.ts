/** Claims the due runs of the shards that this instance owns. */
import type { DisabledPeriod } from '../job-tree/disabled-periods.ts'
import { type ShardState, neverRun } from '../job-tree/shard-state.ts'
import { isMixed, type JobView } from '../job-tree/job-view.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { type CountedShard, passedByClaim } from '../fire-times/account.ts'
import { isConfirmed } from './confirmation.ts'
import { type Due, type DueContext, dueOf, isAheadOfClock, manualRunOf } from '../fire-times/due.ts'
import { ClockCorrections } from './clock-corrections.ts'
import type { ExecutionHost } from './host.ts'
import type { ShardTable } from './shard-table.ts'
import type { ShardSlot } from './shard-slot.ts'
import { type Obstacle, obstacleTo } from './obstacles.ts'
import { readOffsets } from './offsets.ts'
import { planClaim } from './plan.ts'
import type { Run } from './run.ts'
import type { Claim, Runs } from './runs.ts'
import { readsBehindClaim, stillHolds } from './still-holds.ts'

/** After this many failed claims in a row, `Claims` stops trying until the next fire time resets the count. */
const mostFailures = 5

interface DueSlot {
  readonly slot: ShardSlot
  readonly due: Due
}

/** What a plan for a future fire time is based on. */
interface Ahead extends Pick<JobView, 'jobState' | 'config'> {
  readonly time: number
  readonly mixed: boolean
}

export class Claims {
  readonly #host: ExecutionHost
  readonly #slots: ShardTable
  readonly #runs: Runs
  readonly #corrections: ClockCorrections

  constructor(host: ExecutionHost, slots: ShardTable, runs: Runs) {
    this.#host = host
    this.#slots = slots
    this.#runs = runs
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
      const { shard, state } = slot
      const isKnown = slot.shardState !== undefined || state === 'idle' || state === 'claiming'
      if (!slot.isOwned || !isKnown || state === 'running' || state === 'ending') continue
      if (replica.shards.get(shard)?.disabled === true) continue
      const shardState = slot.shardState ?? neverRun
      if (dueOf(shardState, shard, instance, this.#sinceOf(slot), context) !== undefined) count += 1
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
    const dueSlots: DueSlot[] = []
    for (const slot of this.#slots) {
      const due = this.#dueIn(slot, context, mixed)
      if (due !== undefined) dueSlots.push({ slot, due })
    }
    if (dueSlots.length === 0) return
    if (this.#host.settings().monitorExecution) void this.#claim(dueSlots, context, mixed)
    else void this.#run(dueSlots, now, mixed)
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
      if (this.#obstacleTo(slot, mixed) === undefined) this.#corrections.correct(slot, shardState)
    }
  }

  #isFree(slot: ShardSlot): boolean {
    if (slot.state !== 'idle' || !slot.isOwned || this.#runs.isOrphaned(slot.shard)) return false
    return slot.failures < mostFailures && !this.#host.givesAway(slot.shard)
  }

  #obstacleTo(slot: ShardSlot, mixed: boolean): Obstacle | undefined {
    const { failover } = this.#host.settings()
    return obstacleTo(this.#host.replica, slot, { mixed, failover })
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
    return due === undefined || this.#obstacleTo(slot, mixed) !== undefined ? undefined : due
  }

  /** Fire times up to this time are not due. */
  #sinceOf(slot: ShardSlot): number {
    // Without monitorExecution no other instance records runs. Fire times count from the moment this instance got the
    // shard.
    const ownedSince = this.#host.settings().monitorExecution ? 0 : slot.ownedSince
    const enabledAt = this.#disabledPeriods(slot).at(-1)?.until ?? 0
    return Math.max(slot.created, enabledAt, slot.since, ownedSince)
  }

  async #claim(dueSlots: readonly DueSlot[], context: DueContext, mixed: boolean): Promise<void> {
    const { now: time } = context
    const nextFireTime = this.#host.nextFireTime(time)
    const planned = dueSlots.map(({ slot, due }) => this.#plan(slot, due, context, nextFireTime))
    const ahead = this.#ahead(time, mixed)
    // Java instances read running marks as runs. In mixed mode no mark may exist before its fire time.
    const claims = ahead !== undefined && mixed ? await this.#claimable(planned, ahead) : planned
    if (claims.length === 0) return
    await this.#runs.claim(claims, async (runs) => {
      if (ahead === undefined || mixed) await this.beginIfHeld(runs, mixed)
      else await this.#beginIfWanted(runs, ahead)
    })
  }

  /** The basis of a plan for `time`; undefined if `time` is not in the future. */
  #ahead(time: number, mixed: boolean): Ahead | undefined {
    if (time <= this.#host.session.now()) return undefined
    const { jobState, config } = this.#host.replica
    return { time, jobState, config, mixed }
  }

  /** Waits for the fire time, then returns the claims that a plan made now would still contain. */
  async #claimable(planned: readonly Claim[], ahead: Ahead): Promise<readonly Claim[]> {
    const isWanted = await this.#preciseTimer(ahead)
    return planned.filter(({ run }) => {
      if (!run.hasSlot) return false
      if (isWanted(run)) return true
      this.#runs.refused(run, 'something has changed after it was planned')
      return false
    })
  }

  /**
   * Prepares the code of the runs first, then waits for the fire time, so that only the start itself remains to be done
   * then.
   */
  async #beginIfWanted(runs: readonly Run[], ahead: Ahead): Promise<void> {
    const code = this.#host.codeOf(runs)
    await this.#abortUnlessOffsetsKnown(runs)
    const isWanted = await this.#preciseTimer(ahead)
    for (const run of runs) if (!isWanted(run)) run.abort.abort()
    this.#runs.begin(runs, code)
  }

  /** Resolves at the fire time with the claims that are still wanted: changes since the plan take precedence. */
  async #preciseTimer({ time, jobState, config, mixed }: Ahead): Promise<(run: Run) => boolean> {
    const { session, replica } = this.#host
    this.#host.ready(time)
    await session.reach(time)
    const isSame = replica.isSynced && replica.jobState === jobState && replica.config === config
    const mayBegin = isSame && !this.#host.isStopping
    return (run) => mayBegin && this.#isStillClear(run, mixed)
  }

  #isStillClear({ slot, abort }: Run, mixed: boolean): boolean {
    if (slot.isStale || !slot.isOwned || abort.isAborted) return false
    // In native mode the committed claim excludes every other obstacle.
    if (!mixed) return this.#host.replica.shards.get(slot.shard)?.disabled !== true
    return this.#obstacleTo(slot, mixed) === undefined && !this.#host.givesAway(slot.shard)
  }

  #plan(slot: ShardSlot, due: Due, context: DueContext, nextFireTime: number | undefined): Claim {
    const { now } = context
    const runId = this.#host.newRunId()
    const before = slot.shardState ?? neverRun
    const gone = [
      ...(before.report ?? []),
      ...passedByClaim(this.#counted(slot, before), due, {
        ...context,
        history: this.#host.fireHistory(),
      }),
    ]
    const { failover } = this.#host.settings()
    const settings = { failover, now, runId, nextFireTime, gone }
    const plan = planClaim(this.#host.replica, this.#host.member(), slot, due, settings)
    const run = this.#runs.prepare(slot, { runId, due, before, shardState: plan.shardState, gone })
    // A shard that moved since the plan is stale. One reshard may move hundreds of shards.
    return { run, parts: plan.operations, isVain: () => slot.isStale }
  }

  #disabledPeriods({ shard, shardState, created }: ShardSlot): readonly DisabledPeriod[] {
    return this.#host.replica.disabledPeriods.of(
      shard,
      this.#host.session.now(),
      shardState?.since,
      created,
    )
  }

  #counted(slot: ShardSlot, shardState: ShardState): CountedShard {
    const { shard, created, since } = slot
    return {
      shard,
      shardState,
      server: this.#host.member().ip,
      created,
      // Java's runs have no shard state, and a disabled shard was not meant to run.
      left: [{ after: 0, until: since }, ...this.#disabledPeriods(slot)],
    }
  }

  /**
   * Starts runs whose claims are committed. In mixed mode each claim is checked again, because Java may have changed
   * the shard in the meantime.
   */
  async beginIfHeld(runs: readonly Run[], mixed: boolean): Promise<void> {
    await Promise.all([
      this.#abortUnlessOffsetsKnown(runs),
      ...(mixed ? runs.map((run) => this.#abortUnlessHeld(run)) : []),
    ])
    this.#runs.begin(runs)
  }

  /**
   * A crashed run may have saved offsets after this instance read the shard; saving an offset does not change the shard
   * state. After this claim the crashed run can save no more, so the offset is read again.
   */
  async #abortUnlessOffsetsKnown(runs: readonly Run[]): Promise<void> {
    const afterCrash = runs.filter(({ plan }) => plan.before.state === 'running')
    if (afterCrash.length === 0) return
    const isKnown = await isConfirmed(readOffsets(this.#host, afterCrash), () => true)
    if (!isKnown) for (const { abort } of afterCrash) abort.abort()
  }

  async #abortUnlessHeld({ slot, abort }: Run): Promise<void> {
    const member = this.#host.member()
    const holds = await isConfirmed(
      this.#host.session.read(readsBehindClaim(member, slot)),
      (results) => stillHolds(member, slot, results),
    )
    if (!holds) abort.abort()
  }

  /** Without monitorExecution there is no claim. One write, shared by all runs, proves the session. */
  async #run(dueSlots: readonly DueSlot[], now: number, mixed: boolean): Promise<void> {
    const { session } = this.#host
    const { instance } = session
    const runs = dueSlots.map(({ slot, due }) => {
      const runId = this.#host.newRunId()
      const before = slot.shardState ?? neverRun
      const shardState = unwrittenState(before, due, { run: runId, instance, begin: now })
      return this.#runs.prepare(slot, { runId, due, before, shardState, gone: [] })
    })
    const ahead = this.#ahead(now, mixed)
    try {
      await session.prove()
    } catch (error) {
      for (const run of runs) if (run.hasSlot) this.#runs.release(run)
      if (!isRegistryError(error)) throw error
      return
    }
    if (ahead === undefined) this.#runs.begin(runs)
    else await this.#beginIfWanted(runs, ahead)
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
