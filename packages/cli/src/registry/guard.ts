/**
 * Detects a lost registry. A client waits for a reconnect, which is right for a process that runs jobs; a
 * command has to report it.
 */
import {
  type ByteStream,
  type ByteStreamHandler,
  type Endpoint,
  networkTransport,
  type TlsOptions,
  type Transport,
} from '@elasticjob/zookeeper'

import type { Clock, Timer } from '@elasticjob/core'

export interface GuardOptions {
  readonly clock: Clock
  /** How long the registry may be unreachable, in milliseconds. */
  readonly limit: number
  readonly tls: TlsOptions | boolean | undefined
}

export class ConnectionGuard {
  /** The transport of the client, which this guard observes. */
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

  /** Returns the result of the action; rejects when the registry has been unreachable for too long. */
  async during<T>(action: () => Promise<T>, lost: () => Error): Promise<T> {
    const { signal } = this.#lost
    const isLost = new Promise<never>((_, reject) => {
      const fail = (): void => reject(lost())
      if (signal.aborted) fail()
      else signal.addEventListener('abort', fail)
    })
    return Promise.race([action(), isLost])
  }

  stop(): void {
    this.#gone?.cancel()
  }

  #connect(inner: Transport, endpoint: Endpoint, handler: ByteStreamHandler): ByteStream {
    // A port that only accepts connections is not a registry: it counts once it has sent data.
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
