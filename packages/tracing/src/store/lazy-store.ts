import type { HistoryStore } from './history-store.ts'

/** A store that is opened on first use, and again after a failure. */
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

  /** A store that is still opening is closed once it is open, without waiting for it. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const closed = this.#opening?.then((store) => store.close()).catch(() => {})
    await closed
  }
}
