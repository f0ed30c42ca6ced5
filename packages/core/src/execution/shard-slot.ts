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
 * expired and the code still runs. `discarded`: the session has expired and nothing runs.
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

/** In these states the shard waits for the end of its run or takeover. */
const busy: ReadonlySet<SlotState> = new Set(['reserved', 'claiming', 'running', 'ending'])

type Targets = Readonly<Partial<Record<SlotState | 'others', SlotState | 'same'>>>

/**
 * Where each transition leads, by the state in which it is legal. In any other state it is a programming error. A
 * discarded slot ignores every transition, because answers of its session may still arrive.
 */
const transitions = {
  /** The last read may be outdated. A slot that stays in its state becomes stale. */
  invalidate: { foreign: 'unread', unreadable: 'unread', idle: 'unread', others: 'same' },
  read: { unread: 'reading' },
  load: { reading: 'idle' },
  foreign: { reading: 'foreign' },
  unreadable: { reading: 'unreadable' },
  correct: { idle: 'correcting' },
  reset: { reading: 'unread', correcting: 'unread', reserved: 'unread' },
  reserve: { unread: 'reserved', foreign: 'reserved', unreadable: 'reserved', idle: 'reserved' },
  claim: { idle: 'claiming', reserved: 'claiming' },
  begin: { claiming: 'running' },
  end: { running: 'ending', orphaned: 'discarded' },
  cutOff: { claiming: 'same', ending: 'same' },
  settle: { claiming: 'same', ending: 'same' },
  refuse: { claiming: 'unread' },
  supersede: { ending: 'unread' },
  /** A stale slot becomes unread instead. */
  release: { claiming: 'idle' },
  record: { ending: 'idle' },
  expire: { running: 'orphaned', orphaned: 'same', others: 'discarded' },
} as const satisfies Readonly<Record<string, Targets>>

/** A shard as this instance last read it, updated by the later writes of this instance. */
export interface LoadedShard extends OwnedShard {
  readonly ownerCzxid: bigint
  readonly offset: SavedOffset | undefined
}

/** Runs one shard. Slots are independent: no shard waits for another. Nothing else changes their fields. */
export class ShardSlot {
  readonly shard: number
  /** When this slot was created for the shard. */
  readonly ownedSince: number
  #state: SlotState = 'unread'
  #isStale = false
  #isCutOff = false
  #isOwned = false
  #ownership: Ownership = { since: 0, byTurn: false }
  #loaded: LoadedShard
  #run: Run | undefined
  #failures = 0
  #doubt: { readonly stateVersion: number; readonly at: number } | undefined

  constructor(shard: number, now: number) {
    this.shard = shard
    this.ownedSince = now
    const owner = { ownerVersion: -1, ownerCzxid: 0n, created: 0 }
    this.#loaded = { shard, ...owner, shardState: undefined, stateVersion: -1, offset: undefined }
  }

  get state(): SlotState {
    return this.#state
  }

  /** Whether a takeover is planned, or a run has been claimed and its end is not recorded. */
  get isBusy(): boolean {
    return busy.has(this.#state)
  }

  /** The shard changed while the slot was busy or being read. It has to be read again before the next claim. */
  get isStale(): boolean {
    return this.#isStale
  }

  /** The connection was lost before the registry answered. The shard state has to be read to learn the result. */
  get isCutOff(): boolean {
    return this.#isCutOff
  }

  get isOwned(): boolean {
    return this.#isOwned
  }

  /** How this instance got the shard. It stays as it was when the shard is lost. */
  get ownership(): Ownership {
    return this.#ownership
  }

  get loaded(): LoadedShard {
    return this.#loaded
  }

  /** The last known shard state, kept even if the node has been deleted. */
  get shardState(): ShardState | undefined {
    return this.#loaded.shardState
  }

  get stateVersion(): number {
    return this.#loaded.stateVersion
  }

  get offset(): SavedOffset | undefined {
    return this.#loaded.offset
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

  invalidate(): void {
    const before = this.#state
    if (this.#go('invalidate') && this.#state === before) this.#isStale = true
  }

  read(): void {
    if (this.#go('read')) this.#isStale = false
  }

  load(loaded: LoadedShard): void {
    if (this.#go('load')) this.#loaded = loaded
  }

  find(problem: 'foreign' | 'unreadable'): void {
    this.#go(problem)
  }

  /** A corrected shard state is being written. */
  correct(): void {
    this.#go('correct')
  }

  /** When the current state was first found to lie in the future. Setting the system clock does not move it. */
  doubtedSince(monotonic: number): number {
    const { stateVersion } = this
    if (this.#doubt?.stateVersion !== stateVersion) this.#doubt = { stateVersion, at: monotonic }
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

  /** The claim holds, and the code starts. Returns false for a discarded slot. */
  begin({ plan: { shardState }, isWritten, stateVersion }: Run): boolean {
    if (!this.#go('begin')) return false
    this.#failures = 0
    this.keep(isWritten ? { shardState, stateVersion } : { shardState })
    return true
  }

  /** Records values that this instance has written or read since it loaded the shard. */
  keep(known: Partial<Pick<LoadedShard, 'shardState' | 'stateVersion' | 'offset'>>): void {
    this.#loaded = { ...this.#loaded, ...known }
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
  record(shardState: ShardState, stateVersion: number): void {
    this.#free('record')
    this.keep({ shardState, stateVersion })
  }

  /** The registry has refused the claim. */
  refuse(): void {
    this.#free('refuse')
    this.#failures += 1
  }

  /** Another run has claimed the shard. */
  supersede(): void {
    this.#free('supersede')
  }

  /** The run does not start, and the registry knows nothing of it. */
  release(): void {
    this.#free('release')
  }

  #free(transition: 'record' | 'refuse' | 'supersede' | 'release'): void {
    if (!this.#go(transition)) return
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

  #go(transition: keyof typeof transitions): boolean {
    const state = this.#state
    if (state === 'discarded') return false
    const targets: Targets = transitions[transition]
    const next = targets[state] ?? targets.others
    if (next === undefined) throw new TypeError(`a slot cannot ${transition} while ${state}`)
    if (next !== 'same') this.#state = next
    return true
  }
}
