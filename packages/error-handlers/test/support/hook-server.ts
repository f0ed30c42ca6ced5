import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SecureContextOptions } from 'node:tls'

export interface Received {
  readonly method: string
  /** The path with the query. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Answering = (response: ServerResponse, received: Received) => void

export interface HookOptions {
  readonly answer?: Answering
  readonly tls?: SecureContextOptions
}

/** A service on loopback that receives messages, with a configurable answer. */
export class HookServer implements AsyncDisposable {
  readonly received: Received[] = []
  readonly answer: Answering
  readonly #server: ReturnType<typeof createServer>
  readonly #scheme: string
  readonly #waiting: ((received: Received) => void)[] = []
  #openSockets = 0
  #whenIdle: () => void = () => {}

  private constructor({ answer = (response) => response.end(), tls }: HookOptions) {
    this.answer = answer
    this.#scheme = tls === undefined ? 'http' : 'https'
    this.#server = tls === undefined ? createServer() : createSecureServer(tls)
    this.#server.on('connection', (socket) => {
      this.#openSockets += 1
      socket.once('close', () => {
        this.#openSockets -= 1
        if (this.#openSockets === 0) this.#whenIdle()
      })
    })
    this.#server.on('request', (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.once('end', () => {
        const { method = '', url: target = '', headers } = request
        const received = { method, target, headers, body: Buffer.concat(chunks).toString() }
        this.received.push(received)
        this.answer(response, received)
        for (const resolve of this.#waiting.splice(0)) resolve(received)
      })
    })
  }

  static async start(options: HookOptions = {}): Promise<HookServer> {
    const hook = new HookServer(options)
    hook.#server.listen(0, '127.0.0.1')
    await once(hook.#server, 'listening')
    return hook
  }

  url(target = '/'): string {
    const { port } = this.#server.address() as AddressInfo
    return `${this.#scheme}://127.0.0.1:${port}${target}`
  }

  /** The next message that comes in. */
  next(): Promise<Received> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Resolves when no client has an open socket. */
  async idle(): Promise<void> {
    if (this.#openSockets === 0) return
    await new Promise<void>((resolve) => (this.#whenIdle = resolve))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
