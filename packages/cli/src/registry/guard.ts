/**
 * Notices that the registry is gone. A client waits for a connection to come back, which is right for a
 * process that runs jobs; whoever has given a command wants to know.
 */
import {
  type ByteStream,
  type ByteStreamHandler,
  type Endpoint,
  networkTransport,
  type TlsOptions,
  type Transport,
} from '@elasticjob/zookeeper'

import type { Clock, Timer } from '../clock.ts'

export interface GuardOptions {
  readonly clock: Clock
  /** How long it may be gone, in milliseconds. */
  readonly limit: number
  readonly tls: TlsOptions | boolean | undefined
}

export class ConnectionGuard {
  /** How a client is to connect, so that this one knows of it. */
  readonly transport: Transport
  readonly #clock: Clock
  readonly #limit: number
  readonly #lost = new AbortController()
  #gone: Timer | undefined

  constructor({ clock, limit, tls }: GuardOptions) {
    this.#clock = clock
    this.#limit = limit
    const inner = networkTransport(tls === true ? {} : tls === false ? undefined : tls)
    this.transport = {
      resolve: (host) => inner.resolve(host),
      connect: (endpoint, handler) => this.#connect(inner, endpoint, handler),
    }
  }

  /** Rejects when the registry has been gone for too long; until then, what the deed comes to. */
  async during<T>(deed: () => Promise<T>, lost: () => Error): Promise<T> {
    const { signal } = this.#lost
    const isLost = new Promise<never>((_, reject) => {
      const fail = (): void => reject(lost())
      if (signal.aborted) fail()
      else signal.addEventListener('abort', fail)
    })
    return Promise.race([deed(), isLost])
  }

  stop(): void {
    this.#gone?.cancel()
  }

  #connect(inner: Transport, endpoint: Endpoint, handler: ByteStreamHandler): ByteStream {
    // A port that only takes connections is no registry: it is there once it has said something.
    const stream = inner.connect(endpoint, {
      opened: () => handler.opened(),
      received: (chunk) => {
        this.#gone?.cancel()
        this.#gone = undefined
        handler.received(chunk)
      },
      closed: (error) => {
        this.#isGone()
        handler.closed(error)
      },
    })
    return {
      write: (bytes) => stream.write(bytes),
      end: () => stream.end(),
      destroy: () => {
        this.#isGone()
        stream.destroy()
      },
    }
  }

  #isGone(): void {
    this.#gone ??= this.#clock.setTimer(() => this.#lost.abort(), this.#limit)
  }
}
