/** Runs the due shards that this instance owns: `Claimer` claims, `Executor` runs, `Completer` records the ends. */
import { isMixed } from '../job-tree/job-view.ts'
import type { Ownership } from '../sharding/ownership.ts'
import { Claimer } from './claimer.ts'
import { Completer } from './completer.ts'
import { type CutOffHost, settleCutOff } from './cut-off.ts'
import { Executor } from './executor.ts'
import type { ExecutionHost } from './host.ts'
import type { Run } from './run.ts'
import { stoppedByOperator } from './run-abort.ts'
import type { ShardSlot } from './shard-slot.ts'
import { ShardTable } from './shard-table.ts'

export class ExecutionService {
  readonly slots: ShardTable
  readonly claimer: Claimer
  readonly #host: ExecutionHost
  readonly #completer: Completer
  readonly #cutOff: CutOffHost
  #firedAt: number | undefined

  constructor(host: ExecutionHost) {
    this.#host = host
    const slots = new ShardTable(host)
    const completer = new Completer(host, slots)
    const executor = new Executor(host, completer)
    const claimer = new Claimer(host, slots, executor)
    this.slots = slots
    this.claimer = claimer
    this.#completer = completer
    this.#cutOff = { host, slots, claimer, executor, completer }
  }

  /** The owned shards in ascending order. */
  get shards(): number[] {
    const owned = [...this.slots].filter(({ isOwned }) => isOwned).map(({ shard }) => shard)
    return owned.toSorted((a, b) => a - b)
  }

  /** How many shards this instance owns or runs. */
  get slotCount(): number {
    return this.slots.size
  }

  get ownedCount(): number {
    return this.shards.length
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

  /**
   * Whether the start or end of a run of the shard matters to this instance. Its own runs do not: the answers of their
   * transactions count.
   */
  concerns(shard: number): boolean {
    const slot = this.slots.get(shard)
    return slot !== undefined && (slot.run === undefined || slot.isCutOff)
  }

  /** The owner node of a shard changed since it was read. */
  ownerTouched(shard: number): void {
    const slot = this.slots.get(shard)
    if (slot?.state !== 'unreadable') slot?.invalidate()
  }

  /**
   * A run of a shard has started or ended. A shard state that was read as running describes a run of another instance.
   * That state is read again when the run ends; otherwise the shard would wait for the end forever.
   */
  runTouched(shard: number): void {
    const slot = this.slots.get(shard)
    if (slot?.state === 'reading' || (slot !== undefined && waitsForEnd(slot))) slot.invalidate()
  }

  /**
   * A fire time has come or is imminent: refused claims get one more try. Shard states read as running are read again,
   * because Java deletes the running marks of other instances, and then no event announces the end of the run.
   */
  fired(time: number): void {
    if (time === this.#firedAt) return
    this.#firedAt = time
    for (const slot of this.slots) {
      slot.retryClaims()
      if (waitsForEnd(slot)) slot.invalidate()
    }
    this.readAgain()
  }

  /** After a reconnect every slot has to be read again. */
  resume(): void {
    for (const slot of this.slots) {
      if (slot.state === 'reading') slot.reset()
      else slot.invalidate()
    }
  }

  /** A shard was enabled again. Its state may record since when. */
  enabled(shard: number): void {
    const slot = this.slots.get(shard)
    if (slot?.state === 'idle') slot.invalidate()
  }

  /** The job has changed: an unreadable shard state may be readable now. */
  readAgain(): void {
    for (const slot of this.slots) if (slot.state === 'unreadable') slot.invalidate()
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
    settleCutOff(this.#cutOff)
  }
}

/** Whether the slot waits for the end of a run of another instance. */
function waitsForEnd({ state, shardState }: ShardSlot): boolean {
  return state === 'idle' && shardState?.state === 'running'
}
