/** So close together, packets count as the first of them: a busy session sends thousands in a tick. */
const grain = 100

/** When packets were sent over the present connection, as far back as anybody asks. */
export class Packets {
  /** In their order. */
  readonly #times: number[] = []
  /** The ensemble's leader has heard of the session then at the latest, by the handshake. */
  #begun = -Infinity

  /** A connection begins: what was sent over another one may never have reached anybody. */
  begin(stamp: number): void {
    this.#begun = stamp
    this.#times.length = 0
  }

  /** `span`: what was sent longer before this proves nothing any more. */
  add(stamp: number, span: number): void {
    const last = this.#times.at(-1)
    if (last !== undefined && stamp - last < grain) return
    this.#times.push(stamp)
    while ((this.#times[0] ?? Infinity) < stamp - span) this.#times.shift()
  }

  /** The last one until this moment, the handshake at the least. */
  lastUntil(stamp: number): number {
    const last = this.#times.findLast((time) => time <= stamp)
    return last === undefined ? this.#begun : Math.max(last, this.#begun)
  }

  /** The first one after this moment. */
  firstAfter(stamp: number): number | undefined {
    return this.#times.find((time) => time > stamp)
  }
}
