/** Claims what is due of the shards that this instance owns. */
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

/** After so many claims of one fire that failed in a row, something else has to change first. */
const mostFailures = 5

interface DueSlot {
  readonly slot: ShardSlot
  readonly due: Due
}

/** What runs are planned on whose time is ahead. */
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

  /** How many of the shards owned are due and have not begun, whatever keeps them; for who asks, not for claims. */
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

  /** A claim may be planned ahead of its time: what lies in the future is told by the time that it is. */
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
    // What is not written down was run by who had the shard then, and must not hide what is scheduled now.
    const isOver = !monitorExecution && (context.round?.asked ?? Infinity) <= since
    const open = isOver ? { ...context, round: undefined } : context
    const due = dueOf(shardState, slot.shard, this.#host.member().instance, since, open)
    return due === undefined || this.#obstacleTo(slot, mixed) !== undefined ? undefined : due
  }

  /** Nothing that was scheduled until then is due. */
  #sinceOf(slot: ShardSlot): number {
    // What is not written down is remembered by nobody else: it begins when the shard came here.
    const ownedSince = this.#host.settings().monitorExecution ? 0 : slot.ownedSince
    const enabledAt = this.#disabledPeriods(slot).at(-1)?.until ?? 0
    return Math.max(slot.created, enabledAt, slot.since, ownedSince)
  }

  async #claim(dueSlots: readonly DueSlot[], context: DueContext, mixed: boolean): Promise<void> {
    const { now: time } = context
    const nextFireTime = this.#host.nextFireTime(time)
    const planned = dueSlots.map(({ slot, due }) => this.#plan(slot, due, context, nextFireTime))
    const ahead = this.#ahead(time, mixed)
    // Java goes by marks: where it takes part, there are none before their time.
    const claims = ahead !== undefined && mixed ? await this.#claimable(planned, ahead) : planned
    if (claims.length === 0) return
    await this.#runs.claim(claims, async (runs) => {
      if (ahead === undefined || mixed) await this.beginIfHeld(runs, mixed)
      else await this.#beginIfWanted(runs, ahead)
    })
  }

  /** What runs for that time are planned on; undefined if it is not ahead. */
  #ahead(time: number, mixed: boolean): Ahead | undefined {
    if (time <= this.#host.session.now()) return undefined
    const { jobState, config } = this.#host.replica
    return { time, jobState, config, mixed }
  }

  /** Waits until it is their time; those are left that would be planned then, too. */
  async #claimable(planned: readonly Claim[], ahead: Ahead): Promise<readonly Claim[]> {
    const isWanted = await this.#preciseTimer(ahead)
    return planned.filter(({ run }) => {
      if (!run.hasSlot) return false
      if (isWanted(run)) return true
      this.#runs.refused(run, 'something has changed after it was planned')
      return false
    })
  }

  /** Waits until it is their time; nothing is left to be done then that can be done before. */
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
    // Where all are ours, the claim keeps everything else away.
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
    // A shard that has moved meanwhile is stale: hundreds may have, by one resharding.
    return { run, parts: plan.operations, isVain: () => slot.isStale }
  }

  #disabledPeriods({ shard, shardState, created }: ShardSlot): readonly DisabledPeriod[] {
    return this.#host.replica.disabledPeriods.of(shard, shardState?.since, created)
  }

  #counted(slot: ShardSlot, shardState: ShardState): CountedShard {
    const { shard, created, since, ownerSince } = slot
    return {
      shard,
      shardState,
      server: this.#host.member().ip,
      ownedSince: ownerSince,
      created,
      // Java's runs are not written down, and a shard that was off was not to run.
      left: [{ after: 0, until: since }, ...this.#disabledPeriods(slot)],
    }
  }

  /** The claims are committed; in a mixed job they have to hold against what Java may have done meanwhile. */
  async beginIfHeld(runs: readonly Run[], mixed: boolean): Promise<void> {
    await Promise.all([
      this.#abortUnlessOffsetsKnown(runs),
      ...(mixed ? runs.map((run) => this.#abortUnlessHeld(run)) : []),
    ])
    this.#runs.begin(runs)
  }

  /**
   * A run that has died without an end saved offsets after the shard was read here, and its state did not change
   * with them. Since this claim it can save none.
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

  /** With monitorExecution off nothing is claimed: one write, shared by all, proves the session. */
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

/** The state of a run that is not recorded. */
function unwrittenState(
  before: ShardState,
  due: Due,
  run: Pick<ShardState, 'run' | 'instance' | 'begin'>,
): ShardState {
  const fireTime = due.source === 'trigger' ? before.fireTime : due.fireTime
  const manualRun = manualRunOf(due)?.id ?? before.round
  return { ...neverRun, ...run, state: 'running', fireTime, round: manualRun, attempt: 1 }
}
