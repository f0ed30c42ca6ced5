import { connect, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { JuteReader, JuteWriter, writeConnectRequest } from '@elasticjob/zookeeper/protocol'

/** A socket that exchanges frames, for input that no client would send. */
export class RawSocket {
  readonly #socket: Socket
  readonly closed: Promise<void>
  #received: Buffer = Buffer.alloc(0)
  #waiting: (() => void)[] = []
  #isClosed = false

  private constructor(socket: Socket) {
    this.#socket = socket
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#isClosed = true
        this.#wake()
        resolve()
      })
    })
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
  }

  static open(port: number, tls?: ConnectionOptions): Promise<RawSocket> {
    return new Promise((resolve, reject) => {
      const socket =
        tls === undefined
          ? connect({ port, host: '127.0.0.1' })
          : connectTls({ port, host: '127.0.0.1', ...tls })
      socket.once('error', reject)
      socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
        socket.off('error', reject)
        resolve(new RawSocket(socket))
      })
    })
  }

  /** A socket after the handshake. */
  static async withSession(port: number): Promise<RawSocket> {
    const socket = await RawSocket.open(port)
    socket.handshake()
    await socket.frame()
    return socket
  }

  write(bytes: Uint8Array | string): void {
    this.#socket.write(bytes)
  }

  handshake(): void {
    this.request((writer) =>
      writeConnectRequest(writer, {
        lastZxidSeen: 0n,
        timeout: 10_000,
        sessionId: 0n,
        password: new Uint8Array(16),
        readOnly: false,
      }),
    )
  }

  request(write: (writer: JuteWriter) => void): void {
    const writer = new JuteWriter()
    const mark = writer.beginFrame()
    write(writer)
    writer.endFrame(mark)
    this.write(writer.take())
  }

  /** The next frame; undefined if the server has closed the connection. */
  async frame(): Promise<JuteReader | undefined> {
    for (;;) {
      const length = this.#received.length >= 4 ? this.#received.readInt32BE(0) : undefined
      if (length !== undefined && this.#received.length >= 4 + length) {
        const frame = this.#received.subarray(4, 4 + length)
        this.#received = this.#received.subarray(4 + length)
        return new JuteReader(frame)
      }
      if (this.#isClosed) return undefined
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    }
  }

  /** Everything received until the server closes the connection. */
  async rest(): Promise<string> {
    await this.closed
    return this.#received.toString()
  }

  pause(): void {
    this.#socket.pause()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
