/** Stands between clients and a server on the loopback, and counts what clients ask for. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

const pingCode = 11

export interface Counts {
  /** Everything but pings. */
  readonly requests: number
  readonly pings: number
}

/** Takes the requests of one connection apart: each is its length, a number of its own, and its code. */
export class RequestCounter {
  #rest: Buffer = Buffer.alloc(0)
  #isConnected = false
  requests = 0
  pings = 0

  /** Takes what the client has sent next. */
  take(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    while (this.#rest.length >= at + 4) {
      const length = this.#rest.readUInt32BE(at)
      if (this.#rest.length < at + 4 + length) break
      this.#count(at + 4, length)
      at += 4 + length
    }
    this.#rest = this.#rest.subarray(at)
  }

  #count(at: number, length: number): void {
    // The first one opens the session, and has no code.
    if (this.#isConnected && length >= 8 && this.#rest.readInt32BE(at + 4) === pingCode) {
      this.pings += 1
    } else this.requests += 1
    this.#isConnected = true
  }
}

export class CountingProxy {
  readonly #server: Server
  readonly #counters = new Set<RequestCounter>()
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(target: string): Promise<CountingProxy> {
    const [host = '', port = ''] = target.split(':')
    const server = createServer()
    const proxy = new CountingProxy(server)
    server.on('connection', (client) => proxy.#pass(client, host, Number(port)))
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    return proxy
  }

  get connectString(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** All that was asked for since the start. */
  counts(): Counts {
    let [requests, pings] = [0, 0]
    for (const counter of this.#counters) {
      requests += counter.requests
      pings += counter.pings
    }
    return { requests, pings }
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
    })
  }

  #pass(client: Socket, host: string, port: number): void {
    const counter = new RequestCounter()
    this.#counters.add(counter)
    const server = connect({ host, port })
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
    client.on('data', (chunk: Buffer) => counter.take(chunk))
  }
}

export function difference(before: Counts, after: Counts): Counts {
  return { requests: after.requests - before.requests, pings: after.pings - before.pings }
}
