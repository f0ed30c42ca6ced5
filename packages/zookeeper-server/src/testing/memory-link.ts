import type { ByteStream, ByteStreamHandler, Clock } from '@elasticjob/zookeeper'
import type { ServerStream, ServerStreamHandler } from '../net/server-stream.ts'
import { MemoryPipe } from './memory-pipe.ts'

/** Accepts a client's stream, or refuses it. */
export type Acceptor = (
  stream: ServerStream,
  address: string,
  port: number,
) => ServerStreamHandler | undefined

export interface MemoryLinkOptions {
  readonly clock: Clock
  readonly client: string
  readonly clientPort: number
  readonly server: string
  readonly latency: (from: string, to: string) => number
  readonly handler: ByteStreamHandler
  /** Finds the listener at the time of the connect. */
  readonly findAcceptor: () => Acceptor | undefined
  readonly onClosed: () => void
}

type ToServer = Uint8Array | 'open' | 'closed'
type ToClient = Uint8Array | 'opened' | 'refused' | 'closed'

/** A connection in memory. This object is the client's stream; the server gets its own. */
export class MemoryLink implements ByteStream {
  readonly client: string
  readonly server: string
  readonly #options: MemoryLinkOptions
  readonly #toServer: MemoryPipe<ToServer>
  readonly #toClient: MemoryPipe<ToClient>
  #clientHandler: ByteStreamHandler | undefined
  #serverHandler: ServerStreamHandler | undefined
  /** Bytes sent by the server that the client has not received. */
  #unsent = 0
  /** Bytes that arrived while the server did not read. */
  #unread: Uint8Array[] = []
  #isServerPaused = false

  constructor(options: MemoryLinkOptions) {
    const { clock, client, server, latency, handler } = options
    this.client = client
    this.server = server
    this.#options = options
    this.#clientHandler = handler
    this.#toServer = new MemoryPipe(
      clock,
      () => latency(client, server),
      (value) => this.#arriveAtServer(value),
    )
    this.#toClient = new MemoryPipe(
      clock,
      () => latency(server, client),
      (value) => this.#arriveAtClient(value),
    )
    this.#toServer.push('open')
  }

  write(bytes: Uint8Array): void {
    if (this.#clientHandler !== undefined) this.#toServer.push(bytes)
  }

  end(): void {
    if (this.#clientHandler !== undefined) this.#toServer.push('closed')
  }

  destroy(): void {
    if (this.#clientHandler === undefined) return
    this.#clientHandler = undefined
    this.#toClient.clear()
    this.#toServer.push('closed')
  }

  /** Holds delivery in each direction. */
  setHeld(isHeldToServer: boolean, isHeldToClient: boolean): void {
    this.#toServer.setHeld(isHeldToServer)
    this.#toClient.setHeld(isHeldToClient)
  }

  /** Resets the connection at once; both sides are notified. */
  reset(): void {
    this.#toServer.clear()
    this.#toClient.clear()
    this.#closeAtClient(new Error('the connection was reset'))
    this.#closeAtServer()
  }

  #arriveAtServer(value: ToServer): void {
    if (value === 'open') {
      this.#accept()
    } else if (value === 'closed') {
      // Answered once; otherwise both sides would answer each other's end forever.
      if (this.#serverHandler === undefined) {
        this.#options.onClosed()
        return
      }
      this.#closeAtServer()
      this.#toClient.push('closed')
    } else if (this.#isServerPaused) {
      this.#unread.push(value)
    } else {
      this.#serverHandler?.received(value)
    }
  }

  #arriveAtClient(value: ToClient): void {
    if (value === 'opened') {
      this.#clientHandler?.opened()
    } else if (value === 'refused') {
      this.#closeAtClient(new Error('the connection was refused'))
    } else if (value === 'closed') {
      const isAnswer = this.#clientHandler === undefined
      this.#closeAtClient(undefined)
      if (!isAnswer) this.#toServer.push('closed')
    } else {
      this.#unsent -= value.length
      this.#clientHandler?.received(value)
      if (this.#unsent === 0) this.#serverHandler?.drained()
    }
  }

  #accept(): void {
    const { client, clientPort, findAcceptor } = this.#options
    this.#serverHandler = findAcceptor()?.(this.#serverStream(), client, clientPort)
    this.#toClient.push(this.#serverHandler === undefined ? 'refused' : 'opened')
  }

  #serverStream(): ServerStream {
    const unsent = (): number => this.#unsent
    return {
      get unsent() {
        return unsent()
      },
      write: (bytes) => {
        this.#unsent += bytes.length
        this.#toClient.push(bytes)
      },
      end: () => this.#toClient.push('closed'),
      destroy: () => {
        this.#serverHandler = undefined
        this.#toClient.push('closed')
      },
      pause: () => {
        this.#isServerPaused = true
      },
      // Deferred, because the caller of resume() is in the middle of a step.
      resume: () => this.#options.clock.afterPoll(() => this.#resumeServer()),
    }
  }

  #resumeServer(): void {
    this.#isServerPaused = false
    for (const chunk of this.#unread.splice(0)) this.#arriveAtServer(chunk)
  }

  #closeAtClient(error: Error | undefined): void {
    const handler = this.#clientHandler
    this.#clientHandler = undefined
    handler?.closed(error)
    this.#options.onClosed()
  }

  #closeAtServer(): void {
    const handler = this.#serverHandler
    this.#serverHandler = undefined
    handler?.closed()
  }
}
