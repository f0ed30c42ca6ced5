import type { ShardState } from '../job-tree/shard-state.ts'
import type { OwnedShard, SavedOffset } from './plan.ts'
import type { Run } from './run.ts'

/**
 * State of a slot. `unread`: the nodes of the shard have to be read first. `foreign`: the owner node names another
 * instance, although the stored assignment names this one; one of the two changes has not arrived yet. `unreadable`:
 * the shard state or another node of the shard cannot be read, so no run starts. `claiming` and `ending`: a transaction
 * is in flight.
 */
export type SlotState =
  | 'unread'
  | 'reading'
  | 'foreign'
  | 'unreadable'
  | 'idle'
  | 'claiming'
  | 'running'
  | 'ending'

/** Runs one shard. Slots are independent: no shard waits for another. */
export class ShardSlot implements OwnedShard {
  readonly shard: number
  state: SlotState = 'unread'
  /** The shard changed while the slot was busy. It has to be read again before the next claim. */
  isStale = false
  /**
   * The connection was lost before the registry answered the transaction. Its result is unknown until the shard state
   * is read.
   */
  isCutOff = false
  isOwned = true
  ownerVersion = -1
  ownerCzxid = 0n
  created = 0
  /** The last known shard state, kept even if the node has been deleted. */
  shardState: ShardState | undefined = undefined
  /** -1 while the registry has no shard state. */
  stateVersion = -1
  /**
   * Set when the state of this version was found to lie in the future. `at` is monotonic, so setting the system clock
   * does not move it.
   */
  doubt: { readonly stateVersion: number; readonly at: number } | undefined = undefined
  offset: SavedOffset | undefined = undefined
  /** When this slot was created for the shard. */
  readonly ownedSince: number
  /** Fire times up to this time are not due on this instance. */
  since = 0
  /** In mixed mode: this instance runs the shard by turn, even if another instance owns it. */
  byTurn = false
  run: Run | undefined = undefined
  /** Failed claims in a row since the last fire time. */
  failures = 0

  constructor(shard: number, now: number) {
    this.shard = shard
    this.ownedSince = now
  }

  get isBusy(): boolean {
    return this.state === 'claiming' || this.state === 'running' || this.state === 'ending'
  }
}
