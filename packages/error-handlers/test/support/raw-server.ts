import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A server on loopback that misbehaves on its sockets. */
export interface RawServer extends AsyncDisposable {
  readonly port: number
  /** Resolves when no client has an open socket. */
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
    // A socket that is not read would not detect that the client has gone.
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
