/** The runs of a job in this process: how they are claimed, begin, end, and are recorded. */
import { isZooKeeperError } from '@elasticjob/zookeeper'

import { ElasticJobError } from '../errors.ts'
import type { RunOutcome } from '../events.ts'
import { crashedRun } from '../failover/plan.ts'
import { ensureFailoverFolder } from '../failover/service.ts'
import type { ItemWord } from '../job-tree/item-word.ts'
import { MostlyEmptyMap } from '../mostly-empty.ts'
import { type Committed, type CommitUnit, isOutcomeUnknown } from '../registry/committer.ts'
import { outcomeOfUnbegun } from './aborts.ts'
import type { Code, ExecutionHost } from './host.ts'
import type { LaneTable } from './lane-table.ts'
import type { Lane } from './lane.ts'
import { type ClaimPlan, planEnd, planOffset } from './plan.ts'
import { Run, type RunKeeper, type RunPlan } from './run.ts'

/** What claims a run; its last part sets the item's word. */
export interface Claim extends CommitUnit {
  readonly run: Run
}

export class Runs implements RunKeeper {
  readonly #host: ExecutionHost
  readonly #lanes: LaneTable
  /** Runs that outlived the session that claimed them, by item. */
  readonly #orphans = new MostlyEmptyMap<number, Run>()
  /** Runs whose code has ended in this instant: their ends are written together. */
  #ended: Run[] = []
  #idle: (() => void)[] = []

  constructor(host: ExecutionHost, lanes: LaneTable) {
    this.#host = host
    this.#lanes = lanes
  }

  /** How many have not ended here. */
  get count(): number {
    return this.#orphans.size + this.#lanes.busyCount
  }

  /** Whether code of an earlier session still runs for the item: it must end first. */
  isOrphaned(item: number): boolean {
    return this.#orphans.has(item)
  }

  /** A run that is about to be claimed. */
  prepare(lane: Lane, plan: RunPlan): Run {
    const run = new Run(this.#host.jobName, lane, plan, this)
    lane.state = 'claiming'
    lane.run = run
    return run
  }

  /** Claims all of them in this instant; `begin` is given the runs whose claims the registry has. */
  async claim(
    claims: readonly Claim[],
    begin: (runs: readonly Run[]) => Promise<void>,
  ): Promise<void> {
    const { session, rush } = this.#host
    rush.enter()
    try {
      const claimed = this.#claimed(claims, await session.commitEach(claims))
      if (claimed.length > 0) await begin(claimed)
    } finally {
      rush.leave()
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
        runs.push(run)
      }
    }
    return runs
  }

  #claimFailed(run: Run, error: unknown): void {
    const { jobName, emit } = this.#host
    if (!run.hasLane) return
    if (isOutcomeUnknown(error)) {
      // Perhaps it holds: the word will show its run id. Until it was read again, nobody knows.
      run.lane.isCutOff = true
      return
    }
    if (!isZooKeeperError(error)) emit('error:unhandled', { jobName, error })
    this.refused(run, error instanceof Error ? error.message : String(error))
  }

  refused(run: Run, reason: string): void {
    const { jobName, emit } = this.#host
    const { lane } = run
    lane.isStale = true
    lane.failures += 1
    this.release(run)
    emit('claim:refused', { jobName, shardingItem: lane.item, reason })
    this.#lanes.freed([lane.item])
  }

  /** The claims hold: the code of these runs may begin, unless it may not any more. */
  begin(runs: readonly Run[], code: Code = this.#host.codeOf(runs)): void {
    const isProven = this.#host.session.client.lease.valid
    const begun = runs.filter((run) => this.#mayBegin(run, isProven))
    if (begun.length > 0) code.begin(begun)
  }

  #mayBegin(run: Run, isProven: boolean): boolean {
    if (!run.hasLane) return false
    const { lane } = run
    lane.failures = 0
    lane.word = run.plan.word
    lane.wordVersion = run.wordVersion
    lane.state = 'running'
    // Not before: the claim is a write that proves the session, and a lease held from its planning on
    // would send a second one beside it.
    run.lease = this.#host.session.holdLease()
    if (!isProven || run.abort.isAborted) {
      this.end(run, outcomeOfUnbegun(run.abort))
      return false
    }
    this.#tellGone(run)
    return true
  }

  /** What nobody will run any more because this run has begun: nobody else can know it. */
  #tellGone({ item, plan: { before, gone } }: Run): void {
    const { jobName, emit } = this.#host
    if (before.state === 'running') emit('run:abandoned', crashedRun(jobName, item, before))
    const reason = 'nobody could run it before a later time was due'
    for (const { first, last } of gone) {
      emit('fire:missed', { jobName, shardingItem: item, first, fireTime: last, reason })
    }
  }

  /** The code has ended, or will not begin. */
  end(run: Run, outcome: RunOutcome, error?: unknown): void {
    if (run.ending !== undefined) return
    run.ending = { outcome, error }
    if (this.#orphans.get(run.item) === run) {
      this.#orphans.delete(run.item)
      this.#superseded(run)
    } else if (run.hasLane) {
      run.lane.state = 'ending'
      if (run.isWritten) this.#writeWithOthers(run)
      else this.#endUnwritten(run, outcome)
    }
  }

  #endUnwritten(run: Run, outcome: RunOutcome): void {
    const { before, word } = run.plan
    const isOver = outcome !== 'not-started'
    const end = this.#host.session.now()
    this.recorded(run, isOver ? { ...word, state: 'idle', end } : before, run.wordVersion)
    if (isOver) void this.#passTurn()
  }

  /** With monitorExecution off no transaction ends the run that could carry it. */
  async #passTurn(): Promise<void> {
    const turn = this.#host.nextTurn()
    if (turn.length === 0) return
    await this.#host.session.commit(turn).catch((error: unknown) => {
      // Somebody else has named the next one, or there is no connection: then the node goes by itself.
      if (!isZooKeeperError(error)) throw error
    })
  }

  #writeWithOthers(run: Run): void {
    this.#ended.push(run)
    if (this.#ended.length > 1) return
    queueMicrotask(() => this.#host.rush.afterwards(() => this.#writeEnded()))
  }

  #writeEnded(): void {
    // The session may have been lost since their code has ended.
    const runs = this.#ended.filter((run) => run.hasLane && this.#lanes.has(run.lane))
    this.#ended = []
    if (runs.length > 0) void this.writeEnds(runs)
  }

  async writeEnds(runs: readonly Run[]): Promise<void> {
    const plain: Run[] = []
    for (const run of runs) {
      if (!this.#knowsMarks(run)) run.lane.isCutOff = true
      else if (this.#isHandedOver(run)) void this.#handOver(run)
      else plain.push(run)
    }
    if (plain.length > 0) await this.#commitEnds(plain, false)
  }

  /**
   * After a reconnect the marks are read again. One that is not known yet is not absent: an end that left
   * it behind would silence the item.
   */
  #knowsMarks({ item, due }: Run): boolean {
    const { replica } = this.#host
    if (replica.isQuiet) return true
    return replica.items.get(item)?.running === true && due.source !== 'failover'
  }

  /** Whether somebody else has to do what this run has not: it was aborted, or taken over and never begun. */
  #isHandedOver({ item, due, outcome }: Run): boolean {
    const isUnfinished =
      outcome === 'aborted' || (outcome === 'not-started' && due.source === 'failover')
    if (!isUnfinished) return false
    const { failover, shardingTotalCount } = this.#host.settings()
    // A job that is gone has nobody to hand it to.
    return this.#host.replica.config !== undefined && failover && item < shardingTotalCount
  }

  async #handOver(run: Run): Promise<void> {
    try {
      await ensureFailoverFolder(this.#host)
    } catch (error) {
      if (run.hasLane) this.#endFailed(run, error)
      return
    }
    await this.#commitEnds([run], true)
  }

  async #commitEnds(runs: readonly Run[], handOver: boolean): Promise<void> {
    const { session } = this.#host
    const turn = this.#host.nextTurn()
    const now = session.now()
    const plans = runs.map((run) => this.#planEnd(run, handOver, now))
    const committed = await session.commitEach(
      plans.map(({ operations }, index) => ({
        parts:
          turn.length === 0 || runs[index]?.outcome === 'not-started'
            ? operations
            : [...turn, ...operations],
      })),
    )
    const freed: number[] = []
    for (const [index, { results, error }] of committed.entries()) {
      const run = runs[index] as Run
      if (!run.hasLane) continue
      if (results === undefined) this.#endFailed(run, error)
      else {
        this.#record(run, (plans[index] as ClaimPlan).word, results.at(-1)?.stat?.version ?? 0)
        freed.push(run.item)
      }
    }
    this.#freed(freed)
  }

  #planEnd(run: Run, handOver: boolean, now: number): ClaimPlan {
    const { lane, wordVersion, plan } = run
    const { item, ownerVersion, created } = lane
    const error = run.ending?.error
    return planEnd(
      this.#host.replica,
      this.#host.member(),
      { item, ownerVersion, created, word: plan.word, wordVersion },
      {
        outcome: run.outcome,
        error: error === undefined ? undefined : messageOf(error),
        handOver,
        before: plan.before,
        now,
      },
    )
  }

  /** The registry knows the end of the run. */
  recorded(run: Run, word: ItemWord, version: number): void {
    this.#record(run, word, version)
    this.#freed([run.item])
  }

  #record(run: Run, word: ItemWord, version: number): void {
    const { lane, outcome } = run
    this.release(run)
    lane.word = word
    lane.wordVersion = version
    run.settled?.(word.state === 'idle' && outcome !== 'not-started')
    this.#host.emit('run:recorded', { outcome, ...run.reference })
  }

  #freed(items: readonly number[]): void {
    if (items.length === 0) return
    this.#lanes.freed(items)
    this.#settleIfIdle()
  }

  /** Another run has the item: what came of this one is told, not written. */
  superseded(run: Run): void {
    run.lane.isStale = true
    this.release(run)
    this.#superseded(run)
  }

  /** The lane is free again. */
  release(run: Run): void {
    const { lane } = run
    run.lease?.release()
    lane.run = undefined
    lane.isCutOff = false
    lane.state = lane.isStale ? 'unread' : 'idle'
    lane.isStale = false
    this.#lanes.forgetIfLost(lane)
    this.#settleIfIdle()
  }

  /** The session that claimed what runs is gone; its runs are the registry's to judge. */
  orphanAll(reason: Error): void {
    for (const { item, run } of this.#lanes) {
      if (run === undefined) continue
      run.lease?.release()
      run.abort.abort(reason)
      // Of a claim that was cut off no code has begun.
      if (run.lease === undefined) continue
      if (run.ending !== undefined) {
        this.#superseded(run)
        continue
      }
      this.#orphans.set(item, run)
      this.#host.emit('run:orphaned', run.reference)
    }
    this.#lanes.clear()
    this.#settleIfIdle()
  }

  /** Resolves when nothing runs here any more. */
  idle(): Promise<void> {
    if (this.count === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  #endFailed(run: Run, failure: unknown): void {
    const { session, replica, jobName, emit } = this.#host
    if (isZooKeeperError(failure, 'ZK_BAD_VERSION')) {
      this.superseded(run)
    } else if (isZooKeeperError(failure, 'ZK_NO_NODE', 'ZK_NODE_EXISTS')) {
      // A mark came or went meanwhile: when the replica shows it, the end is planned again.
      run.lane.isCutOff = true
      if (replica.isQuiet) this.#host.look()
    } else {
      // No connection: what came of the run is kept until there is one, and written then.
      run.lane.isCutOff = true
      if (!isZooKeeperError(failure)) emit('error:unhandled', { jobName, error: failure })
      if (session.isReady) this.#host.look()
    }
  }

  #superseded(run: Run): void {
    run.settled?.(false)
    this.#host.emit('run:superseded', { ...run.reference, outcome: run.outcome })
    this.#freed([run.item])
  }

  async saveOffset(run: Run, offset: string): Promise<void> {
    const { session, replica, jobName } = this.#host
    const { lane } = run
    const member = this.#host.member()
    if (!run.hasLane) throw supersededError(jobName, lane.item)
    if (!replica.folders.has('offset')) await session.ensure(member.paths.offsets)
    const exists = lane.offset !== undefined
    try {
      await session.commit(planOffset(member, lane.item, run.wordVersion, offset, exists))
    } catch (error) {
      if (isZooKeeperError(error, 'ZK_BAD_VERSION')) throw supersededError(jobName, lane.item)
      throw error
    }
    lane.offset = offset
  }

  #settleIfIdle(): void {
    if (this.#idle.length === 0 || this.count > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

function supersededError(jobName: string, item: number): ElasticJobError {
  return new ElasticJobError(
    'JOB_RUN_SUPERSEDED',
    `item ${item} of job ${jobName} has been taken over by another run: its offset is that run's to keep`,
  )
}
