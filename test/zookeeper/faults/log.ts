/** How long a test waits for something that has to come, before it says what came instead. */
const timeoutMs = 30_000

interface Waiting<T> {
  readonly isIt: (entry: T) => boolean
  readonly resolve: (entry: T) => void
}

/** What happened, in its order; tests wait for entries and compare the whole in the end. */
export class Log<T> {
  readonly entries: T[] = []
  #waiting: Waiting<T>[] = []

  /** Takes the next entry; a listener as it stands. */
  readonly add = (entry: T): void => {
    this.entries.push(entry)
    const waiting = this.#waiting
    this.#waiting = waiting.filter(({ isIt }) => !isIt(entry))
    for (const { isIt, resolve } of waiting) if (isIt(entry)) resolve(entry)
  }

  /** The first such entry after so many others, at once if it is there already. */
  until<Kind extends T>(isIt: (entry: T) => entry is Kind, after?: number): Promise<Kind>
  until(isIt: (entry: T) => boolean, after?: number): Promise<T>
  until(isIt: (entry: T) => boolean, after = 0): Promise<T> {
    const found = this.entries.slice(after).find(isIt)
    if (found !== undefined) return Promise.resolve(found)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`not within ${timeoutMs} ms, but:\n${this.#told()}`)),
        timeoutMs,
      )
      this.#waiting.push({
        isIt,
        resolve: (entry) => {
          clearTimeout(timer)
          resolve(entry)
        },
      })
    })
  }

  /** All entries, as soon as there are so many. */
  async atLeast(count: number): Promise<readonly T[]> {
    await this.until(() => this.entries.length >= count)
    return this.entries
  }

  #told(): string {
    const asText = (_: string, value: unknown): unknown =>
      typeof value === 'bigint' ? `0x${value.toString(16)}` : value
    return this.entries.map((entry) => JSON.stringify(entry, asText)).join('\n')
  }
}
