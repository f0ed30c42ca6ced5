import type { LiveMessage, LiveMessageName } from '../../src/contract/live.ts'
import type { Visitor } from './visitor.ts'

export interface Heard {
  readonly name: string
  readonly id: string | undefined
  readonly data: unknown
}

/** Reads a stream of changes as a browser does. */
export class LiveReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #decoder = new TextDecoder()
  readonly #heard: Heard[] = []
  #rest = ''
  lastId: string | undefined

  private constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader
  }

  static async open(
    visitor: Visitor,
    query: string,
    headers: Record<string, string> = {},
  ): Promise<LiveReader> {
    const response = await visitor.raw('GET', `/live?${query}`, { headers })
    if (response.status !== 200 || response.body === null) {
      throw new Error(`no stream: ${response.status} ${await response.text()}`)
    }
    return new LiveReader(response.body.getReader())
  }

  /** The next message of that name of which it is true. */
  async until<N extends LiveMessageName>(
    name: N,
    isMeant: (data: LiveMessage<N>) => boolean = () => true,
  ): Promise<LiveMessage<N>> {
    for (;;) {
      const heard = await this.#next()
      if (heard === undefined) throw new Error('the stream has ended')
      const data = heard.data as LiveMessage<N>
      if (heard.name === name && isMeant(data)) return data
    }
  }

  /** Whether the stream has ended; what is still said until then is not looked at. */
  async ended(): Promise<true> {
    while ((await this.#next()) !== undefined);
    return true
  }

  close(): Promise<void> {
    return this.#reader.cancel()
  }

  async #next(): Promise<Heard | undefined> {
    while (this.#heard.length === 0) {
      const { done, value } = await this.#reader.read()
      if (done) return undefined
      this.#take(this.#decoder.decode(value, { stream: true }))
    }
    const heard = this.#heard.shift() as Heard
    if (heard.id !== undefined) this.lastId = heard.id
    return heard
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => {
          const colon = line.indexOf(': ')
          return [line.slice(0, colon), line.slice(colon + 2)] as const
        }),
      )
      this.#heard.push({
        name: fields.get('event') ?? '',
        id: fields.get('id'),
        data: JSON.parse(fields.get('data') ?? 'null') as unknown,
      })
    }
  }
}
