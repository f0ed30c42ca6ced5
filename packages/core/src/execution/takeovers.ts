/** Takes over the runs of crashed instances, if the shard states allow it. */
import {
  isDismissible,
  isRunByAnother,
  isTakeable,
  planDismissal,
  planTake,
  takeoverCandidates,
} from '../failover/plan.ts'
import type { TakeSettings } from '../failover/service.ts'
import { serverOf } from '../job-tree/instance-id.ts'
import type { ShardState } from '../job-tree/shard-state.ts'
import { isMixed, type Versioned } from '../job-tree/job-view.ts'
import { readStates } from '../job-tree/read-states.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { ownerOf } from '../sharding/needs.ts'
import { passedByClaim } from '../fire-times/account.ts'
import { isConfirmed } from './confirmation.ts'
import type { Due, DueContext } from '../fire-times/due.ts'
import type { ExecutionHost } from './host.ts'
import type { ShardTable } from './shard-table.ts'
import type { ShardSlot } from './shard-slot.ts'
import { readOffsets } from './offsets.ts'
import type { Run } from './run.ts'
import type { Claim, Runs } from './runs.ts'
import { readsBehindTake, takeStillHolds } from './still-holds.ts'

export class Takeovers {
  readonly #host: ExecutionHost
  readonly #slots: ShardTable
  readonly #runs: Runs

  constructor(host: ExecutionHost, slots: ShardTable, runs: Runs) {
    this.#host = host
    this.#slots = slots
    this.#runs = runs
  }

  async take(
    shards: readonly number[],
    { latchNode, shardStates: known }: TakeSettings,
  ): Promise<void> {
    const { session, replica } = this.#host
    const slots = shards
      .filter((shard) => !this.#runs.isOrphaned(shard))
      .map((shard) => this.#slots.borrow(shard))
      .filter((slot) => slot !== undefined)
    if (slots.length === 0) return
    for (const slot of slots) slot.state = 'claiming'
    const stateOf = new Map<number, Versioned<ShardState>>(known)
    const unknown = slots.map(({ shard }) => shard).filter((shard) => !stateOf.has(shard))
    let unreadable: ReadonlySet<number>
    try {
      const read = await readStates(this.#host, unknown)
      unreadable = read.unreadable
      for (const [shard, state] of read.states) stateOf.set(shard, state)
    } catch (error) {
      for (const slot of slots) this.#giveBack(slot)
      if (!isRegistryError(error)) throw error
      return
    }
    const held = slots.filter((slot) => this.#slots.has(slot))
    // An operator may have paused the job since the shards were chosen.
    if (!takeoverCandidates(replica).includes(session.instance)) {
      for (const slot of held) this.#giveBack(slot)
      return
    }
    const dismissed: Promise<void>[] = []
    const takeovers: Claim[] = []
    const context = this.#host.dueContext(session.now())
    for (const slot of held) {
      const shardState = stateOf.get(slot.shard)
      if (isRunByAnother(replica, slot.shard) || unreadable.has(slot.shard)) this.#giveBack(slot)
      else if (shardState !== undefined && isTakeable(replica, shardState.value)) {
        takeovers.push(this.#plan(slot, shardState, context, latchNode))
      } else {
        this.#giveBack(slot)
        const isLeft = !isMixed(replica) && isDismissible(replica, shardState?.value)
        if (isLeft) dismissed.push(this.#dismiss(slot.shard, shardState))
      }
    }
    if (takeovers.length > 0) {
      await this.#runs.claim(takeovers, (runs) => this.beginIfTaken(runs))
    }
    await Promise.all(dismissed)
  }

  #plan(
    slot: ShardSlot,
    shardState: Versioned<ShardState>,
    context: DueContext,
    latchNode: string | undefined,
  ): Claim {
    const { replica } = this.#host
    const { now } = context
    const runId = this.#host.newRunId()
    const due = this.#dueOf(shardState.value)
    const counted = {
      shard: slot.shard,
      shardState: shardState.value,
      // A takeover moves no shard.
      server: serverOf(ownerOf(replica, slot.shard) ?? shardState.value.instance),
      created: 0,
      left: [],
    }
    const gone = [
      ...(shardState.value.report ?? []),
      ...passedByClaim(counted, due, { ...context, history: this.#host.fireHistory() }),
    ]
    const settings = { now, runId, nextFireTime: this.#host.nextFireTime(now), gone, latchNode }
    const plan = planTake(replica, this.#host.member(), slot.shard, shardState, settings)
    const run = this.#runs.prepare(slot, {
      runId,
      due,
      before: shardState.value,
      shardState: plan.shardState,
      gone,
    })
    // If this instance owns the shard, its next claim has to read the result of this run first.
    slot.isStale = true
    return { run, parts: plan.operations }
  }

  #dueOf({ fireTime, begin, round: manualRunId, source }: ShardState): Due {
    const running = this.#host.replica.jobState?.value.running
    const manualRun = source === 'trigger' && running?.id === manualRunId ? running : undefined
    return {
      source: 'failover',
      fireTime: manualRun?.asked ?? (fireTime || begin),
      round: manualRun,
    }
  }

  /** A Java instance may have joined, or a Java leader may be waiting for all runs to end. */
  async beginIfTaken(runs: readonly Run[]): Promise<void> {
    const mixed = isMixed(this.#host.replica)
    // The registry answers requests in order, so these reads see all of the claims.
    const [holds, knowsOffsets] = await Promise.all([
      isConfirmed(this.#host.session.read(readsBehindTake(this.#host.member())), (results) =>
        takeStillHolds(results, mixed),
      ),
      isConfirmed(readOffsets(this.#host, runs), () => true),
    ])
    if (!holds || !knowsOffsets) for (const { abort } of runs) abort.abort()
    this.#runs.begin(runs)
  }

  /** Nothing was taken over: resets the slot. */
  #giveBack(slot: ShardSlot): void {
    if (!this.#slots.has(slot)) return
    slot.state = 'unread'
    this.#slots.forgetIfLost(slot)
  }

  /** Deletes a waiting mark that has no run to repeat. */
  async #dismiss(shard: number, shardState: Versioned<ShardState> | undefined): Promise<void> {
    await this.#host.session
      .commit(planDismissal(this.#host.replica, this.#host.member(), shard, shardState))
      .catch((error: unknown) => {
        if (!isRegistryError(error)) throw error
      })
  }
}
