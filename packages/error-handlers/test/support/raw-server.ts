import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A server on loopback that does with its sockets what no good server would do. */
export interface RawServer extends AsyncDisposable {
  readonly port: number
  /** Resolves when no client has a socket open. */
  idle(): Promise<void>
}

export async function startRawServer(behave: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>()
  let whenIdle = (): void => {}
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) whenIdle()
    })
    behave(socket)
    // One that reads nothing would not see the client go.
    socket.resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async idle() {
      if (sockets.size > 0) await new Promise<void>((resolve) => (whenIdle = resolve))
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
