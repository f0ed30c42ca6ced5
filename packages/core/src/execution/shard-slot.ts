import type { ShardState } from '../job-tree/shard-state.ts'
import type { Ownership } from '../sharding/ownership.ts'
import type { SavedOffset } from './offsets.ts'
import type { OwnedShard } from './plan.ts'
import type { Run } from './run.ts'

/**
 * `unread`: the nodes of the shard have to be read. `correcting`: a corrected shard state is being written. `foreign`:
 * the owner node names another instance, although the stored assignment names this one; one of the two changes has not
 * arrived yet. `unreadable`: a node of the shard cannot be read, so no run starts. `reserved`: kept for a takeover whose
 * run is not planned yet. `claiming` and `ending`: a transaction is in flight or cut off. `orphaned`: the session has
 * expired and the code still runs. `discarded`: the session has expired; no transition has an effect any more.
 */
export type SlotState =
  | 'unread'
  | 'reading'
  | 'correcting'
  | 'foreign'
  | 'unreadable'
  | 'idle'
  | 'reserved'
  | 'claiming'
  | 'running'
  | 'ending'
  | 'orphaned'
  | 'discarded'

type Targets = Readonly<Partial<Record<SlotState, SlotState>>>

/** The states in which each transition is legal, and where it leads. Anything else is a programming error. */
const transitions = {
  /** In these states the slot waits for an answer or a run, stays, and becomes stale. Other slots are read again. */
  invalidate: {
    unread: 'unread',
    reading: 'reading',
    correcting: 'correcting',
    foreign: 'unread',
    unreadable: 'unread',
    idle: 'unread',
    reserved: 'reserved',
    claiming: 'claiming',
    running: 'running',
    ending: 'ending',
    orphaned: 'orphaned',
  },
  read: { unread: 'reading' },
  load: { reading: 'idle' },
  findForeign: { reading: 'foreign' },
  findUnreadable: { reading: 'unreadable' },
  correct: { idle: 'correcting' },
  reset: { reading: 'unread', correcting: 'unread', reserved: 'unread' },
  reserve: { unread: 'reserved', foreign: 'reserved', unreadable: 'reserved', idle: 'reserved' },
  claim: { idle: 'claiming', reserved: 'claiming' },
  begin: { claiming: 'running' },
  end: { running: 'ending', orphaned: 'discarded' },
  cutOff: { claiming: 'claiming', ending: 'ending' },
  settle: { claiming: 'claiming', ending: 'ending' },
  /** A stale slot becomes unread instead. */
  release: { claiming: 'idle', ending: 'idle' },
  expire: {
    unread: 'discarded',
    reading: 'discarded',
    correcting: 'discarded',
    foreign: 'discarded',
    unreadable: 'discarded',
    idle: 'discarded',
    reserved: 'discarded',
    claiming: 'discarded',
    running: 'orphaned',
    ending: 'discarded',
  },
} as const satisfies Readonly<Record<string, Targets>>

type Transition = keyof typeof transitions

/** What the registry has about a shard that this instance owns. */
export interface LoadedShard {
  readonly ownerVersion: number
  readonly ownerCzxid: bigint
  /** Since when `sharding/{i}/instance` names the current owner. */
  readonly ownerSince: number
  readonly created: number
  /** The last known shard state, kept even if the node has been deleted. */
  readonly shardState: ShardState | undefined
  /** -1 while the registry has no shard state. */
  readonly stateVersion: number
  readonly offset: SavedOffset | undefined
}

/** Runs one shard. Slots are independent: no shard waits for another. Only the slot itself changes its fields. */
export class ShardSlot implements OwnedShard {
  readonly shard: number
  /** When this slot was created for the shard. */
  readonly ownedSince: number
  #state: SlotState = 'unread'
  #isStale = false
  #isCutOff = false
  #isOwned = false
  #ownership: Ownership = { since: 0, byTurn: false }
  #owner = { ownerVersion: -1, ownerCzxid: 0n, ownerSince: 0, created: 0 }
  #shardState: ShardState | undefined
  #stateVersion = -1
  #offset: SavedOffset | undefined
  #run: Run | undefined
  #failures = 0
  #doubt: { readonly stateVersion: number; readonly at: number } | undefined

  constructor(shard: number, now: number) {
    this.shard = shard
    this.ownedSince = now
  }

  get state(): SlotState {
    return this.#state
  }

  /** Whether a takeover is planned, or a run has been claimed and its end is not recorded. */
  get isBusy(): boolean {
    const state = this.#state
    return state === 'reserved' || state === 'claiming' || state === 'running' || state === 'ending'
  }

  /** The shard changed while the slot was busy or being read. It has to be read again before the next claim. */
  get isStale(): boolean {
    return this.#isStale
  }

  /**
   * The connection was lost before the registry answered the transaction. Its result is unknown until the shard state
   * is read.
   */
  get isCutOff(): boolean {
    return this.#isCutOff
  }

  get isOwned(): boolean {
    return this.#isOwned
  }

  /** Fire times up to this time are not due on this instance. */
  get since(): number {
    return this.#ownership.since
  }

  /** In mixed mode: this instance runs the shard by turn, even if another instance owns it. */
  get byTurn(): boolean {
    return this.#ownership.byTurn
  }

  get ownerVersion(): number {
    return this.#owner.ownerVersion
  }

  get ownerCzxid(): bigint {
    return this.#owner.ownerCzxid
  }

  get ownerSince(): number {
    return this.#owner.ownerSince
  }

  get created(): number {
    return this.#owner.created
  }

  get shardState(): ShardState | undefined {
    return this.#shardState
  }

  get stateVersion(): number {
    return this.#stateVersion
  }

  get offset(): SavedOffset | undefined {
    return this.#offset
  }

  get run(): Run | undefined {
    return this.#run
  }

  /** Failed claims in a row since the last fire time. */
  get failures(): number {
    return this.#failures
  }

  own(ownership: Ownership): void {
    this.#isOwned = true
    this.#ownership = ownership
  }

  lose(): void {
    this.#isOwned = false
  }

  /** What was read of the shard may be outdated. */
  invalidate(): void {
    const before = this.#state
    if (this.#go('invalidate') && this.#state === before) this.#isStale = true
  }

  read(): void {
    if (this.#go('read')) this.#isStale = false
  }

  load({ shardState, stateVersion, offset, ...owner }: LoadedShard): void {
    if (!this.#go('load')) return
    this.#owner = owner
    this.#shardState = shardState
    this.#stateVersion = stateVersion
    this.#offset = offset
  }

  findForeign(): void {
    this.#go('findForeign')
  }

  findUnreadable(): void {
    this.#go('findUnreadable')
  }

  /** A corrected shard state is being written. */
  correct(): void {
    this.#go('correct')
  }

  /** The correction of a state that the registry does not store. */
  correctUnstored(shardState: ShardState): void {
    this.#shardState = shardState
  }

  /** When the current state was first found to lie in the future, on a clock that nobody sets. */
  doubtedSince(now: number): number {
    if (this.#doubt?.stateVersion !== this.#stateVersion) {
      this.#doubt = { stateVersion: this.#stateVersion, at: now }
    }
    return this.#doubt.at
  }

  /** The read or the correction is over or has failed, or nothing was taken over: the shard is read again. */
  reset(): void {
    this.#go('reset')
  }

  /** Keeps the slot for a takeover. */
  reserve(): void {
    this.#go('reserve')
  }

  claim(run: Run): void {
    // If this instance owns a shard that it takes over, the next claim has to read the result of this run first.
    const isTakeover = this.#state === 'reserved'
    if (!this.#go('claim')) return
    this.#run = run
    if (isTakeover) this.#isStale = true
  }

  /** A fire time has come or is imminent: refused claims get one more try. */
  retryClaims(): void {
    this.#failures = 0
  }

  /** The claim holds and the code starts. Returns false for a discarded slot. */
  begin({ plan, isWritten, stateVersion }: Run): boolean {
    if (!this.#go('begin')) return false
    this.#failures = 0
    this.#shardState = plan.shardState
    if (isWritten) this.#stateVersion = stateVersion
    return true
  }

  keepOffset(offset: SavedOffset | undefined): void {
    this.#offset = offset
  }

  /** The code has ended or will not start. */
  end(): void {
    this.#go('end')
  }

  /** The registry has not answered the transaction of the claim or of the end. */
  cutOff(): void {
    if (this.#go('cutOff')) this.#isCutOff = true
  }

  /** The shard state is being read to learn the result of the transaction. */
  settle(): void {
    if (this.#go('settle')) this.#isCutOff = false
  }

  /** The registry has recorded the end of the run. */
  record(shardState: ShardState, version: number): void {
    this.release()
    this.#shardState = shardState
    this.#stateVersion = version
  }

  /** The registry has refused the claim. */
  refuse(): void {
    this.#failures += 1
    this.supersede()
  }

  /** Another run has claimed the shard. */
  supersede(): void {
    this.invalidate()
    this.release()
  }

  release(): void {
    if (!this.#go('release')) return
    this.#run?.lease?.release()
    this.#run = undefined
    this.#isCutOff = false
    if (this.#isStale) this.#state = 'unread'
    this.#isStale = false
  }

  /** The session that claimed the run has expired. */
  expire(): void {
    this.#go('expire')
  }

  /** Returns false for a discarded slot, which ignores every transition. */
  #go(transition: Transition): boolean {
    if (this.#state === 'discarded') return false
    const targets: Targets = transitions[transition]
    const next = targets[this.#state]
    if (next === undefined) {
      throw new TypeError(`shard ${this.shard}: cannot ${transition} while ${this.#state}`)
    }
    this.#state = next
    return true
  }
}
