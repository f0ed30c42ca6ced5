import type { HistoryStore } from './history-store.ts'

/** A store that is opened when it is needed first, and again if that has failed. */
export class LazyStore {
  readonly #open: () => Promise<HistoryStore>
  #opening: Promise<HistoryStore> | undefined
  #isClosed = false

  constructor(open: () => Promise<HistoryStore>) {
    this.#open = open
  }

  get(): Promise<HistoryStore> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  /** One that is still being opened is closed as soon as it is open; nobody waits for that. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const closed = this.#opening?.then((store) => store.close()).catch(() => {})
    await closed
  }
}
