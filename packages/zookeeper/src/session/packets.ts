/** So close together, packets count as the first of them: a busy session sends thousands in a tick. */
const grain = 100

/** A packet that the server has answered. */
interface Answered {
  readonly sent: number
  readonly heard: number
}

/**
 * Which packets the server has got over the present connection, as far back as anybody asks. When they got
 * there only the answer bounds: behind a link that was cut they arrive all at once.
 */
export class Packets {
  /** In their order. */
  readonly #answered: Answered[] = []
  /** The ensemble's leader has heard of the session then at the latest, by the handshake. */
  #begun = -Infinity

  /** A connection begins: what was sent over another one may never have reached anybody. */
  begin(stamp: number): void {
    this.#begun = stamp
    this.#answered.length = 0
  }

  /** `span`: what was sent longer before this proves nothing any more. */
  add(sent: number, heard: number, span: number): void {
    const last = this.#answered.at(-1)
    if (last !== undefined && sent - last.sent < grain) return
    this.#answered.push({ sent, heard })
    while ((this.#answered[0]?.sent ?? Infinity) < sent - span) this.#answered.shift()
  }

  /** When the last one was sent that had been answered by this moment, the handshake at the least. */
  lastUntil(stamp: number): number {
    const last = this.#answered.findLast(({ heard }) => heard <= stamp)
    return last === undefined ? this.#begun : Math.max(last.sent, this.#begun)
  }

  /** The first answer after this moment. */
  firstAfter(stamp: number): number | undefined {
    return this.#answered.find(({ heard }) => heard > stamp)?.heard
  }
}
