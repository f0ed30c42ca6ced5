/** Claims what is due of the items that this instance owns, and what crashed instances have left. */
import { isZooKeeperError, type MultiReadResult, type TransactionPart } from '@elasticjob/zookeeper'

import { isRunByAnother, isTakeable, planDismissal, planTake } from '../failover/plan.ts'
import type { TakeSettings } from '../failover/service.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import { type ItemWord, neverRun } from '../job-tree/item-word.ts'
import { isMixed, type Versioned } from '../job-tree/job-view.ts'
import { type ReadWord, readWords } from '../job-tree/read-words.ts'
import { isOutcomeUnknown } from '../registry/committer.ts'
import { SharedInInstant } from '../registry/shared-in-instant.ts'
import type { Ownership } from '../sharding/ownership.ts'
import { stoppedByOperator } from './aborts.ts'
import { type Due, type DueContext, dueOf, isFromTheFuture } from './due.ts'
import { LaneTable } from './lane-table.ts'
import type { ActiveRun, Lane } from './lane.ts'
import { passedOver } from './passed-over.ts'
import { obstacleTo } from './obstacles.ts'
import { planClaim } from './plan.ts'
import { type ClaimedRun, Runs, unwrittenWord } from './runs.ts'
import { readsBehindClaim, readsBehindTake, stillHolds, takeStillHolds } from './still-holds.ts'

export interface ExecutionSettings {
  readonly shardingTotalCount: number
  readonly failover: boolean
  readonly monitorExecution: boolean
}

/** What the service is given by the job that it works for. */
export interface ExecutionHost extends Coordination {
  settings(): ExecutionSettings
  dueContext(now: number): DueContext
  nextFireTime(now: number): number | undefined
  newRunId(): string
  /** Whether this instance, as the leader, is giving the item to somebody else at this moment. */
  givesAway(item: number): boolean
  /** What the end of a run writes beside its own: in a mixed job, whose turn is next. */
  nextTurn(): readonly TransactionPart[]
  /** Does it at once, or when all has begun in this process whose time has come. */
  afterBegins(work: () => void): void
  /** Runs that were claimed in one instant begin together. */
  begin(runs: readonly ClaimedRun[]): void
}

/** After so many claims of one fire that failed in a row, something else has to change first. */
const patience = 5

export class ExecutionService {
  readonly #host: ExecutionHost
  readonly #lanes: LaneTable
  readonly #runs: Runs
  /** Requests are answered in their order: what is read after a claim was sent has seen it. */
  readonly #behindTakes: SharedInInstant<readonly MultiReadResult[]>
  #isAskingTime = false

  constructor(host: ExecutionHost) {
    this.#host = host
    this.#behindTakes = new SharedInInstant(host.session.clock, () =>
      host.session.read(readsBehindTake(host.member())),
    )
    this.#lanes = new LaneTable(host)
    this.#runs = new Runs(
      host,
      this.#lanes,
      (item) => host.settings().failover && item < host.settings().shardingTotalCount,
      () => host.nextTurn(),
      (work) => host.afterBegins(work),
    )
  }

  /** The items owned, in order. */
  get items(): number[] {
    return this.#lanes.items
  }

  get ownedCount(): number {
    let count = 0
    for (const { isOwned } of this.#lanes) if (isOwned) count += 1
    return count
  }

  get runningCount(): number {
    return this.#runs.count
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

  /** Whether a run should end after its present batch: its item belongs to somebody else by now. */
  isYielding(item: number): boolean {
    const { replica } = this.#host
    const isMoving = replica.epoch?.value.moving.has(item) === true
    // Java's leader waits until nothing runs.
    const isWaitedFor = replica.necessary !== undefined && isMixed(replica)
    return isMoving || isWaitedFor || this.#lanes.get(item)?.isOwned !== true
  }

  own(items: ReadonlySet<number>, ownershipOf: (item: number) => Ownership): void {
    this.#lanes.own(items, ownershipOf)
  }

  ownerTouched(item: number): void {
    this.#lanes.ownerTouched(item)
  }

  runTouched(item: number): void {
    this.#lanes.runTouched(item)
  }

  /**
   * Whether something may follow here from a run of the item that has begun or ended. Not from one of our
   * own: the answer of its transaction is what counts.
   */
  concerns(item: number): boolean {
    const lane = this.#lanes.get(item)
    return lane !== undefined && (lane.run === undefined || lane.isCutOff)
  }

  /** A disable was lifted: what was scheduled before that is not due. */
  enabled(item: number, now: number): void {
    const lane = this.#lanes.get(item)
    if (lane === undefined) return
    lane.enabledAt = now
    // Its word may say so, too, since then.
    if (lane.state === 'idle') lane.state = 'unread'
  }

  /** A scheduled time has come. */
  fired(): void {
    this.#lanes.fired()
  }

  /** Ends what runs, for a reason. */
  abortAll(reason: Error): void {
    for (const { run } of this.#lanes) run?.abort.abort(reason)
  }

  /** Ends the runs of these ids, by item: an operator wants it. */
  stop(runs: Readonly<Record<string, string>>): void {
    for (const [item, runId] of Object.entries(runs)) {
      const run = this.#lanes.get(Number(item))?.run
      if (run?.runId === runId) run.abort.abort(stoppedByOperator())
    }
  }

  orphanAll(reason: Error): void {
    this.#runs.orphanAll(reason)
  }

  resume(): void {
    this.#lanes.resume()
  }

  idle(): Promise<void> {
    return this.#runs.idle()
  }

  /** Learns what has to be known, then claims what is due. */
  step(now: number): void {
    if (this.#lanes.needsLoading) void this.#lanes.load()
    this.settleCutOff()
    this.#claimDue(now)
  }

  /** Whether something is being taken over at this moment. */
  get isTaking(): boolean {
    for (const { state, run } of this.#lanes) {
      if (state === 'claiming' && (run === undefined || run.due.source === 'failover')) return true
    }
    return false
  }

  /** Takes over what crashed instances have left, as far as their words allow it. */
  async take(items: readonly number[], { latchNode, words: known }: TakeSettings): Promise<void> {
    const { session, replica } = this.#host
    const lanes = items
      .filter((item) => !this.#runs.isOrphaned(item))
      .map((item) => this.#lanes.borrow(item))
      .filter((lane) => lane !== undefined)
    if (lanes.length === 0) return
    for (const lane of lanes) lane.state = 'claiming'
    const wordOf = new Map<number, Versioned<ItemWord>>(known)
    const unknown = lanes.map(({ item }) => item).filter((item) => !wordOf.has(item))
    try {
      const read = await readWords(session, replica.paths, unknown)
      for (const [item, word] of read) wordOf.set(item, word)
    } catch (error) {
      for (const lane of lanes) this.#giveBack(lane)
      if (!isZooKeeperError(error)) throw error
      return
    }
    const runs = lanes.map((lane) => this.#takeLane(lane, wordOf.get(lane.item), latchNode))
    await this.#beginTogether(runs)
  }

  #claimDue(now: number): void {
    const { session, replica } = this.#host
    if (!session.isReady || !replica.isQuiet) return
    const context = this.#host.dueContext(now)
    const { latest, round, misfire, catchUp } = context
    const isOwed = misfire || catchUp.policy !== 'skip'
    if (latest === undefined && round === undefined && !isOwed) return
    const mixed = isMixed(replica)
    const claims: Promise<ClaimedRun | undefined>[] = []
    const { monitorExecution } = this.#host.settings()
    for (const lane of this.#lanes) {
      const due = this.#dueIn(lane, context, mixed)
      if (due === undefined) continue
      claims.push(
        monitorExecution ? this.#claim(lane, due, context, mixed) : this.#run(lane, due, now),
      )
    }
    if (claims.length > 0) void this.#beginTogether(claims)
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

  async #beginTogether(claims: readonly Promise<ClaimedRun | undefined>[]): Promise<void> {
    const runs = (await Promise.all(claims)).filter((run) => run !== undefined)
    if (runs.length > 0) this.#host.begin(runs)
  }

  async #claim(
    lane: Lane,
    due: Due,
    context: DueContext,
    mixed: boolean,
  ): Promise<ClaimedRun | undefined> {
    const { session, replica } = this.#host
    const { now } = context
    const runId = this.#host.newRunId()
    const before = lane.word ?? neverRun
    const gone = passedOver(before, this.#sinceOf(lane), due, context)
    const plan = planClaim(replica, this.#host.member(), lane, due, {
      failover: this.#host.settings().failover,
      now,
      runId,
      nextFireTime: this.#host.nextFireTime(now),
      gone,
    })
    const run = this.#runs.prepare(lane, due, runId, before, plan.word)
    run.passedOver = gone
    try {
      // An item that has moved meanwhile is stale: hundreds may have, by one resharding.
      const results = await session.commit(plan.operations, () => lane.isStale)
      const claim = results.at(-1)?.stat
      return await this.#beginIfHeld(lane, run, claim, mixed)
    } catch (error) {
      this.#claimFailed(lane, run, error)
      return undefined
    }
  }

  /** The claim is committed; in a mixed job it has to hold against what Java may have done meanwhile. */
  async #beginIfHeld(
    lane: Lane,
    run: ActiveRun,
    claim: Parameters<Runs['begin']>[2],
    mixed: boolean,
  ): Promise<ClaimedRun | undefined> {
    if (mixed && !(await this.#stillHolds(lane))) run.abort.abort()
    return this.#runs.begin(lane, run, claim)
  }

  #stillHolds(lane: Lane): Promise<boolean> {
    const member = this.#host.member()
    return this.#isConfirmed(
      () => this.#host.session.read(readsBehindClaim(member, lane)),
      (results) => stillHolds(member, lane, results),
    )
  }

  /** Unknown is no confirmation. */
  async #isConfirmed(
    ask: () => Promise<readonly MultiReadResult[]>,
    confirms: (results: readonly MultiReadResult[]) => boolean,
  ): Promise<boolean> {
    try {
      return confirms(await ask())
    } catch (error) {
      if (!isZooKeeperError(error)) throw error
      return false
    }
  }

  /** With monitorExecution off nothing is claimed: one write, shared by all, proves the session. */
  async #run(lane: Lane, due: Due, now: number): Promise<ClaimedRun | undefined> {
    const { session } = this.#host
    const { instance } = session
    const runId = this.#host.newRunId()
    const word = unwrittenWord(lane.word, due, { run: runId, instance, begin: now })
    const run = this.#runs.prepare(lane, due, runId, lane.word ?? neverRun, word)
    try {
      await session.prove()
    } catch (error) {
      if (lane.run === run) this.#runs.release(lane, run)
      if (!isZooKeeperError(error)) throw error
      return undefined
    }
    return this.#runs.begin(lane, run, undefined)
  }

  async #takeLane(
    lane: Lane,
    word: Versioned<ItemWord> | undefined,
    latchNode: string | undefined,
  ): Promise<ClaimedRun | undefined> {
    const { session, replica } = this.#host
    if (!this.#lanes.has(lane)) return undefined
    if (isRunByAnother(replica, lane.item)) {
      this.#giveBack(lane)
      return undefined
    }
    if (word === undefined || !isTakeable(replica, word.value)) {
      this.#giveBack(lane)
      if (!isMixed(replica)) await this.#dismiss(lane.item, word)
      return undefined
    }
    const now = session.now()
    const runId = this.#host.newRunId()
    const due = this.#dueOfTaken(word.value)
    const gone = passedOver(word.value, 0, due, this.#host.dueContext(now))
    const settings = { now, runId, nextFireTime: this.#host.nextFireTime(now), gone, latchNode }
    const plan = planTake(replica, this.#host.member(), lane.item, word, settings)
    const run = this.#runs.prepare(lane, due, runId, word.value, plan.word)
    run.passedOver = gone
    // Should the item be ours, its next claim has to know what was done here.
    lane.isStale = true
    try {
      const results = await session.commit(plan.operations)
      return await this.#beginIfTaken(lane, run, results.at(-1)?.stat)
    } catch (error) {
      this.#claimFailed(lane, run, error)
      return undefined
    }
  }

  /** Java may have joined, or may be waiting by now for a moment in which nothing runs. */
  async #beginIfTaken(
    lane: Lane,
    run: ActiveRun,
    claim: Parameters<Runs['begin']>[2],
  ): Promise<ClaimedRun | undefined> {
    const mixed = isMixed(this.#host.replica)
    const holds = await this.#isConfirmed(
      () => this.#behindTakes.answer(),
      (results) => takeStillHolds(results, mixed),
    )
    if (!holds) run.abort.abort()
    return this.#runs.begin(lane, run, claim)
  }

  #dueOfTaken({ fireTime, begin, round: roundId, source }: ItemWord): Due {
    const running = this.#host.replica.word?.value.running
    const round = source === 'trigger' && running?.id === roundId ? running : undefined
    return { source: 'failover', fireTime: round?.asked ?? (fireTime || begin), round }
  }

  /** Nothing was taken: the lane is as if nobody had tried. */
  #giveBack(lane: Lane): void {
    if (!this.#lanes.has(lane)) return
    lane.state = 'unread'
    this.#lanes.forgetIfLost(lane)
  }

  /** A mark without a run to repeat: it goes. */
  async #dismiss(item: number, word: Versioned<ItemWord> | undefined): Promise<void> {
    await this.#host.session
      .commit(planDismissal(this.#host.member(), item, word))
      .catch((error: unknown) => {
        if (!isZooKeeperError(error)) throw error
      })
  }

  #claimFailed(lane: Lane, run: ActiveRun, error: unknown): void {
    const { jobName, emit } = this.#host
    if (lane.run !== run) return
    if (isOutcomeUnknown(error)) {
      // Perhaps it holds: the word will show its run id. Until it was read again, nobody knows.
      lane.isCutOff = true
      return
    }
    if (!isZooKeeperError(error)) emit('error:unhandled', { jobName, error })
    this.#refused(lane, run, error instanceof Error ? error.message : String(error))
  }

  #refused(lane: Lane, run: ActiveRun, reason: string): void {
    const { jobName, emit } = this.#host
    lane.isStale = true
    lane.failures += 1
    this.#runs.release(lane, run)
    emit('claim:refused', { jobName, shardingItem: lane.item, reason })
    this.#lanes.freed([lane.item])
  }

  /** Lanes whose transaction was cut off: what the word says now decides. */
  settleCutOff(): void {
    const { session, replica } = this.#host
    if (!session.isReady || !replica.isQuiet) return
    const cutOff: Lane[] = []
    for (const lane of this.#lanes) {
      if (lane.isCutOff && lane.run !== undefined) cutOff.push(lane)
    }
    if (cutOff.length === 0) return
    for (const lane of cutOff) lane.isCutOff = false
    void this.#settle(cutOff)
  }

  async #settle(lanes: readonly Lane[]): Promise<void> {
    const { session, replica } = this.#host
    const runs = lanes.map(({ run }) => run)
    const items = lanes.map(({ item }) => item)
    let words: ReadonlyMap<number, ReadWord>
    try {
      words = await readWords(session, replica.paths, items)
    } catch (error) {
      for (const lane of lanes) lane.isCutOff = true
      if (!isZooKeeperError(error)) throw error
      return
    }
    for (const [index, lane] of lanes.entries()) {
      const run = runs[index]
      if (run !== undefined && lane.run === run) this.#settleLane(lane, run, words.get(lane.item))
    }
  }

  #settleLane(lane: Lane, run: ActiveRun, word: ReadWord | undefined): void {
    const isOurs = word?.value.run === run.runId
    if (lane.state === 'claiming') {
      if (isOurs) void this.#beginTogether([this.#adopt(lane, run, word)])
      else this.#refused(lane, run, 'the claim did not reach the registry')
    } else if (isOurs && word.value.state === 'running') void this.#runs.writeEnd(lane, run)
    else if (isOurs) this.#runs.recorded(lane, run, word.value, word.version)
    else this.#runs.superseded(lane, run)
  }

  /** The claim held although its answer was lost; so was the proof of the session that it would have been. */
  async #adopt(lane: Lane, run: ActiveRun, word: ReadWord): Promise<ClaimedRun | undefined> {
    const { session, replica } = this.#host
    try {
      if (!session.client.lease.valid) await session.prove()
    } catch (error) {
      if (!isZooKeeperError(error)) throw error
      lane.isCutOff = true
      return undefined
    }
    if (run.due.source === 'failover') return this.#beginIfTaken(lane, run, word)
    return this.#beginIfHeld(lane, run, word, isMixed(replica))
  }
}
