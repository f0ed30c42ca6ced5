import { lookup } from 'node:dns/promises'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'

/** Where to connect to: an address, and the name it was found under (which a certificate speaks of). */
export interface Endpoint {
  readonly address: string
  readonly host: string
  readonly port: number
}

/** What a byte stream tells its user. Nothing is told after `closed`. */
export interface ByteStreamHandler {
  opened(): void
  received(chunk: Uint8Array): void
  /** The stream is over, by either side or by an error. Told exactly once, except after `destroy()`. */
  closed(error: Error | undefined): void
}

/** An ordered, reliable stream of bytes in both directions. */
export interface ByteStream {
  write(bytes: Uint8Array): void
  /** Says that nothing more will be written; what was written is still delivered. */
  end(): void
  /** Drops the stream at once; its handler hears nothing more. */
  destroy(): void
}

/** How a client reaches servers. Injected, so that it can run on a simulated network. */
export interface Transport {
  /** The addresses of a host, in no particular order. */
  resolve(host: string): Promise<readonly string[]>
  connect(endpoint: Endpoint, handler: ByteStreamHandler): ByteStream
}

/** TLS settings of Node, those that say where to connect aside. */
export type TlsOptions = Omit<ConnectionOptions, 'host' | 'port' | 'path' | 'socket'>

/** Real sockets; with TLS when options for it are given. */
export function networkTransport(tls?: TlsOptions): Transport {
  return {
    async resolve(host) {
      if (isIP(host) !== 0) return [host]
      const found = await lookup(host, { all: true })
      return found.map(({ address }) => address)
    },
    connect({ address, host, port }, handler) {
      if (tls === undefined) {
        const socket = connectPlain({ host: address, port })
        return streamOver(socket, 'connect', handler)
      }
      // An IP address is no server name (RFC 6066); the certificate is then checked against the address.
      const name = isIP(host) === 0 ? { servername: host } : {}
      const socket = connectTls({ ...name, ...tls, host: address, port })
      return streamOver(socket, 'secureConnect', handler)
    },
  }
}

function streamOver(
  socket: Socket,
  openEvent: 'connect' | 'secureConnect',
  handler: ByteStreamHandler,
): ByteStream {
  let failure: Error | undefined
  socket.setNoDelay(true)
  socket.on(openEvent, () => handler.opened())
  socket.on('data', (chunk: Buffer) => handler.received(chunk))
  socket.on('error', (error) => {
    failure = error
  })
  socket.on('close', () => handler.closed(failure))
  return {
    write: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    destroy() {
      socket.removeAllListeners()
      // A socket that fails while it is being destroyed still emits; without a listener that would be fatal.
      socket.on('error', () => {})
      socket.destroy()
    },
  }
}
