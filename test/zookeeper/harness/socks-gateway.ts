import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { freePort } from './free-port.ts'
import { ProxyConnection } from './proxy-connection.ts'
import type { ProxyRules } from './proxy-pump.ts'

/** The two messages of a SOCKS 5 client that needs no password and asks for an IPv4 address. */
const greetingHeadLength = 2
const requestLength = 10

const noPasswordNeeded = Buffer.from([5, 0])
const connected = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
const connectionRefused = Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])

/**
 * The way out of one process to ports on loopback: a SOCKS 5 server, for the JVM sends every
 * plain socket through one when told to. Unlike a proxy for each address, it leaves addresses as
 * they are, knows who is calling, and can refuse a connection when the called port does.
 */
export class SocksGateway {
  readonly port: number
  readonly #listener: Server
  readonly #rulesFor: (port: number) => ProxyRules
  readonly #connections = new Set<ProxyConnection>()
  readonly #negotiating = new Set<Socket>()

  private constructor(port: number, rulesFor: (port: number) => ProxyRules) {
    this.port = port
    this.#rulesFor = rulesFor
    this.#listener = createServer({ allowHalfOpen: true }, (client) => this.#negotiate(client))
  }

  /** `rulesFor` gives the rules of all connections to a port. */
  static async start(rulesFor: (port: number) => ProxyRules): Promise<SocksGateway> {
    const gateway = new SocksGateway(await freePort(), rulesFor)
    gateway.#listener.listen({ host: '127.0.0.1', port: gateway.port, exclusive: true })
    await once(gateway.#listener, 'listening')
    return gateway
  }

  /** The properties that make a JVM use this gateway, for loopback addresses too. */
  get jvmProperties(): Record<string, string> {
    return {
      socksProxyHost: '127.0.0.1',
      socksProxyPort: `${this.port}`,
      socksNonProxyHosts: '',
    }
  }

  rulesChanged(): void {
    for (const connection of this.#connections) connection.rulesChanged()
  }

  async stop(): Promise<void> {
    if (!this.#listener.listening) return
    this.#listener.close()
    for (const socket of this.#negotiating) socket.destroy()
    for (const connection of this.#connections) connection.destroy()
    await once(this.#listener, 'close')
  }

  #negotiate(client: Socket): void {
    let received = Buffer.alloc(0)
    let greeted = false
    this.#negotiating.add(client)
    client.on('error', () => undefined)
    client.on('close', () => this.#negotiating.delete(client))
    const receive = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk])
      const greetingLength = greetingHeadLength + (received[1] ?? 0)
      if (!greeted && received.length >= greetingLength) {
        greeted = true
        received = received.subarray(greetingLength)
        client.write(noPasswordNeeded)
      }
      if (!greeted || received.length < requestLength) return
      client.off('data', receive)
      this.#negotiating.delete(client)
      this.#forward(client, received.readUInt16BE(8))
    }
    client.on('data', receive)
  }

  #forward(client: Socket, port: number): void {
    const connection = new ProxyConnection(
      client,
      () => connectAndTell(client, port),
      this.#rulesFor(port),
      {},
    )
    this.#connections.add(connection)
    void connection.closed.then(() => this.#connections.delete(connection))
  }
}

/** Connects, and tells the client of the gateway whether that went well. */
function connectAndTell(client: Socket, port: number): Socket {
  const server = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  const refuse = (): void => void client.write(connectionRefused)
  server.once('error', refuse)
  server.once('connect', () => {
    server.off('error', refuse)
    client.write(connected)
  })
  return server
}
