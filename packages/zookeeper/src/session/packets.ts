/**
 * Packets within this many milliseconds count as the first of them: a busy session sends thousands in a tick.
 */
const grain = 100

/** A packet that the server has answered. */
interface Answered {
  readonly sent: number
  readonly heard: number
}

/**
 * The packets that the server has received over the current connection, as far back as needed. Only the
 * answer bounds when a packet arrived: after a cut link recovers, packets arrive all at once.
 */
export class Packets {
  /** Oldest first. */
  readonly #answered: Answered[] = []
  /** The time of the handshake, by which the ensemble's leader has heard of the session. */
  #begun = -Infinity

  /** Starts a new connection: packets sent over a former one may not have arrived. */
  begin(stamp: number): void {
    this.#begun = stamp
    this.#answered.length = 0
  }

  /** `span`: packets sent longer before this one prove nothing any more. */
  add(sent: number, heard: number, span: number): void {
    const last = this.#answered.at(-1)
    if (last !== undefined && sent - last.sent < grain) return
    this.#answered.push({ sent, heard })
    while ((this.#answered[0]?.sent ?? Infinity) < sent - span) this.#answered.shift()
  }

  /** When the last packet was sent that had been answered by this moment; at least the handshake. */
  lastUntil(stamp: number): number {
    const last = this.#answered.findLast(({ heard }) => heard <= stamp)
    return last === undefined ? this.#begun : Math.max(last.sent, this.#begun)
  }

  /** The first answer after this moment. */
  firstAfter(stamp: number): number | undefined {
    return this.#answered.find(({ heard }) => heard > stamp)?.heard
  }
}
