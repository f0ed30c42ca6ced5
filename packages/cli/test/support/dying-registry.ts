/** A registry that is there, and then is not. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Stands in front of a real server. */
export class DyingRegistry {
  readonly servers: string
  readonly #listener: Server
  readonly #sockets: ReadonlySet<Socket>

  private constructor(listener: Server, sockets: ReadonlySet<Socket>) {
    this.#listener = listener
    this.#sockets = sockets
    this.servers = `127.0.0.1:${(listener.address() as AddressInfo).port}`
  }

  /** @param requests after how many of them it dies by itself; the handshake is not counted */
  static async start(port: number, requests = Infinity): Promise<DyingRegistry> {
    const sockets = new Set<Socket>()
    const listener = createServer((client) => {
      const server = connect(port, '127.0.0.1')
      let left = requests + 1
      for (const socket of [client, server]) {
        sockets.add(socket)
        socket.on('error', () => {})
      }
      server.on('data', (chunk) => client.write(chunk))
      client.on('data', (chunk) => {
        left -= 1
        if (left >= 0) server.write(chunk)
        else registry.die()
      })
    })
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const registry = new DyingRegistry(listener, sockets)
    return registry
  }

  die(): void {
    this.#listener.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}
