/** Runs the due shards that this instance owns: `Claimer` claims, `Executor` runs, `Completer` records the ends. */
import { isMixed } from '../job-tree/job-view.ts'
import type { Ownership } from '../sharding/ownership.ts'
import { Claimer } from './claimer.ts'
import { Completer } from './completer.ts'
import { CutOffRuns } from './cut-off.ts'
import { Executor } from './executor.ts'
import type { ExecutionHost } from './host.ts'
import type { Run } from './run.ts'
import { stoppedByOperator } from './run-abort.ts'
import { ShardTable } from './shard-table.ts'

export class ExecutionService {
  readonly slots: ShardTable
  readonly claimer: Claimer
  readonly #host: ExecutionHost
  readonly #completer: Completer
  readonly #cutOff: CutOffRuns

  constructor(host: ExecutionHost) {
    this.#host = host
    this.slots = new ShardTable(host)
    this.#completer = new Completer(host, this.slots)
    const executor = new Executor(host, this.#completer)
    this.claimer = new Claimer(host, this.slots, executor)
    this.#cutOff = new CutOffRuns(host, this.slots, this.claimer, executor, this.#completer)
  }

  /** The owned shards in ascending order. */
  get shards(): number[] {
    return this.slots.shards
  }

  /** How many shards this instance owns or runs. */
  get slotCount(): number {
    return this.slots.size
  }

  get ownedCount(): number {
    let count = 0
    for (const { isOwned } of this.slots) if (isOwned) count += 1
    return count
  }

  get runningCount(): number {
    return this.slots.runningCount
  }

  /** How many owned shards are due and have not started, including shards that an obstacle blocks. */
  get dueCount(): number {
    return this.claimer.dueCount
  }

  /** Whether a run should end after its current batch, because its shard moves to another instance. */
  isYielding(shard: number): boolean {
    const { replica } = this.#host
    const isMoving = replica.assignment?.value.moving.has(shard) === true
    // A Java leader reshards only when no shard runs.
    const isWaitedFor = replica.necessary !== undefined && isMixed(replica)
    return isMoving || isWaitedFor || this.slots.get(shard)?.isOwned !== true
  }

  own(shards: ReadonlySet<number>, ownershipOf: (shard: number) => Ownership): void {
    this.slots.own(shards, ownershipOf)
  }

  ownerTouched(shard: number): void {
    this.slots.ownerTouched(shard)
  }

  runTouched(shard: number): void {
    this.slots.runTouched(shard)
  }

  /**
   * Whether the start or end of a run of the shard matters to this instance. Its own runs do not: the answers of their
   * transactions count.
   */
  concerns(shard: number): boolean {
    const slot = this.slots.get(shard)
    return slot !== undefined && (slot.run === undefined || slot.isCutOff)
  }

  enabled(shard: number): void {
    this.slots.enabled(shard)
  }

  /** A fire time has come or is imminent. */
  fired(time: number): void {
    this.slots.fired(time)
  }

  /** A fire time has come or is imminent. Runs that started before it and still run at that time misfire. */
  meet(fireTime: number): void {
    const running: Run[] = []
    for (const { state, run } of this.slots) {
      if (state !== 'running' || run === undefined) continue
      const { fireTime: earlier, begin } = run.plan.shardState
      if (earlier < fireTime && begin < fireTime) running.push(run)
    }
    if (running.length > 0) void this.#tellMisfires(running, fireTime)
  }

  async #tellMisfires(running: readonly Run[], fireTime: number): Promise<void> {
    const { session, jobName, emit } = this.#host
    await session.reach(fireTime)
    const willRun = this.#host.settings().misfire
    for (const { shard, hasSlot, ending, plan } of running) {
      if (!hasSlot || ending !== undefined) continue
      emit('fire:misfired', { jobName, shardingItem: shard, runId: plan.runId, fireTime, willRun })
    }
  }

  /** Aborts all runs. */
  abortAll(reason: Error): void {
    for (const { run } of this.slots) run?.abort.abort(reason)
  }

  /** Aborts the runs with these ids, by shard, because an operator stopped them. */
  stop(runs: Readonly<Record<string, string>>): void {
    for (const [shard, runId] of Object.entries(runs)) {
      const run = this.slots.get(Number(shard))?.run
      if (run?.plan.runId === runId) run.abort.abort(stoppedByOperator())
    }
  }

  orphanAll(reason: Error): void {
    this.#completer.orphanAll(reason)
  }

  resume(): void {
    this.slots.resume()
  }

  /** The job has changed: an unreadable shard state may be readable now. */
  readAgain(): void {
    this.slots.readAgain()
  }

  idle(): Promise<void> {
    return this.slots.idle()
  }

  /** Starts to load unread slots, settles cut-off runs, then claims due runs. */
  step(now: number): void {
    if (this.slots.needsLoading) void this.slots.load()
    this.settleCutOff()
    this.claimer.claimDue(now)
  }

  settleCutOff(): void {
    this.#cutOff.settle()
  }
}
