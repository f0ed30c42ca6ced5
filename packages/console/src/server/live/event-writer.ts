/** Server-sent events, one after the other: whoever reads slowly gets fewer and larger ones, not a queue. */
import type { LiveMessageName } from '../../contract/live.ts'

export interface LiveEvent {
  readonly name: LiveMessageName
  /** JSON. */
  readonly data: string
}

export class EventWriter {
  readonly body: ReadableStream<Uint8Array>
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>
  readonly #encoder = new TextEncoder()
  readonly #ended = new AbortController()

  constructor() {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    this.body = readable
    this.#writer = writable.getWriter()
    this.#writer.closed.then(
      () => this.#ended.abort(),
      () => this.#ended.abort(),
    )
  }

  /** Aborted when nobody reads any more. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /**
   * All of them together; the id goes with the last: a reader who has that one has all of them. Resolves
   * when there is room for more.
   */
  async write(events: readonly LiveEvent[], id?: string): Promise<void> {
    if (events.length === 0) return
    const last = events.length - 1
    const text = events
      .map(({ name, data }, index) => {
        const idLine = index === last && id !== undefined ? `id: ${id}\n` : ''
        return `event: ${name}\n${idLine}data: ${data}\n\n`
      })
      .join('')
    await this.#writer.ready
    await this.#writer.write(this.#encoder.encode(text))
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await this.#writer.close().catch(() => {})
  }
}
