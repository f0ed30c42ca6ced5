/**
 * Writes server-sent events one after the other: a slow reader receives fewer and larger messages instead of a
 * growing queue.
 */
import type { LiveMessageName } from '../../contract/live.ts'

export interface LiveEvent {
  readonly name: LiveMessageName
  /** JSON; as bytes if many readers receive the same. */
  readonly data: string | Uint8Array
}

const end = new TextEncoder().encode('\n\n')

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

  /** Aborted when the reader is gone. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /**
   * Writes the events in order. The last one carries the id: a reader that has it has received all of them. Resolves
   * when there is room for more.
   */
  async write(events: readonly LiveEvent[], id?: string): Promise<void> {
    const last = events.length - 1
    for (const [index, { name, data }] of events.entries()) {
      const idLine = index === last && id !== undefined ? `id: ${id}\n` : ''
      const head = `event: ${name}\n${idLine}data: `
      if (typeof data === 'string') await this.#send(this.#encoder.encode(`${head}${data}\n\n`))
      else for (const part of [this.#encoder.encode(head), data, end]) await this.#send(part)
    }
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await this.#writer.close().catch(() => {})
  }

  async #send(bytes: Uint8Array): Promise<void> {
    await this.#writer.ready
    await this.#writer.write(bytes)
  }
}
