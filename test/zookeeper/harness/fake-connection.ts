import type { Socket } from 'node:net'
import { encodeFrame, FrameSplitter } from './frames.ts'
import { decodeConnectRequest, encodeConnectResponse } from './handshake.ts'
import type { ConnectRequest, ConnectResponse } from './handshake.ts'

/** The server's end of a connection, for scripts that speak the protocol by hand. */
export class FakeConnection {
  /** Resolves when the client has gone or the connection was destroyed. */
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #splitter = new FrameSplitter()
  readonly #frames: Buffer[] = []
  readonly #waiting: { resolve: (frame: Buffer) => void; reject: (error: Error) => void }[] = []

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      for (const frame of this.#splitter.push(chunk)) this.#deliver(frame)
    })
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        for (const { reject } of this.#waiting.splice(0)) reject(new Error('the client has gone'))
        resolve()
      })
    })
  }

  get isClosed(): boolean {
    return this.#socket.destroyed
  }

  /** The next frame of the client, without its length. Rejects when the client goes. */
  nextFrame(): Promise<Buffer> {
    const frame = this.#frames.shift()
    if (frame !== undefined) return Promise.resolve(frame)
    if (this.isClosed) return Promise.reject(new Error('the client has gone'))
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  /** Reads the client's handshake and answers it: by default with what the client asked for. */
  async handshake(answer: Partial<ConnectResponse> = {}): Promise<ConnectRequest> {
    const request = decodeConnectRequest(await this.nextFrame())
    this.sendFrame(
      encodeConnectResponse({
        timeoutMs: request.timeoutMs,
        sessionId: request.sessionId === 0n ? 0x1234n : request.sessionId,
        password: Buffer.alloc(16, 7),
        ...answer,
      }),
    )
    return request
  }

  /** Answers the request with this xid. */
  reply(xid: number, zxid: bigint, error = 0, body: Uint8Array = Buffer.alloc(0)): void {
    const header = Buffer.alloc(16)
    header.writeInt32BE(xid, 0)
    header.writeBigInt64BE(zxid, 4)
    header.writeInt32BE(error, 12)
    this.sendFrame(Buffer.concat([header, body]))
  }

  sendFrame(payload: Uint8Array): void {
    this.sendBytes(encodeFrame(payload))
  }

  /** Sends bytes as they are, frame or not. */
  sendBytes(bytes: Uint8Array): void {
    this.#socket.write(bytes)
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #deliver(frame: Buffer): void {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#frames.push(frame)
    else waiting.resolve(frame)
  }
}
