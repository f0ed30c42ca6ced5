/** Records the ends of runs in the registry, each with its outcome. */
import type { RunOutcome } from '../events.ts'
import { ensureFailoverFolder } from '../job-tree/failover-folder.ts'
import { readStates } from '../job-tree/read-states.ts'
import type { ShardState } from '../job-tree/shard-state.ts'
import { ignoreRegistryError, isRegistryError } from '../registry/registry-error.ts'
import { part, read, toText } from '../registry/transaction.ts'
import { maskText } from '../secrets.ts'
import { summaryOf } from '../thrown.ts'
import type { ExecutionHost } from './host.ts'
import { type ShardPlan, planEnd } from './plan.ts'
import type { Run } from './run.ts'
import type { ShardTable } from './shard-table.ts'

export class Completer {
  readonly #host: ExecutionHost
  readonly #slots: ShardTable
  /** Runs whose code ended in the current tick. Their ends are written together. */
  #ended: Run[] = []

  constructor(host: ExecutionHost, slots: ShardTable) {
    this.#host = host
    this.#slots = slots
  }

  /** Called when the code has ended or will not start. */
  end(run: Run, outcome: RunOutcome, error?: unknown): void {
    if (run.ending !== undefined) return
    run.ending = { outcome, error }
    const { slot } = run
    if (!run.hasSlot) return
    if (slot.state === 'orphaned') {
      this.#slots.orphanEnded(slot)
      this.#superseded(run)
      return
    }
    slot.end()
    if (run.isWritten) this.#writeWithOthers(run)
    else this.#endUnwritten(run, outcome)
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
    // Another instance may have named the next server. If the connection is lost, the ephemeral node disappears with
    // its session.
    await this.#host.session.commit(turn).catch(ignoreRegistryError)
  }

  #writeWithOthers(run: Run): void {
    this.#ended.push(run)
    if (this.#ended.length > 1) return
    queueMicrotask(() => this.#host.startPriority.afterwards(() => this.#writeEnded()))
  }

  #writeEnded(): void {
    // The session may have been lost since the code of these runs ended.
    const runs = this.#ended.filter(({ slot }) => this.#slots.has(slot))
    this.#ended = []
    if (runs.length > 0) void this.writeEnds(runs)
  }

  async writeEnds(runs: readonly Run[]): Promise<void> {
    const plain: Run[] = []
    for (const run of runs) {
      if (!this.#knowsMarks(run) || !this.#isConfirmed(run)) run.slot.cutOff()
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
    for (const [index, { results, error }] of committed.entries()) {
      const run = runs[index] as Run
      if (!run.hasSlot) continue
      if (results === undefined) this.#endFailed(run, error)
      else {
        const { shardState } = plans[index] as ShardPlan
        this.recorded(run, shardState, results.at(-1)?.stat?.version ?? 0)
      }
    }
  }

  #planEnd(run: Run, handOver: boolean, now: number): ShardPlan {
    const { slot, stateVersion, outcome, ending } = run
    const { before, shardState } = run.plan
    // The registry keeps this text, and every reader of the job sees it.
    const error = ending?.error === undefined ? undefined : maskText(summaryOf(ending.error))
    const owned = { ...slot.loaded, shardState, stateVersion }
    const how = { outcome, error, handOver, before, now }
    return planEnd(this.#host.replica, this.#host.member(), owned, how)
  }

  /** Called when the registry has recorded the end of the run. */
  recorded(run: Run, shardState: ShardState, version: number): void {
    const { slot, outcome } = run
    slot.record(shardState, version)
    this.#slots.released(slot)
    run.settled?.(shardState.state === 'idle' && outcome !== 'not-started')
    this.#host.emit('run:recorded', { outcome, ...run.reference })
    this.#slots.freed([run.shard])
  }

  /** Another run has claimed the shard. The outcome of this run is emitted as an event, not written. */
  superseded(run: Run): void {
    run.slot.supersede()
    this.#slots.released(run.slot)
    this.#superseded(run)
  }

  /** The session that claimed the runs has expired. Their shard states decide which instance repeats them. */
  orphanAll(reason: Error): void {
    for (const { state, run } of this.#slots.expire()) {
      run?.lease?.release()
      run?.abort.abort(reason)
      if (run === undefined || run.lease === undefined) continue
      if (state === 'orphaned') this.#host.emit('run:orphaned', run.reference)
      else this.#superseded(run)
    }
  }

  #endFailed(run: Run, failure: unknown): void {
    const { session, replica, jobName, emit } = this.#host
    if (isRegistryError(failure, 'REGISTRY_BAD_VERSION')) {
      this.superseded(run)
      void this.#clearMarksIfUnreadable(run.shard)
      return
    }
    // A mark was created or deleted in the meantime: the end is planned again when the replica shows it. Or the
    // connection is lost: the outcome stays in memory and is written after the reconnect.
    const isMark = isRegistryError(failure, 'REGISTRY_NO_NODE', 'REGISTRY_NODE_EXISTS')
    run.slot.cutOff()
    if (isRegistryError(failure, 'REGISTRY_NO_NODE')) this.#host.nodeMissing()
    if (!isRegistryError(failure)) emit('error:unhandled', { jobName, error: failure })
    if (isMark ? replica.isSynced : session.isReady) this.#host.look()
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
      const ours = marks.filter((_, index) => {
        const node = nodes[index]
        return node !== undefined && 'data' in node && toText(node.data) === instance
      })
      const parts = ours.map((mark) => part.delete(paths.mark(shard, mark)))
      if (parts.length > 0) await session.commit(parts)
    } catch (error) {
      // Without a connection the session may expire and delete its ephemeral marks. The leader reconciles the others.
      if (!isRegistryError(error)) throw error
    }
  }

  #superseded(run: Run): void {
    run.settled?.(false)
    this.#host.emit('run:superseded', { ...run.reference, outcome: run.outcome })
    this.#slots.freed([run.shard])
  }
}
