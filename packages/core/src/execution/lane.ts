import type { ItemWord } from '../job-tree/item-word.ts'
import type { OwnedItem } from './plan.ts'
import type { Run } from './run.ts'

/**
 * Where an item stands here. `unread`: what the registry says of it has to be read first. `foreign`: its
 * own node names somebody else, although the leader's epoch says it is ours: one of the two is on its
 * way. `claiming` and `ending`: a transaction is under way.
 */
export type LaneState =
  | 'unread'
  | 'reading'
  | 'foreign'
  | 'idle'
  | 'claiming'
  | 'running'
  | 'ending'

/** Every item has a lane of its own: it waits for no other. */
export class Lane implements OwnedItem {
  readonly item: number
  state: LaneState = 'unread'
  /** Something about the item changed while it was busy: read it again before the next claim. */
  isStale = false
  /** The connection was lost before its transaction was answered: nobody knows what came of it. */
  isCutOff = false
  isOwned = true
  ownerVersion = -1
  ownerCzxid = 0n
  created = 0
  word: ItemWord | undefined = undefined
  wordVersion = -1
  /** The word of this version was found to speak of the future at this moment, which no clock that is set moves. */
  doubt: { readonly wordVersion: number; readonly at: number } | undefined = undefined
  offset: string | undefined = undefined
  /** Since when it is ours. */
  readonly ownedSince: number
  /** Nothing that was scheduled until then is due here. */
  since = 0
  /** In a mixed job: it is ours by turn, whoever owns it. */
  byTurn = false
  /** When a disable was seen to be lifted. */
  enabledAt = 0
  run: Run | undefined = undefined
  /** Claims of the same fire that failed in a row. */
  failures = 0

  constructor(item: number, now: number) {
    this.item = item
    this.ownedSince = now
  }

  get isBusy(): boolean {
    return this.state === 'claiming' || this.state === 'running' || this.state === 'ending'
  }
}
