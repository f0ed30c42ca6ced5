import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions, type TLSSocket } from 'node:tls'
import type { ServerRuntime } from '../runtime.ts'
import type { ServerStream } from './server-stream.ts'

/** How long a client may keep its half of an ended connection open, in milliseconds. */
const lingerTime = 1000

/** Listens on a port and passes clients to the server. */
export class Listener {
  readonly #runtime: ServerRuntime
  readonly #tls: TlsOptions | undefined
  #server: Server | undefined
  #port = 0
  #host = ''

  constructor(runtime: ServerRuntime, tls: TlsOptions | undefined) {
    this.#runtime = runtime
    this.#tls = tls
  }

  get port(): number {
    return this.#port
  }

  /** Resolves once clients can connect; port 0 selects any free port. */
  async open(port: number, host: string): Promise<void> {
    this.#port = port
    this.#host = host
    await this.reopen()
    const address = this.#server?.address()
    if (typeof address === 'object' && address !== null) this.#port = address.port
    this.#runtime.port = this.#port
  }

  /** Listens again on the previous port. */
  reopen(): Promise<void> {
    const server = this.#createServer()
    this.#server = server
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen({ port: this.#port, host: this.#host }, () => {
        server.off('error', reject)
        // For example when the process has no file descriptors left.
        server.on('error', (error) => this.#runtime.refused('unknown', error.message))
        resolve()
      })
    })
  }

  /** Resolves when the port is closed. Open connections stay open. */
  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    // Its callback also waits for open connections; the port is free before that.
    server.close()
    await new Promise<void>((resolve) => this.#runtime.afterPoll(resolve))
  }

  #createServer(): Server {
    if (this.#tls === undefined) {
      return createServer({ noDelay: true }, (socket) => this.#accept(socket))
    }
    const { handshakeTimeout } = this.#runtime.options
    const server = createTlsServer({ handshakeTimeout, ...this.#tls, noDelay: true })
    server.on('secureConnection', (socket: TLSSocket) => this.#accept(socket))
    // A client without TLS or without a valid certificate: close its socket only.
    server.on('tlsClientError', (_error, socket) => socket.destroy())
    return server
  }

  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    const address = withoutMapping(socket.remoteAddress)
    if (address === undefined) {
      socket.destroy()
      return
    }
    const stream = streamOver(socket)
    const handler = this.#runtime.accept(stream, address, socket.remotePort ?? 0)
    if (handler === undefined) {
      socket.destroy()
      return
    }
    socket.on('data', (chunk: Buffer) => handler.received(chunk))
    socket.on('drain', () => handler.drained())
    socket.on('close', () => handler.closed())
  }
}

function streamOver(socket: Socket): ServerStream {
  return {
    get unsent() {
      return socket.writableLength
    },
    write: (bytes) => void socket.write(bytes),
    end() {
      socket.end()
      // Reads and discards further input: unread bytes would make the system reset the connection and lose
      // the last answers.
      socket.resume()
      socket.setTimeout(lingerTime, () => socket.destroy())
    },
    destroy: () => void socket.destroy(),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
  }
}

/** The address of an IPv4 client of a dual-stack socket, without the IPv6 prefix. */
function withoutMapping(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=\d+\.)/, '')
}
