import { lookup } from 'node:dns/promises'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'

/** A server address, and the host name it was resolved from (a TLS certificate is issued for the name). */
export interface Endpoint {
  readonly address: string
  readonly host: string
  readonly port: number
}

/** Callbacks of a byte stream. `closed` is the last. */
export interface ByteStreamHandler {
  opened(): void
  received(chunk: Uint8Array): void
  /** The stream ended, by either side or by an error. Called exactly once, except after `destroy()`. */
  closed(error: Error | undefined): void
}

/** An ordered, reliable stream of bytes in both directions. */
export interface ByteStream {
  write(bytes: Uint8Array): void
  /** Half-closes the stream; data already written is still delivered. */
  end(): void
  /** Closes the stream at once; its handler is not called any more. */
  destroy(): void
}

/** How a client connects. Injected, so that the client can run on a simulated network. */
export interface Transport {
  /** Returns the addresses of a host, in no particular order. */
  resolve(host: string): Promise<readonly string[]>
  connect(endpoint: Endpoint, handler: ByteStreamHandler): ByteStream
}

/** Node's TLS options, except the ones that name the target. */
export type TlsOptions = Omit<ConnectionOptions, 'host' | 'port' | 'path' | 'socket'>

/** Connects with sockets, or with TLS if options are given. */
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
      // An IP address is not a valid server name (RFC 6066); Node then checks the certificate against the
      // address.
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
      // A socket that fails while it is being destroyed still emits `error`, which is fatal without a
      // listener.
      socket.on('error', () => {})
      socket.destroy()
    },
  }
}
