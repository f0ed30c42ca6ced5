/** Runs in this process, from the moment their claim holds to the moment the registry knows their end. */
import { isZooKeeperError, type TransactionPart } from '@elasticjob/zookeeper'

import { ElasticJobError } from '../errors.ts'
import type { RunOutcome, RunReference, TakenOverRun } from '../events.ts'
import { crashedRun } from '../failover/plan.ts'
import { ensureFailoverFolder } from '../failover/service.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import { type ItemWord, neverRun } from '../job-tree/item-word.ts'
import { outcomeOfUnbegun } from './aborts.ts'
import { type Due, roundOf, timeOf } from './due.ts'
import type { LaneTable } from './lane-table.ts'
import type { ActiveRun, Lane } from './lane.ts'
import { planEnd, planOffset } from './plan.ts'
import { RunAbort } from './run-abort.ts'

/** A run whose code may begin. */
export interface ClaimedRun {
  readonly item: number
  readonly reference: RunReference
  readonly due: Due
  /** Asks the code to end. */
  readonly abort: RunAbort
  readonly offset: string | undefined
  readonly saveOffset: (offset: string) => Promise<void>
  /** The code has ended. */
  readonly finish: (outcome: RunOutcome, error?: unknown) => void
  /** Resolves when the registry knows its end; with false if the item is to be begun again. */
  readonly recorded: () => Promise<boolean>
}

/** Of a run with monitorExecution off nothing is written. */
const unwritten = -1

export class Runs {
  readonly #host: Coordination
  readonly #lanes: LaneTable
  readonly #isFailedOver: (item: number) => boolean
  readonly #nextTurn: () => readonly TransactionPart[]
  /** Does it when nothing else waits to begin. */
  readonly #afterBegins: (work: () => void) => void
  /** Runs that outlived the session that claimed them, by item. */
  readonly #orphans = new Map<number, ActiveRun>()
  #idle: (() => void)[] = []

  constructor(
    host: Coordination,
    lanes: LaneTable,
    isFailedOver: (item: number) => boolean,
    nextTurn: () => readonly TransactionPart[],
    afterBegins: (work: () => void) => void,
  ) {
    this.#host = host
    this.#lanes = lanes
    this.#isFailedOver = isFailedOver
    this.#nextTurn = nextTurn
    this.#afterBegins = afterBegins
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
  prepare(lane: Lane, due: Due, runId: string, before: ItemWord, word: ItemWord): ActiveRun {
    const run: ActiveRun = {
      runId,
      due,
      abort: new RunAbort(),
      lease: undefined,
      before,
      word,
      wordVersion: unwritten,
      fencingToken: undefined,
      passedOver: [],
      ending: undefined,
      settled: undefined,
    }
    lane.state = 'claiming'
    lane.run = run
    return run
  }

  /** The claim holds: the code may begin, unless it may not any more. */
  begin(
    lane: Lane,
    run: ActiveRun,
    claim: { readonly version: number; readonly mzxid: bigint } | undefined,
  ): ClaimedRun | undefined {
    if (lane.run !== run) return undefined
    const { session } = this.#host
    run.wordVersion = claim?.version ?? unwritten
    run.fencingToken = claim?.mzxid
    lane.failures = 0
    lane.word = run.word
    lane.wordVersion = run.wordVersion
    lane.state = 'running'
    // Not before: the claim is a write that proves the session, and a lease held from its planning on
    // would send a second one beside it.
    run.lease = session.holdLease()
    if (!session.client.lease.valid || run.abort.isAborted) {
      this.end(lane, run, outcomeOfUnbegun(run.abort))
      return undefined
    }
    this.#tellGone(lane.item, run)
    return {
      item: lane.item,
      reference: this.reference(lane.item, run),
      due: run.due,
      abort: run.abort,
      offset: lane.offset,
      saveOffset: (offset) => this.#saveOffset(lane, run, offset),
      finish: (outcome, error) => this.end(lane, run, outcome, error),
      recorded: () =>
        new Promise((resolve) => {
          run.settled = resolve
        }),
    }
  }

  /** What nobody will run any more because this run has begun: nobody else can know it. */
  #tellGone(item: number, { before, passedOver }: ActiveRun): void {
    const { jobName, emit } = this.#host
    if (before.state === 'running') emit('run:abandoned', crashedRun(jobName, item, before))
    const reason = 'nobody could run it before a later time was due'
    for (const { first, last } of passedOver) {
      emit('fire:missed', { jobName, shardingItem: item, first, fireTime: last, reason })
    }
  }

  /** The code has ended, or will not begin. */
  end(lane: Lane, run: ActiveRun, outcome: RunOutcome, error?: unknown): void {
    if (run.ending !== undefined) return
    run.ending = { outcome, error }
    if (this.#orphans.get(lane.item) === run) {
      this.#orphans.delete(lane.item)
      this.#superseded(lane.item, run)
    } else if (lane.run === run) {
      lane.state = 'ending'
      if (run.wordVersion === unwritten) {
        const now = this.#host.session.now()
        const word: ItemWord =
          outcome === 'not-started' ? run.before : { ...run.word, state: 'idle', end: now }
        this.recorded(lane, run, word, unwritten)
        if (outcome !== 'not-started') void this.#passTurn()
      } else this.#afterBegins(() => this.#writeEndOf(lane, run))
    }
  }

  /** The session may have been lost since the code has ended. */
  #writeEndOf(lane: Lane, run: ActiveRun): void {
    if (this.#lanes.has(lane) && lane.run === run) void this.writeEnd(lane, run)
  }

  /** With monitorExecution off no transaction ends the run that could carry it. */
  async #passTurn(): Promise<void> {
    const turn = this.#nextTurn()
    if (turn.length === 0) return
    await this.#host.session.commit(turn).catch((error: unknown) => {
      // Somebody else has named the next one, or there is no connection: then the node goes by itself.
      if (!isZooKeeperError(error)) throw error
    })
  }

  async writeEnd(lane: Lane, run: ActiveRun): Promise<void> {
    const { session, replica } = this.#host
    if (!this.#knowsMarks(lane.item, run)) {
      lane.isCutOff = true
      return
    }
    const { outcome, error } = run.ending ?? { outcome: 'success', error: undefined }
    const { item, ownerVersion, created } = lane
    const owned = { item, ownerVersion, created, word: run.word, wordVersion: run.wordVersion }
    // A job that is gone has nobody to hand it to.
    const isThere = replica.config !== undefined
    const handOver = isThere && this.#isFailedOver(item) && isUnfinished(run, outcome)
    try {
      if (handOver) await ensureFailoverFolder(this.#host)
      const plan = planEnd(replica, this.#host.member(), owned, {
        outcome,
        error: error === undefined ? undefined : messageOf(error),
        handOver,
        before: run.before,
        now: session.now(),
      })
      const turn = outcome === 'not-started' ? [] : this.#nextTurn()
      const results = await session.commit([...turn, ...plan.operations])
      if (lane.run === run) this.recorded(lane, run, plan.word, results.at(-1)?.stat?.version ?? 0)
    } catch (failure) {
      if (lane.run === run) this.#endFailed(lane, run, failure)
    }
  }

  /**
   * After a reconnect the marks are read again. One that is not known yet is not absent: an end that left
   * it behind would silence the item.
   */
  #knowsMarks(item: number, { due }: ActiveRun): boolean {
    const { replica } = this.#host
    if (replica.isQuiet) return true
    return replica.items.get(item)?.running === true && due.source !== 'failover'
  }

  /** The registry knows the end of the run. */
  recorded(lane: Lane, run: ActiveRun, word: ItemWord, version: number): void {
    const outcome = run.ending?.outcome ?? 'success'
    this.release(lane, run)
    lane.word = word
    lane.wordVersion = version
    run.settled?.(word.state === 'idle' && outcome !== 'not-started')
    this.#host.emit('run:recorded', { outcome, ...this.reference(lane.item, run) })
    this.#lanes.freed([lane.item])
    this.#settleIfIdle()
  }

  /** Another run has the item: what came of this one is told, not written. */
  superseded(lane: Lane, run: ActiveRun): void {
    lane.isStale = true
    this.release(lane, run)
    this.#superseded(lane.item, run)
  }

  /** The lane is free again. */
  release(lane: Lane, run: ActiveRun): void {
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
        this.#superseded(item, run)
        continue
      }
      this.#orphans.set(item, run)
      this.#host.emit('run:orphaned', this.reference(item, run))
    }
    this.#lanes.clear()
    this.#settleIfIdle()
  }

  /** Resolves when nothing runs here any more. */
  idle(): Promise<void> {
    if (this.count === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  reference(item: number, run: ActiveRun): RunReference {
    const { due, word } = run
    return {
      jobName: this.#host.jobName,
      instance: word.instance,
      shardingItem: item,
      runId: run.runId,
      source: due.source,
      fireTime: timeOf(due),
      attempt: word.attempt,
      round: roundOf(due)?.id,
      fencingToken: run.fencingToken,
      claimedAt: word.begin,
      takenOver: takenOver(run.before),
    }
  }

  #endFailed(lane: Lane, run: ActiveRun, failure: unknown): void {
    const { session, replica, jobName, emit } = this.#host
    if (isZooKeeperError(failure, 'ZK_BAD_VERSION')) {
      this.superseded(lane, run)
    } else if (isZooKeeperError(failure, 'ZK_NO_NODE', 'ZK_NODE_EXISTS')) {
      // A mark came or went meanwhile: when the replica shows it, the end is planned again.
      lane.isCutOff = true
      if (replica.isQuiet) this.#host.look()
    } else {
      // No connection: what came of the run is kept until there is one, and written then.
      lane.isCutOff = true
      if (!isZooKeeperError(failure)) emit('error:unhandled', { jobName, error: failure })
      if (session.isReady) this.#host.look()
    }
  }

  #superseded(item: number, run: ActiveRun): void {
    run.settled?.(false)
    const outcome = run.ending?.outcome ?? 'success'
    this.#host.emit('run:superseded', { ...this.reference(item, run), outcome })
    this.#lanes.freed([item])
    this.#settleIfIdle()
  }

  async #saveOffset(lane: Lane, run: ActiveRun, offset: string): Promise<void> {
    const { session, replica, jobName } = this.#host
    const member = this.#host.member()
    if (lane.run !== run) throw supersededError(jobName, lane.item)
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
    if (this.count > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}

/** The word of a run that nobody writes down. */
export function unwrittenWord(
  before: ItemWord | undefined,
  due: Due,
  run: Pick<ItemWord, 'run' | 'instance' | 'begin'>,
): ItemWord {
  const fireTime = due.source === 'trigger' ? (before?.fireTime ?? 0) : due.fireTime
  const round = roundOf(due)?.id ?? before?.round ?? 0
  return { ...neverRun, ...run, state: 'running', fireTime, round, attempt: 1 }
}

/** Whether somebody else has to do what this run has not: it was aborted, or taken over and never begun. */
function isUnfinished({ due }: ActiveRun, outcome: RunOutcome): boolean {
  return outcome === 'aborted' || (outcome === 'not-started' && due.source === 'failover')
}

/** A run that was handed over has told its end itself, and its word has the outcome. */
function takenOver({ state, outcome, run, instance, begin }: ItemWord): TakenOverRun | undefined {
  if (state !== 'crashed' || outcome !== undefined || run === '') return undefined
  return { runId: run, instance, claimedAt: begin }
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
