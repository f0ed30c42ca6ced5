/** Runs what is due of the items that this instance owns, and what crashed instances have left. */
import type { TakeSettings } from '../failover/service.ts'
import { isMixed } from '../job-tree/job-view.ts'
import type { Ownership } from '../sharding/ownership.ts'
import { stoppedByOperator } from './aborts.ts'
import { Claims } from './claims.ts'
import { CutOffRuns } from './cut-off.ts'
import type { ExecutionHost } from './host.ts'
import { LaneTable } from './lane-table.ts'
import { Runs } from './runs.ts'
import { Takeovers } from './takeovers.ts'

export class ExecutionService {
  readonly #host: ExecutionHost
  readonly #lanes: LaneTable
  readonly #runs: Runs
  readonly #claims: Claims
  readonly #takeovers: Takeovers
  readonly #cutOff: CutOffRuns

  constructor(host: ExecutionHost) {
    this.#host = host
    this.#lanes = new LaneTable(host)
    this.#runs = new Runs(host, this.#lanes)
    this.#claims = new Claims(host, this.#lanes, this.#runs)
    this.#takeovers = new Takeovers(host, this.#lanes, this.#runs)
    this.#cutOff = new CutOffRuns(host, this.#lanes, this.#runs, this.#claims, this.#takeovers)
  }

  /** The items owned, in order. */
  get items(): number[] {
    return this.#lanes.items
  }

  /** How many items there are to look at. */
  get laneCount(): number {
    return this.#lanes.size
  }

  get ownedCount(): number {
    let count = 0
    for (const { isOwned } of this.#lanes) if (isOwned) count += 1
    return count
  }

  get runningCount(): number {
    return this.#runs.count
  }

  /** How many of the items owned are due and have not begun, whatever keeps them. */
  get dueCount(): number {
    return this.#claims.dueCount
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

  /** A scheduled time has come, or will in a moment. */
  fired(time: number): void {
    this.#lanes.fired(time)
  }

  /** Ends what runs, for a reason. */
  abortAll(reason: Error): void {
    for (const { run } of this.#lanes) run?.abort.abort(reason)
  }

  /** Ends the runs of these ids, by item: an operator wants it. */
  stop(runs: Readonly<Record<string, string>>): void {
    for (const [item, runId] of Object.entries(runs)) {
      const run = this.#lanes.get(Number(item))?.run
      if (run?.plan.runId === runId) run.abort.abort(stoppedByOperator())
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
    this.#claims.claimDue(now)
  }

  settleCutOff(): void {
    this.#cutOff.settle()
  }

  /** Whether something is being taken over at this moment. */
  get isTaking(): boolean {
    for (const { state, run } of this.#lanes) {
      if (state === 'claiming' && (run === undefined || run.due.source === 'failover')) return true
    }
    return false
  }

  /** Takes over what crashed instances have left, as far as their words allow it. */
  take(items: readonly number[], settings: TakeSettings): Promise<void> {
    return this.#takeovers.take(items, settings)
  }
}
