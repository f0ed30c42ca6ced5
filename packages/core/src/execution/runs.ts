/** The runs of a job in this process: claim, start, end, and the recording of the end. */
import type { RunOutcome } from '../events.ts'
import { crashedRun } from '../failover/plan.ts'
import { ensureFailoverFolder } from '../failover/service.ts'
import type { ShardState } from '../job-tree/shard-state.ts'
import { readStates } from '../job-tree/read-states.ts'
import { reportFires } from '../fire-times/report.ts'
import { MostlyEmptyMap } from '../mostly-empty.ts'
import type { Committed, CommitUnit } from '../registry/committer.ts'
import { isOutcomeUnknown, isRegistryError } from '../registry/registry-error.ts'
import { part, read, type ReadResult, toText } from '../registry/transaction.ts'
import { maskText } from '../secrets.ts'
import { messageOf, summaryOf } from '../thrown.ts'
import { outcomeOfUnbegun } from './aborts.ts'
import type { Code, ExecutionHost } from './host.ts'
import type { ShardTable } from './shard-table.ts'
import type { ShardSlot } from './shard-slot.ts'
import { OffsetWriter } from './offsets.ts'
import { type ClaimPlan, planEnd } from './plan.ts'
import { Run, type RunKeeper, type RunPlan } from './run.ts'

/** The transaction parts that claim a run. The last part sets the shard state. */
export interface Claim extends CommitUnit {
  readonly run: Run
}

export class Runs implements RunKeeper {
  readonly #host: ExecutionHost
  readonly #slots: ShardTable
  readonly #offsets: OffsetWriter
  /** Runs whose code outlived the session that claimed them, by shard. */
  readonly #orphans = new MostlyEmptyMap<number, Run>()
  /** Runs whose code ended in the current tick. Their ends are written together. */
  #ended: Run[] = []
  #idle: (() => void)[] = []

  constructor(host: ExecutionHost, slots: ShardTable) {
    this.#host = host
    this.#slots = slots
    this.#offsets = new OffsetWriter(host)
  }

  /** How many runs have not ended in this process. */
  get count(): number {
    return this.#orphans.size + this.#slots.busyCount
  }

  /** Whether code of an earlier session still runs for the shard. It has to end before the next claim. */
  isOrphaned(shard: number): boolean {
    return this.#orphans.has(shard)
  }

  /** Runs that started before `fireTime` for an earlier fire time. */
  begunBefore(fireTime: number): Run[] {
    const runs: Run[] = []
    for (const { state, run } of this.#slots) {
      const isEarlier = run !== undefined && run.plan.shardState.fireTime < fireTime
      if (state === 'running' && isEarlier && run.plan.shardState.begin < fireTime) runs.push(run)
    }
    return runs
  }

  /** Creates a run and reserves the slot for its claim. */
  prepare(slot: ShardSlot, plan: RunPlan): Run {
    const run = new Run(this.#host.jobName, slot, plan, this)
    slot.state = 'claiming'
    slot.run = run
    return run
  }

  /** Commits the claims together. `begin` gets the runs whose claims the registry has committed. */
  async claim(
    claims: readonly Claim[],
    begin: (runs: readonly Run[]) => Promise<void>,
  ): Promise<void> {
    const { session, startPriority } = this.#host
    startPriority.enter()
    try {
      const claimed = this.#claimed(claims, await session.commitEach(claims))
      if (claimed.length > 0) await begin(claimed)
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
      run.slot.isCutOff = true
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
    await this.#host.session.prove().catch((error: unknown) => {
      // Without a connection there are no claims.
      if (!isRegistryError(error)) throw error
    })
  }

  refused(run: Run, reason: string): void {
    const { jobName, emit } = this.#host
    const { slot } = run
    slot.isStale = true
    slot.failures += 1
    this.release(run)
    emit('claim:refused', { jobName, shardingItem: slot.shard, reason })
    this.#slots.freed([slot.shard])
  }

  /** Starts the code of runs whose claims hold, unless the lease has expired or the run was aborted. */
  begin(runs: readonly Run[], code: Code = this.#host.codeOf(runs)): void {
    const isProven = this.#host.session.client.lease.valid
    const begun = runs.filter((run) => this.#mayBegin(run, isProven))
    if (begun.length > 0) code.begin(begun)
  }

  #mayBegin(run: Run, isProven: boolean): boolean {
    if (!run.hasSlot) return false
    const { slot } = run
    slot.failures = 0
    slot.shardState = run.plan.shardState
    if (run.isWritten) slot.stateVersion = run.stateVersion
    slot.state = 'running'
    // Hold the lease only now. The claim is a write that proves the session; a lease held since the planning would send
    // a second write beside the claim.
    run.lease = this.#host.session.holdLease()
    if (!isProven || run.abort.isAborted) {
      const outcome = outcomeOfUnbegun(run.abort)
      if (outcome !== 'not-started') this.#tellGone(run)
      this.end(run, outcome)
      return false
    }
    this.#tellGone(run)
    return true
  }

  /** Reports the crashed run and the missed fire times that this run replaces. No other instance can know them. */
  #tellGone({ shard, plan: { before, gone } }: Run): void {
    const { jobName, emit } = this.#host
    if (before.state === 'running') emit('run:abandoned', crashedRun(jobName, shard, before))
    reportFires(emit, jobName, shard, gone)
  }

  /** Called when the code has ended or will not start. */
  end(run: Run, outcome: RunOutcome, error?: unknown): void {
    if (run.ending !== undefined) return
    run.ending = { outcome, error }
    if (this.#orphans.get(run.shard) === run) {
      this.#orphans.delete(run.shard)
      this.#superseded(run)
    } else if (run.hasSlot) {
      run.slot.state = 'ending'
      if (run.isWritten) this.#writeWithOthers(run)
      else this.#endUnwritten(run, outcome)
    }
  }

  #endUnwritten(run: Run, outcome: RunOutcome): void {
    const { before, shardState } = run.plan
    const isOver = outcome !== 'not-started'
    const end = this.#host.session.now()
    // The stored state is unchanged. If an operator enables monitorExecution, claims continue from its version.
    const { stateVersion } = run.slot
    this.recorded(run, isOver ? { ...shardState, state: 'idle', end } : before, stateVersion)
    if (isOver) void this.#passTurn()
  }

  /**
   * Without monitorExecution no transaction records the end of the run, so the next turn needs a transaction of its
   * own.
   */
  async #passTurn(): Promise<void> {
    const turn = this.#host.nextTurn()
    if (turn.length === 0) return
    await this.#host.session.commit(turn).catch((error: unknown) => {
      // Another instance has named the next server, or the connection is lost. In the second case the ephemeral node
      // disappears with its session.
      if (!isRegistryError(error)) throw error
    })
  }

  #writeWithOthers(run: Run): void {
    this.#ended.push(run)
    if (this.#ended.length > 1) return
    queueMicrotask(() => this.#host.startPriority.afterwards(() => this.#writeEnded()))
  }

  #writeEnded(): void {
    // The session may have been lost since the code of these runs ended.
    const runs = this.#ended.filter((run) => run.hasSlot && this.#slots.has(run.slot))
    this.#ended = []
    if (runs.length > 0) void this.writeEnds(runs)
  }

  async writeEnds(runs: readonly Run[]): Promise<void> {
    const plain: Run[] = []
    for (const run of runs) {
      if (!this.#knowsMarks(run) || !this.#isConfirmed(run)) run.slot.isCutOff = true
      else if (this.#isHandedOver(run)) void this.#handOver(run)
      else plain.push(run)
    }
    if (runs.some(({ slot }) => slot.isCutOff)) this.#host.look()
    if (plain.length > 0) await this.#commitEnds(plain, false)
  }

  /**
   * A restored registry may have lost the claim and given the same version to the claim of another run. So the shard
   * state is read before the end is written if the connection was lost since the claim.
   */
  #isConfirmed(run: Run): boolean {
    return run.confirmedAt === this.#host.session.suspensions
  }

  /**
   * After a reconnect the marks are read again. A mark that has not been read is not absent: an end that leaves it
   * behind would block the shard.
   */
  #knowsMarks({ shard, due }: Run): boolean {
    const { replica } = this.#host
    if (replica.isSynced) return true
    return replica.shards.get(shard)?.running === true && due.source !== 'failover'
  }

  /** Whether another instance has to repeat this run: the run was aborted, or was taken over and never started. */
  #isHandedOver({ shard, due, outcome }: Run): boolean {
    const isUnfinished =
      outcome === 'aborted' || (outcome === 'not-started' && due.source === 'failover')
    if (!isUnfinished) return false
    const { failover, shardingTotalCount } = this.#host.settings()
    // A removed job has no instance that could take the run over.
    return this.#host.replica.config !== undefined && failover && shard < shardingTotalCount
  }

  async #handOver(run: Run): Promise<void> {
    try {
      await ensureFailoverFolder(this.#host)
    } catch (error) {
      if (run.hasSlot) this.#endFailed(run, error)
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
      if (!run.hasSlot) continue
      if (results === undefined) this.#endFailed(run, error)
      else {
        this.#record(
          run,
          (plans[index] as ClaimPlan).shardState,
          results.at(-1)?.stat?.version ?? 0,
        )
        freed.push(run.shard)
      }
    }
    this.#freed(freed)
  }

  #planEnd(run: Run, handOver: boolean, now: number): ClaimPlan {
    const { slot, stateVersion, plan } = run
    const { shard, ownerVersion, created } = slot
    const error = run.ending?.error
    return planEnd(
      this.#host.replica,
      this.#host.member(),
      { shard, ownerVersion, created, shardState: plan.shardState, stateVersion },
      {
        outcome: run.outcome,
        // The registry keeps this text, and every reader of the job sees it.
        error: error === undefined ? undefined : maskText(summaryOf(error)),
        handOver,
        before: plan.before,
        now,
      },
    )
  }

  /** Called when the registry has recorded the end of the run. */
  recorded(run: Run, shardState: ShardState, version: number): void {
    this.#record(run, shardState, version)
    this.#freed([run.shard])
  }

  #record(run: Run, shardState: ShardState, version: number): void {
    const { slot, outcome } = run
    this.release(run)
    slot.shardState = shardState
    slot.stateVersion = version
    run.settled?.(shardState.state === 'idle' && outcome !== 'not-started')
    this.#host.emit('run:recorded', { outcome, ...run.reference })
  }

  #freed(shards: readonly number[]): void {
    if (shards.length === 0) return
    this.#slots.freed(shards)
    this.#settleIfIdle()
  }

  /** Another run has claimed the shard. The outcome of this run is emitted as an event, not written. */
  superseded(run: Run): void {
    run.slot.isStale = true
    this.release(run)
    this.#superseded(run)
  }

  /** Frees the slot. */
  release(run: Run): void {
    const { slot } = run
    run.lease?.release()
    slot.run = undefined
    slot.isCutOff = false
    slot.state = slot.isStale ? 'unread' : 'idle'
    slot.isStale = false
    this.#slots.forgetIfLost(slot)
    this.#settleIfIdle()
  }

  /** The session that claimed these runs has expired. Their shard states decide which instance repeats them. */
  orphanAll(reason: Error): void {
    for (const { shard, run } of this.#slots) {
      if (run === undefined) continue
      run.lease?.release()
      run.abort.abort(reason)
      // Without a lease the code has not started: the claim was still in flight or cut off.
      if (run.lease === undefined) continue
      if (run.ending !== undefined) {
        this.#superseded(run)
        continue
      }
      this.#orphans.set(shard, run)
      this.#host.emit('run:orphaned', run.reference)
    }
    this.#slots.clear()
    this.#settleIfIdle()
  }

  /** Resolves when this process has no more runs of the job. */
  idle(): Promise<void> {
    if (this.count === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  #endFailed(run: Run, failure: unknown): void {
    const { session, replica, jobName, emit } = this.#host
    if (isRegistryError(failure, 'REGISTRY_BAD_VERSION')) {
      this.superseded(run)
      void this.#clearMarksIfUnreadable(run.shard)
    } else if (isRegistryError(failure, 'REGISTRY_NO_NODE', 'REGISTRY_NODE_EXISTS')) {
      // A mark was created or deleted in the meantime. The end is planned again when the replica shows it.
      if (isRegistryError(failure, 'REGISTRY_NO_NODE')) this.#host.nodeMissing()
      run.slot.isCutOff = true
      if (replica.isSynced) this.#host.look()
    } else {
      // The connection is lost. The outcome stays in memory and is written after the reconnect.
      run.slot.isCutOff = true
      if (!isRegistryError(failure)) emit('error:unhandled', { jobName, error: failure })
      if (session.isReady) this.#host.look()
    }
  }

  /**
   * Deletes the marks of this run if the shard state is unreadable. Then no other run has claimed the shard, and the
   * marks would block it even after a repair of the state.
   */
  async #clearMarksIfUnreadable(shard: number): Promise<void> {
    const { session, replica } = this.#host
    const { paths } = replica
    const { instance } = session
    try {
      const { unreadable } = await readStates(this.#host, [shard])
      if (!unreadable.has(shard)) return
      const marks = ['running', 'failover', 'failovering'] as const
      const nodes = await session.read(marks.map((mark) => read.get(paths.mark(shard, mark))))
      const isOurs = (node: ReadResult | undefined): boolean =>
        node !== undefined && 'data' in node && toText(node.data) === instance
      const ours = marks.filter((_, index) => isOurs(nodes[index]))
      if (ours.length > 0)
        await session.commit(ours.map((mark) => part.delete(paths.mark(shard, mark))))
    } catch (error) {
      // Without a connection the session may expire and delete its ephemeral marks. The leader reconciles the others.
      if (!isRegistryError(error)) throw error
    }
  }

  #superseded(run: Run): void {
    run.settled?.(false)
    this.#host.emit('run:superseded', { ...run.reference, outcome: run.outcome })
    this.#freed([run.shard])
  }

  saveOffset(run: Run, offset: string): Promise<void> {
    return this.#offsets.save(run, offset)
  }

  #settleIfIdle(): void {
    if (this.#idle.length === 0 || this.count > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}
