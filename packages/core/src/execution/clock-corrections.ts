/** Corrects shard states that record fire times in the future. The clock was wrong when they were written. */
import { encodeShardState, type ShardState } from '../job-tree/shard-state.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { part } from '../registry/transaction.ts'
import { accountedUntil, correctedState } from '../fire-times/due.ts'
import type { ExecutionHost } from './host.ts'
import type { ShardSlot } from './shard-slot.ts'

export class ClockCorrections {
  readonly #host: ExecutionHost
  #isAskingTime = false

  constructor(host: ExecutionHost) {
    this.#host = host
  }

  correct(slot: ShardSlot, stored: ShardState): void {
    if (!this.#isSureOfTime(slot)) return
    const corrected = correctedState(stored, this.#host.session.now())
    if (this.#host.settings().monitorExecution && slot.stateVersion >= 0) {
      void this.#write(slot, stored, corrected)
      return
    }
    slot.keep({ shardState: corrected })
    this.#report(slot, stored)
  }

  /**
   * Writes the correction before the next claim and not with it, so that every later owner of the shard sees the same
   * recorded fire times.
   */
  async #write(slot: ShardSlot, stored: ShardState, corrected: ShardState): Promise<void> {
    const { session, replica } = this.#host
    const path = replica.paths.shardState(slot.shard)
    slot.correct()
    try {
      await session.commit([part.set(path, encodeShardState(corrected), slot.stateVersion)])
      this.#report(slot, stored)
    } catch (error) {
      // Another instance has changed the state, or the connection is lost. The slot is read again.
      if (!isRegistryError(error)) throw error
    } finally {
      slot.reset()
      this.#host.look()
    }
  }

  #report({ shard: shardingItem }: ShardSlot, stored: ShardState): void {
    const { jobName, emit } = this.#host
    emit('fire:corrected', { jobName, shardingItem, stored: accountedUntil(stored) })
  }

  /**
   * Either the clock that wrote the state was wrong, or this instance's estimate of the registry time is outdated. In
   * the second case a correction would repeat runs. So a write that started after this instance read the state has to
   * confirm the registry time first.
   */
  #isSureOfTime(slot: ShardSlot): boolean {
    const { session } = this.#host
    const now = session.clock.monotonic()
    if (session.timeAge <= now - slot.doubtedSince(now)) return true
    if (!this.#isAskingTime) void this.#askTime()
    return false
  }

  async #askTime(): Promise<void> {
    const { session } = this.#host
    this.#isAskingTime = true
    try {
      await session.prove()
      this.#host.look()
    } catch (error) {
      // Without a connection there are no claims. A reconnect triggers the next check.
      if (!isRegistryError(error)) throw error
    } finally {
      this.#isAskingTime = false
    }
  }
}
