import type { Socket } from 'node:net'
import { Pump } from './proxy-pump.ts'
import type { Direction, FrameJudge, ProxyRules } from './proxy-pump.ts'

/** A client of a proxy, and the connection to the server that is made for it. */
export class ProxyConnection {
  /** Resolves when both sides are closed. */
  readonly closed: Promise<void>
  readonly #client: Socket
  readonly #connectToServer: () => Socket
  readonly #rules: ProxyRules
  readonly #judges: Readonly<Partial<Record<Direction, FrameJudge>>>
  #server: Socket | undefined
  #dirtyQueues: readonly Pump[] = []

  constructor(
    client: Socket,
    connectToServer: () => Socket,
    rules: ProxyRules,
    judges: Readonly<Partial<Record<Direction, FrameJudge>>>,
  ) {
    this.#client = client
    this.#connectToServer = connectToServer
    this.#rules = rules
    this.#judges = judges
    this.closed = closeOf(client).then(() => this.#server && closeOf(this.#server))
    this.rulesChanged()
  }

  rulesChanged(): void {
    // Through a black hole nobody reaches the server, not even with a first packet.
    if (this.#server === undefined && !this.#rules.held.has('to-server')) this.#connect()
    for (const dirtyQueue of this.#dirtyQueues) dirtyQueue.rulesChanged()
  }

  destroy(): void {
    this.#client.destroy()
    this.#server?.destroy()
  }

  #connect(): void {
    if (this.#client.destroyed) return
    const client = this.#client
    const server = this.#connectToServer()
    // What an error means is told by the close that follows it.
    server.on('error', () => undefined)
    server.setNoDelay(true)
    client.setNoDelay(true)
    this.#server = server
    this.#dirtyQueues = [
      new Pump('to-server', client, server, this.#rules, this.#judges['to-server']),
      new Pump('to-client', server, client, this.#rules, this.#judges['to-client']),
    ]
  }
}

function closeOf(socket: Socket): Promise<void> {
  if (socket.closed) return Promise.resolve()
  return new Promise((resolve) => {
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
  })
}
