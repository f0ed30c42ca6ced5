import type { ShardState } from '../job-tree/shard-state.ts'
import type { OwnedShard, SavedOffset } from './plan.ts'
import type { Run } from './run.ts'

/**
 * Where a shard stands here. `unread`: what the registry says of it has to be read first. `foreign`: its own node names
 * somebody else, although the leader's epoch says it is ours: one of the two is on its way. `unreadable`: the shard
 * state, or another node of the shard, cannot be read, so nothing starts. `claiming` and `ending`: a transaction is
 * under way.
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

/** Every shard has a slot of its own: it waits for no other. */
export class ShardSlot implements OwnedShard {
  readonly shard: number
  state: SlotState = 'unread'
  /** Something about the shard changed while it was busy: read it again before the next claim. */
  isStale = false
  /** The connection was lost before its transaction was answered: nobody knows what came of it. */
  isCutOff = false
  isOwned = true
  ownerVersion = -1
  ownerCzxid = 0n
  /** Since when `sharding/{i}/instance` names its owner. */
  ownerSince = 0
  created = 0
  /** What was last known of it, also if it is not stored any more. */
  shardState: ShardState | undefined = undefined
  /** -1 while it is not stored. */
  stateVersion = -1
  /** The state of this version was found to speak of the future at this moment, which no clock that is set moves. */
  doubt: { readonly stateVersion: number; readonly at: number } | undefined = undefined
  offset: SavedOffset | undefined = undefined
  /** Since when it is ours. */
  readonly ownedSince: number
  /** Nothing that was scheduled until then is due here. */
  since = 0
  /** In a mixed job: it is ours by turn, whoever owns it. */
  byTurn = false
  run: Run | undefined = undefined
  /** Claims of the same fire that failed in a row. */
  failures = 0

  constructor(shard: number, now: number) {
    this.shard = shard
    this.ownedSince = now
  }

  get isBusy(): boolean {
    return this.state === 'claiming' || this.state === 'running' || this.state === 'ending'
  }
}
