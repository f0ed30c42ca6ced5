/** Reads a stream of changes without understanding it: a hundred of these must not be what is measured. */

/** What of the text so far may belong to a word that is not whole yet. */
const longestWord = 100

export class StreamReader {
  bytes = 0
  #tail = ''
  readonly #waiting = new Map<string, () => void>()

  /** Resolves when this has been read, from now on. */
  until(word: string): Promise<void> {
    if (word.length > longestWord) throw new Error(`"${word}" is too long to be looked for`)
    return new Promise((resolve) => this.#waiting.set(word, resolve))
  }

  take(chunk: Buffer): void {
    this.bytes += chunk.length
    if (this.#waiting.size === 0) {
      this.#tail = ''
      return
    }
    const text = this.#tail + chunk.toString('latin1')
    for (const [word, found] of this.#waiting) {
      if (!text.includes(word)) continue
      this.#waiting.delete(word)
      found()
    }
    this.#tail = text.slice(-longestWord)
  }
}
