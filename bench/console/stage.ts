/** A real ZooKeeper with a large namespace in it, a console that looks at it, and pages that look at that. */
import { program } from '../measure/build.ts'
import { launcher } from '../measure/cores.ts'
import { LineProcess } from '../measure/line-process.ts'
import { type MeasuredServer, startReal } from '../server/servers.ts'

export const namespace = 'measured'
export const password = 'a-password-to-measure-with'

export interface StageSize {
  readonly jobs: number
  readonly shards: number
  readonly deadServers: number
}

/** The namespace and its server; gives jobs another description. */
export class Registry implements AsyncDisposable {
  readonly nodes: number
  readonly seconds: number
  readonly #server: MeasuredServer
  readonly #filler: LineProcess<{ nodes: number; seconds: number }>

  private constructor(
    server: MeasuredServer,
    filler: LineProcess<{ nodes: number; seconds: number }>,
  ) {
    this.#server = server
    this.#filler = filler
    this.nodes = filler.greeting.nodes
    this.seconds = filler.greeting.seconds
  }

  static async make(size: StageSize, pinned: boolean): Promise<Registry> {
    const server = await startReal({ pinned, fsync: false, durable: false })
    try {
      const filler = await LineProcess.start<{ nodes: number; seconds: number }>([
        ...launcher('server', pinned),
        ...program('drivers/console/fill.js'),
        server.connectString,
        namespace,
        ...[size.jobs, size.shards, size.deadServers].map(String),
      ])
      return new Registry(server, filler)
    } catch (error) {
      await server.stop()
      throw error
    }
  }

  get connectString(): string {
    return this.#server.connectString
  }

  /** Answers when it was written, by the machine's clock. */
  async change(job: number, text: string): Promise<number> {
    this.#filler.write({ job, text })
    const { at } = (await this.#filler.next()) as { readonly at: number }
    return at
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Its sessions would be closed in good order, which takes longer than the server needs to end.
    this.#filler.kill()
    await this.#filler.end()
    await this.#server.stop()
  }
}

export class MeasuredConsole implements AsyncDisposable {
  readonly url: string
  readonly #process: LineProcess<{ url: string }>

  private constructor(running: LineProcess<{ url: string }>) {
    this.#process = running
    this.url = running.greeting.url
  }

  static async start({ connectString }: Registry, pinned: boolean): Promise<MeasuredConsole> {
    return new MeasuredConsole(
      await LineProcess.start<{ url: string }>([
        ...launcher('client', pinned),
        ...program('drivers/console/serve.js'),
        connectString,
        namespace,
        password,
      ]),
    )
  }

  get pid(): number {
    return this.#process.pid
  }

  /** The longest time since this was last asked that it did nothing else, in milliseconds. */
  async stoodStill(): Promise<number> {
    this.#process.write({})
    const { stoodStill } = (await this.#process.next()) as { readonly stoodStill: number }
    return stoodStill
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.end()
  }
}

interface Opening {
  /** When each page had its first jobs, in milliseconds. */
  readonly first: readonly number[]
  /** When each page had all of them. */
  readonly all: readonly number[]
  readonly bytes: number
}

/** Pages that are open, as a console sees them. */
export class Pages implements AsyncDisposable {
  readonly opening: Opening
  readonly #process: LineProcess<Opening>

  private constructor(running: LineProcess<Opening>) {
    this.#process = running
    this.opening = running.greeting
  }

  static async open({ url }: MeasuredConsole, count: number, pinned: boolean): Promise<Pages> {
    return new Pages(
      await LineProcess.start<Opening>([
        ...launcher('server', pinned),
        ...program('drivers/console/pages.js'),
        url,
        password,
        String(count),
      ]),
    )
  }

  /** When each of them was told of a text, by the machine's clock. */
  async expect(text: string): Promise<{ readonly seen: Promise<readonly number[]> }> {
    this.#process.write({ expect: text })
    await this.#process.next()
    const seen = this.#process.next() as Promise<{ readonly seen: readonly number[] }>
    return { seen: seen.then((told) => told.seen) }
  }

  async list(
    query: string,
    times: number,
    together: number,
  ): Promise<{ readonly took: readonly number[]; readonly bytes: number }> {
    this.#process.write({ list: query, times, together })
    return (await this.#process.next()) as { took: readonly number[]; bytes: number }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.end()
  }
}
