/** Takes over the runs of crashed instances, if the shard states allow it. */
import type { Claim, Claimer } from '../execution/claimer.ts'
import type { ExecutionHost } from '../execution/host.ts'
import type { ShardSlot } from '../execution/shard-slot.ts'
import type { ShardTable } from '../execution/shard-table.ts'
import { passedByClaim } from '../fire-times/account.ts'
import type { Due, DueContext } from '../fire-times/due.ts'
import { serverOf } from '../job-tree/instance-id.ts'
import { isMixed, type Versioned } from '../job-tree/job-view.ts'
import { readStates } from '../job-tree/read-states.ts'
import type { ShardState } from '../job-tree/shard-state.ts'
import { ignoreRegistryError, isRegistryError } from '../registry/registry-error.ts'
import { ownerOf } from '../sharding/needs.ts'
import {
  isDismissible,
  isRunByAnother,
  isTakeable,
  planDismissal,
  planTake,
  takeoverCandidates,
} from './plan.ts'

export interface TakeoverSettings {
  /** In mixed mode: the node of this instance in Java's latch, which this instance holds during the takeover. */
  readonly latchNode?: string
  /** Shard states that are already known and need no read. */
  readonly shardStates?: ReadonlyMap<number, Versioned<ShardState>>
}

export class Takeover {
  readonly #host: ExecutionHost
  readonly #slots: ShardTable
  readonly #claimer: Claimer

  constructor(host: ExecutionHost, slots: ShardTable, claimer: Claimer) {
    this.#host = host
    this.#slots = slots
    this.#claimer = claimer
  }

  /** Whether a takeover is in progress and its run has not started. */
  get isTaking(): boolean {
    for (const { state, run } of this.#slots) {
      if (state === 'reserved') return true
      if (state === 'claiming' && run?.due.source === 'failover') return true
    }
    return false
  }

  async take(shards: readonly number[], settings: TakeoverSettings): Promise<void> {
    const slots = shards
      .map((shard) => this.#slots.reserve(shard))
      .filter((slot) => slot !== undefined)
    const { jobName, emit } = this.#host
    await this.#takeReserved(slots, settings).catch((error: unknown) => {
      emit('error:unhandled', { jobName, error })
    })
  }

  async #takeReserved(
    slots: readonly ShardSlot[],
    { latchNode, shardStates: known }: TakeoverSettings,
  ): Promise<void> {
    const { session, replica } = this.#host
    if (slots.length === 0) return
    const stateOf = new Map<number, Versioned<ShardState>>(known)
    const unknown = slots.map(({ shard }) => shard).filter((shard) => !stateOf.has(shard))
    let unreadable: ReadonlySet<number>
    try {
      const read = await readStates(this.#host, unknown)
      unreadable = read.unreadable
      for (const [shard, state] of read.states) stateOf.set(shard, state)
    } catch (error) {
      for (const slot of slots) this.#slots.giveBack(slot)
      if (!isRegistryError(error)) throw error
      return
    }
    // An operator may have paused the job since the shards were chosen.
    const isCandidate = takeoverCandidates(replica).includes(session.instance)
    const dismissed: Promise<void>[] = []
    const claims: Claim[] = []
    const context = this.#host.dueContext(session.now())
    for (const slot of slots) {
      const { shard } = slot
      const shardState = stateOf.get(shard)
      // The session may have expired since the slot was reserved.
      if (!this.#slots.has(slot)) continue
      const isLeft = !isCandidate || isRunByAnother(replica, shard) || unreadable.has(shard)
      if (!isLeft && shardState !== undefined && isTakeable(replica, shardState.value)) {
        claims.push(this.#plan(slot, shardState, context, latchNode))
        continue
      }
      this.#slots.giveBack(slot)
      if (!isLeft && !isMixed(replica) && isDismissible(replica, shardState?.value))
        dismissed.push(this.#dismiss(shard, shardState))
    }
    // In native mode a takeover has no latch, and a Java instance that joins meanwhile refuses it.
    await this.#claimer.claim(claims, latchNode !== undefined)
    await Promise.all(dismissed)
  }

  #plan(
    slot: ShardSlot,
    shardState: Versioned<ShardState>,
    context: DueContext,
    latchNode: string | undefined,
  ): Claim {
    const { shard } = slot
    const { now } = context
    const before = shardState.value
    const member = this.#host.member()
    const runId = this.#host.newRunId()
    const due = this.#dueOf(before)
    // A takeover moves no shard.
    const server = serverOf(ownerOf(this.#host.replica, shard) ?? before.instance)
    const counted = { shard, shardState: before, server, created: 0, left: [] }
    const history = this.#host.fireHistory()
    const passed = passedByClaim(counted, due, { ...context, history })
    const gone = [...(before.report ?? []), ...passed]
    const settings = { now, runId, nextFireTime: this.#host.nextFireTime(now), gone, latchNode }
    const plan = planTake(this.#host.replica, member, shard, shardState, settings)
    const run = { runId, due, before, shardState: plan.shardState, gone }
    return { run: this.#claimer.prepare(slot, run), parts: plan.operations }
  }

  #dueOf({ fireTime, begin, round: manualRunId, source }: ShardState): Due {
    const running = this.#host.replica.jobState?.value.running
    const round = source === 'trigger' && running?.id === manualRunId ? running : undefined
    return { source: 'failover', fireTime: round?.asked ?? (fireTime || begin), round }
  }

  /** Deletes a waiting mark that has no run to repeat. */
  async #dismiss(shard: number, shardState: Versioned<ShardState> | undefined): Promise<void> {
    const parts = planDismissal(this.#host.replica, this.#host.member(), shard, shardState)
    await this.#host.session.commit(parts).catch(ignoreRegistryError)
  }
}
