/**
 * Which zxids count as equal. Both servers number the same transactions equally, but one clean-up deletes its nodes
 * in no particular order: its zxids are interchangeable.
 */
export class ZxidScale {
  readonly #sameAs = new Map<bigint, bigint>()

  /** The transactions after `from` up to `to` have no particular order. */
  equate(from: bigint, to: bigint): void {
    for (let zxid = from + 1n; zxid <= to; zxid++) this.#sameAs.set(zxid, to)
  }

  canonical(zxid: bigint): bigint {
    return this.#sameAs.get(zxid) ?? zxid
  }
}
