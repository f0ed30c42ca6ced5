/**
 * Which zxids count as the same. Both servers number the same transactions the same way, but the
 * nodes that one clean-up deletes come in no particular order: its zxids stand for each other.
 */
export class ZxidScale {
  readonly #sameAs = new Map<bigint, bigint>()

  /** The transactions after `from` up to `to` came in no particular order. */
  equate(from: bigint, to: bigint): void {
    for (let zxid = from + 1n; zxid <= to; zxid++) this.#sameAs.set(zxid, to)
  }

  canonical(zxid: bigint): bigint {
    return this.#sameAs.get(zxid) ?? zxid
  }
}
