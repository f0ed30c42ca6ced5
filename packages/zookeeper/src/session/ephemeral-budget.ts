import { ZooKeeperError } from '../errors.ts'

/** The length of the sequence number that a server appends to a sequential node's name. */
const sequenceDigits = 10

/**
 * Counts the bytes of the session's ephemeral paths. The end of a session is one transaction that lists them
 * all; above 2 MB of paths no server of the ensemble can read that transaction, and none of them starts
 * again.
 */
export class EphemeralBudget {
  readonly limit: number
  readonly #held = new Map<string, number>()
  #heldBytes = 0
  /** Requested and not answered: the nodes may exist from the moment that the requests are sent. */
  #askedBytes = 0
  /** Requested with a lost answer: counted until the server reports the session's nodes. */
  #doubtfulBytes = 0

  constructor(limit: number) {
    this.limit = limit
  }

  get bytes(): number {
    return this.#heldBytes + this.#askedBytes + this.#doubtfulBytes
  }

  fits(cost: number): boolean {
    return this.bytes + cost <= this.limit
  }

  ask(cost: number): void {
    this.#askedBytes += cost
  }

  /** Replaces a requested cost by the paths that exist now, perhaps none. */
  answer(cost: number, made: readonly string[]): void {
    this.#askedBytes -= cost
    for (const path of made) this.#hold(path)
  }

  /** Marks a requested cost as having an unknown outcome. */
  doubt(cost: number): void {
    this.#askedBytes -= cost
    this.#doubtfulBytes += cost
  }

  /** Releases a deleted node; no effect on nodes of other sessions. */
  release(path: string): void {
    const cost = this.#held.get(path)
    if (cost === undefined) return
    this.#held.delete(path)
    this.#heldBytes -= cost
  }

  /** Starts again from the session's nodes as the server reports them. */
  recount(paths: readonly string[]): void {
    this.#held.clear()
    this.#heldBytes = 0
    this.#doubtfulBytes = 0
    for (const path of paths) this.#hold(path)
  }

  refusal(path: string): ZooKeeperError {
    return new ZooKeeperError(
      'ZK_EPHEMERAL_LIMIT',
      `create ${path}: this session holds ${this.bytes} bytes of ephemeral paths, the limit is ${this.limit} ` +
        `(ephemeralBytesLimit). The end of a session with more than 2 MB of paths leaves the ensemble unable to start; ` +
        `use another client for more nodes.`,
      { operation: 'create', path },
    )
  }

  #hold(path: string): void {
    if (this.#held.has(path)) return
    const cost = ephemeralCost(path, false)
    this.#held.set(path, cost)
    this.#heldBytes += cost
  }
}

/** The size of a path in the transaction that ends its session: its bytes and the length prefix. */
export function ephemeralCost(path: string, sequential: boolean): number {
  return Buffer.byteLength(path) + 4 + (sequential ? sequenceDigits : 0)
}
