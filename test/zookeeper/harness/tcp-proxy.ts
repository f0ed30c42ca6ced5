import { EventEmitter, once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { freePort } from './free-port.ts'
import { ProxyConnection } from './proxy-connection.ts'
import type { Direction, FrameJudge, FrameVerdict, ProxyFrame, ProxyRules } from './proxy-pump.ts'

/** Decides about one frame; `connection` tells connections of the same proxy apart. */
export type FrameHook = (frame: ProxyFrame & { readonly connection: number }) => FrameVerdict

export interface TcpProxyOptions {
  /** The port on 127.0.0.1 that connections are forwarded to. */
  readonly target: number
  /**
   * The port on 127.0.0.1 to listen on.
   * @default a free port
   */
  readonly port?: number
  /**
   * Whether the stream is ZooKeeper's client protocol, forwarded frame by frame. Needed for the
   * frame hooks; wrong for TLS, four-letter words and the links between servers.
   * @default false
   */
  readonly framed?: boolean
}

export interface TcpProxyEvents {
  /** A client was accepted; it is forwarded at once unless its bytes are black-holed. */
  'connection:opened': [{ readonly connection: number }]
  /** Both sides of a connection are closed. */
  'connection:closed': [{ readonly connection: number }]
}

/** A loopback proxy in front of a server, whose faults are verbs. */
export class TcpProxy extends EventEmitter<TcpProxyEvents> {
  readonly port: number
  /** Sees each frame on its way to the server, when the proxy is framed. */
  onClientFrame: FrameHook | undefined
  /** Sees each frame on its way to the client, when the proxy is framed. */
  onServerFrame: FrameHook | undefined
  readonly #options: TcpProxyOptions
  readonly #rules: ProxyRules = { held: new Set<Direction>(), delayMs: 0 }
  readonly #connections = new Set<ProxyConnection>()
  #listener: Server | undefined
  #connectionsSoFar = 0

  private constructor(port: number, options: TcpProxyOptions) {
    super()
    this.port = port
    this.#options = options
  }

  static async start(options: TcpProxyOptions): Promise<TcpProxy> {
    const proxy = new TcpProxy(options.port ?? (await freePort()), options)
    await proxy.accept()
    return proxy
  }

  get connectString(): string {
    return `127.0.0.1:${this.port}`
  }

  get connectionCount(): number {
    return this.#connections.size
  }

  /** Forwards everything again, without delay, beginning with what a black hole held back. */
  pass(): void {
    this.#rules.held.clear()
    this.#rules.delayMs = 0
    this.#rulesChanged()
  }

  /**
   * Forwards nothing that way any more, neither bytes nor the end of a connection. Connections stay
   * open and new ones are accepted, as when the network drops every packet; as there, what was
   * sent meanwhile arrives when the network is back.
   */
  blackHole(direction: Direction | 'both' = 'both'): void {
    if (direction !== 'to-client') this.#rules.held.add('to-server')
    if (direction !== 'to-server') this.#rules.held.add('to-client')
    this.#rulesChanged()
  }

  /** Forwards everything this long after it came, both ways and in order. */
  delay(milliseconds: number): void {
    this.#rules.delayMs = milliseconds
    this.#rulesChanged()
  }

  /** Destroys the open connections, on both sides. New ones are welcome. */
  dropAll(): void {
    for (const connection of this.#connections) connection.destroy()
  }

  /** Refuses new connections; open ones stay. */
  refuse(): void {
    // The port is closed when this returns; only the listener's 'close' waits for connections.
    this.#listener?.close()
    this.#listener = undefined
  }

  /** Accepts connections again after `refuse()`. */
  async accept(): Promise<void> {
    if (this.#listener !== undefined) return
    const listener = createServer({ allowHalfOpen: true }, (client) => this.#open(client))
    this.#listener = listener
    listener.listen({ host: '127.0.0.1', port: this.port, exclusive: true })
    await once(listener, 'listening')
  }

  /** Refuses and drops everything. May be called twice. */
  async stop(): Promise<void> {
    this.refuse()
    const closed = [...this.#connections].map((connection) => connection.closed)
    this.dropAll()
    await Promise.all(closed)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  #rulesChanged(): void {
    for (const connection of this.#connections) connection.rulesChanged()
  }

  #open(client: Socket): void {
    const id = ++this.#connectionsSoFar
    const connection = new ProxyConnection(
      client,
      () => connect({ host: '127.0.0.1', port: this.#options.target, allowHalfOpen: true }),
      this.#rules,
      this.#options.framed === true ? this.#judges(id) : {},
    )
    this.#connections.add(connection)
    this.emit('connection:opened', { connection: id })
    void connection.closed.then(() => {
      this.#connections.delete(connection)
      this.emit('connection:closed', { connection: id })
    })
  }

  #judges(connection: number): Readonly<Record<Direction, FrameJudge>> {
    return {
      'to-server': (frame) => this.onClientFrame?.({ ...frame, connection }) ?? 'pass',
      'to-client': (frame) => this.onServerFrame?.({ ...frame, connection }) ?? 'pass',
    }
  }
}
