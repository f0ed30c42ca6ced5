import { ZooKeeperError } from '../errors.ts'

/** The digits that a server appends to the name of a sequential node. */
const sequenceDigits = 10

/**
 * Counts the bytes of the ephemeral paths that a session holds. The end of a session is one
 * transaction that lists them all; above 2 MB of paths no server of the ensemble can read that
 * transaction any more, and none of them starts again.
 */
export class EphemeralBudget {
  readonly limit: number
  readonly #held = new Map<string, number>()
  #heldBytes = 0
  /** Asked for and not answered: the nodes may exist from the moment that the requests leave. */
  #askedBytes = 0
  /** Asked for, and the answer was lost: counted until the server is asked what there is. */
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

  /** What was asked for was answered: with the paths that exist now, perhaps none. */
  answer(cost: number, made: readonly string[]): void {
    this.#askedBytes -= cost
    for (const path of made) this.#hold(path)
  }

  /** Nobody knows whether what was asked for exists. */
  doubt(cost: number): void {
    this.#askedBytes -= cost
    this.#doubtfulBytes += cost
  }

  /** A node is gone; nothing changes if it was none of ours. */
  release(path: string): void {
    const cost = this.#held.get(path)
    if (cost === undefined) return
    this.#held.delete(path)
    this.#heldBytes -= cost
  }

  /** Starts again from what the server says that the session holds. */
  recount(paths: readonly string[]): void {
    this.#held.clear()
    this.#heldBytes = 0
    this.#doubtfulBytes = 0
    for (const path of paths) this.#hold(path)
  }

  refusal(path: string): ZooKeeperError {
    return new ZooKeeperError(
      'ZK_EPHEMERAL_LIMIT',
      `create ${path}: this session holds ${this.bytes} bytes of ephemeral paths and may hold ${this.limit} ` +
        `(ephemeralBytesLimit). A session that ends with more than 2 MB of them leaves the ensemble unable to start; ` +
        `use a further client for further nodes.`,
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

/** What a path takes in the transaction that ends its session: its bytes, and their number in front. */
export function ephemeralCost(path: string, sequential: boolean): number {
  return Buffer.byteLength(path) + 4 + (sequential ? sequenceDigits : 0)
}
