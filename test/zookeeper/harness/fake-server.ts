import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { FakeConnection } from './fake-connection.ts'
import { freePort } from './free-port.ts'
import type { ConnectResponse } from './handshake.ts'

/** What the server does with each client that it accepts. */
export type FakeScript = (connection: FakeConnection) => Promise<void> | void

/** A server on loopback that does what a test tells it, right or wrong. */
export class FakeServer {
  readonly port: number
  readonly connections: FakeConnection[] = []
  readonly #listener: Server
  readonly #waiting: ((connection: FakeConnection) => void)[] = []

  private constructor(port: number, script: FakeScript) {
    this.port = port
    this.#listener = createServer((socket) => this.#accept(socket, script))
  }

  static async start(script: FakeScript, port?: number): Promise<FakeServer> {
    const server = new FakeServer(port ?? (await freePort()), script)
    server.#listener.listen({ host: '127.0.0.1', port: server.port, exclusive: true })
    await once(server.#listener, 'listening')
    return server
  }

  get connectString(): string {
    return `127.0.0.1:${this.port}`
  }

  /** The next client that is accepted after this call. */
  nextConnection(): Promise<FakeConnection> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Destroys all connections and stops listening. May be called twice. */
  async stop(): Promise<void> {
    const listening = this.#listener.listening
    this.#listener.close()
    for (const connection of this.connections) connection.destroy()
    if (listening) await once(this.#listener, 'close')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  #accept(socket: Socket, script: FakeScript): void {
    const connection = new FakeConnection(socket)
    this.connections.push(connection)
    for (const resolve of this.#waiting.splice(0)) resolve(connection)
    // A script that waits for a frame of a client that has left has simply come to its end.
    void Promise.resolve()
      .then(() => script(connection))
      .catch((error: unknown) => {
        if (!connection.isClosed) throw error
      })
  }
}

/** Accepts, reads, and never answers. */
export function neverAnswers(): FakeScript {
  return () => undefined
}

/** Sends these bytes as soon as a client is there, and nothing else. */
export function sendsBytes(bytes: Uint8Array): FakeScript {
  return (connection) => connection.sendBytes(bytes)
}

/** Opens the session that the client asks for, and then does not answer any more. */
export function handshakesThenSilent(answer: Partial<ConnectResponse> = {}): FakeScript {
  return async (connection) => {
    await connection.handshake(answer)
  }
}
