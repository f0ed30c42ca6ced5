/** Claims what is due of the items that this instance owns. */
import { isZooKeeperError } from '@elasticjob/zookeeper'

import { type ItemWord, neverRun } from '../job-tree/item-word.ts'
import { isMixed, type JobView } from '../job-tree/job-view.ts'
import { isConfirmed } from './confirmation.ts'
import { type Due, type DueContext, dueOf, isFromTheFuture, roundOf } from './due.ts'
import type { ExecutionHost } from './host.ts'
import type { LaneTable } from './lane-table.ts'
import type { Lane } from './lane.ts'
import { obstacleTo } from './obstacles.ts'
import { passedOver } from './passed-over.ts'
import { planClaim } from './plan.ts'
import type { Run } from './run.ts'
import type { Claim, Runs } from './runs.ts'
import { readsBehindClaim, stillHolds } from './still-holds.ts'

/** After so many claims of one fire that failed in a row, something else has to change first. */
const patience = 5

interface DueLane {
  readonly lane: Lane
  readonly due: Due
}

/** What runs are planned on whose time is ahead. */
interface Ahead extends Pick<JobView, 'word' | 'config'> {
  readonly time: number
  readonly mixed: boolean
}

export class Claims {
  readonly #host: ExecutionHost
  readonly #lanes: LaneTable
  readonly #runs: Runs
  #isAskingTime = false

  constructor(host: ExecutionHost, lanes: LaneTable, runs: Runs) {
    this.#host = host
    this.#lanes = lanes
    this.#runs = runs
  }

  /** How many of the items owned are due and have not begun, whatever keeps them; for who asks, not for claims. */
  get dueCount(): number {
    const { replica } = this.#host
    const context = this.#host.dueContext(this.#host.session.now())
    const { instance } = this.#host.member()
    let count = 0
    for (const lane of this.#lanes) {
      const { item, state } = lane
      const isKnown = lane.word !== undefined || state === 'idle' || state === 'claiming'
      if (!lane.isOwned || !isKnown || state === 'running' || state === 'ending') continue
      if (replica.items.get(item)?.disabled === true) continue
      const word = lane.word ?? neverRun
      if (dueOf(word, item, instance, this.#sinceOf(lane), context) !== undefined) count += 1
    }
    return count
  }

  claimDue(now: number): void {
    const { session, replica } = this.#host
    if (!session.isReady || !replica.isQuiet) return
    const context = this.#host.dueContext(now)
    const { latest, round, misfire, catchUp } = context
    const isOwed = misfire || catchUp.policy !== 'skip'
    if (latest === undefined && round === undefined && !isOwed) return
    const mixed = isMixed(replica)
    const dueLanes: DueLane[] = []
    for (const lane of this.#lanes) {
      const due = this.#dueIn(lane, context, mixed)
      if (due !== undefined) dueLanes.push({ lane, due })
    }
    if (dueLanes.length === 0) return
    if (this.#host.settings().monitorExecution) void this.#claim(dueLanes, context, mixed)
    else void this.#run(dueLanes, now, mixed)
  }

  #dueIn(lane: Lane, context: DueContext, mixed: boolean): Due | undefined {
    if (lane.state !== 'idle' || !lane.isOwned || this.#runs.isOrphaned(lane.item)) return undefined
    if (lane.failures >= patience || this.#host.givesAway(lane.item)) return undefined
    const word = lane.word ?? neverRun
    if (isFromTheFuture(word, context.now) && !this.#isSureOfTime(lane)) return undefined
    const { monitorExecution, failover } = this.#host.settings()
    const since = this.#sinceOf(lane)
    // What is not written down was run by who had the item then, and must not hide what is scheduled now.
    const isOver = !monitorExecution && (context.round?.asked ?? Infinity) <= since
    const open = isOver ? { ...context, round: undefined } : context
    const due = dueOf(word, lane.item, this.#host.member().instance, since, open)
    if (due === undefined) return undefined
    if (obstacleTo(this.#host.replica, lane, { mixed, failover }) !== undefined) return undefined
    if (isFromTheFuture(word, context.now)) {
      const { jobName } = this.#host
      const stored = word.fireTime
      this.#host.emit('fire:corrected', { jobName, shardingItem: lane.item, stored })
    }
    return due
  }

  /** Nothing that was scheduled until then is due. */
  #sinceOf(lane: Lane): number {
    // What is not written down is remembered by nobody else: it begins when the item came here.
    const ownedSince = this.#host.settings().monitorExecution ? 0 : lane.ownedSince
    return Math.max(lane.created, lane.enabledAt, lane.since, ownedSince)
  }

  /**
   * A stored time that lies in the future is from a clock that was wrong, or it is our own that is: an
   * instance that has written nothing since the registry's was set would run again what was run. So a write
   * that began when the word was known already has to show the time.
   */
  #isSureOfTime(lane: Lane): boolean {
    const { session } = this.#host
    const now = session.clock.monotonic()
    if (lane.doubt?.wordVersion !== lane.wordVersion) {
      lane.doubt = { wordVersion: lane.wordVersion, at: now }
    }
    if (session.timeAge <= now - lane.doubt.at) return true
    if (!this.#isAskingTime) {
      this.#isAskingTime = true
      void this.#askTime()
    }
    return false
  }

  async #askTime(): Promise<void> {
    const { session } = this.#host
    try {
      await session.prove()
      this.#host.look()
    } catch (error) {
      // Without a connection nothing is claimed; its return is a reason to look again.
      if (!isZooKeeperError(error)) throw error
    } finally {
      this.#isAskingTime = false
    }
  }

  async #claim(dueLanes: readonly DueLane[], context: DueContext, mixed: boolean): Promise<void> {
    const { now: time } = context
    const nextFireTime = this.#host.nextFireTime(time)
    const planned = dueLanes.map(({ lane, due }) => this.#plan(lane, due, context, nextFireTime))
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
    const { word, config } = this.#host.replica
    return { time, word, config, mixed }
  }

  /** Waits until it is their time; those are left that would be planned then, too. */
  async #claimable(planned: readonly Claim[], ahead: Ahead): Promise<readonly Claim[]> {
    const isWanted = await this.#onTheDot(ahead)
    return planned.filter(({ run }) => {
      if (!run.hasLane) return false
      if (isWanted(run)) return true
      this.#runs.refused(run, 'something has changed after it was planned')
      return false
    })
  }

  /** Waits until it is their time; nothing is left to be done then that can be done before. */
  async #beginIfWanted(runs: readonly Run[], ahead: Ahead): Promise<void> {
    const code = this.#host.codeOf(runs)
    const isWanted = await this.#onTheDot(ahead)
    for (const run of runs) if (!isWanted(run)) run.abort.abort()
    this.#runs.begin(runs, code)
  }

  /** Resolves when it is that time, with who is still wanted: what was said since they were planned comes first. */
  async #onTheDot({ time, word, config, mixed }: Ahead): Promise<(run: Run) => boolean> {
    const { session, replica } = this.#host
    this.#host.ready(time)
    await session.reach(time)
    const isSame = replica.isQuiet && replica.word === word && replica.config === config
    const mayBegin = isSame && !this.#host.isStopping
    return (run) => mayBegin && this.#isStillClear(run, mixed)
  }

  #isStillClear({ lane, abort }: Run, mixed: boolean): boolean {
    if (lane.isStale || !lane.isOwned || abort.isAborted) return false
    // Where all are ours, the claim keeps everything else away.
    if (!mixed) return this.#host.replica.items.get(lane.item)?.disabled !== true
    const { failover } = this.#host.settings()
    const obstacle = obstacleTo(this.#host.replica, lane, { mixed, failover })
    return obstacle === undefined && !this.#host.givesAway(lane.item)
  }

  #plan(lane: Lane, due: Due, context: DueContext, nextFireTime: number | undefined): Claim {
    const { now } = context
    const runId = this.#host.newRunId()
    const before = lane.word ?? neverRun
    const gone = passedOver(before, this.#sinceOf(lane), due, context)
    const { failover } = this.#host.settings()
    const settings = { failover, now, runId, nextFireTime, gone }
    const plan = planClaim(this.#host.replica, this.#host.member(), lane, due, settings)
    const run = this.#runs.prepare(lane, { runId, due, before, word: plan.word, gone })
    // An item that has moved meanwhile is stale: hundreds may have, by one resharding.
    return { run, parts: plan.operations, isVain: () => lane.isStale }
  }

  /** The claims are committed; in a mixed job they have to hold against what Java may have done meanwhile. */
  async beginIfHeld(runs: readonly Run[], mixed: boolean): Promise<void> {
    if (mixed) await Promise.all(runs.map((run) => this.#abortUnlessHeld(run)))
    this.#runs.begin(runs)
  }

  async #abortUnlessHeld({ lane, abort }: Run): Promise<void> {
    const member = this.#host.member()
    const holds = await isConfirmed(
      this.#host.session.read(readsBehindClaim(member, lane)),
      (results) => stillHolds(member, lane, results),
    )
    if (!holds) abort.abort()
  }

  /** With monitorExecution off nothing is claimed: one write, shared by all, proves the session. */
  async #run(dueLanes: readonly DueLane[], now: number, mixed: boolean): Promise<void> {
    const { session } = this.#host
    const { instance } = session
    const runs = dueLanes.map(({ lane, due }) => {
      const runId = this.#host.newRunId()
      const before = lane.word ?? neverRun
      const word = unwrittenWord(before, due, { run: runId, instance, begin: now })
      return this.#runs.prepare(lane, { runId, due, before, word, gone: [] })
    })
    const ahead = this.#ahead(now, mixed)
    try {
      await session.prove()
    } catch (error) {
      for (const run of runs) if (run.hasLane) this.#runs.release(run)
      if (!isZooKeeperError(error)) throw error
      return
    }
    if (ahead === undefined) this.#runs.begin(runs)
    else await this.#beginIfWanted(runs, ahead)
  }
}

/** The word of a run that nobody writes down. */
function unwrittenWord(
  before: ItemWord,
  due: Due,
  run: Pick<ItemWord, 'run' | 'instance' | 'begin'>,
): ItemWord {
  const fireTime = due.source === 'trigger' ? before.fireTime : due.fireTime
  const round = roundOf(due)?.id ?? before.round
  return { ...neverRun, ...run, state: 'running', fireTime, round, attempt: 1 }
}
