import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { encodeFrame, FrameSplitter } from '../harness/frames.ts'
import { decodeConnectResponse, encodeConnectRequest } from '../harness/handshake.ts'
import type { ConnectResponse } from '../harness/handshake.ts'

interface Reply {
  readonly error: number
  readonly body: Buffer
}

const opcodes = { create: 1, exists: 3, sasl: 102 } as const
const worldMayAll = Buffer.concat([int(1), int(31), text('world'), text('anyone')])

/** The least client that can show whether a server of the harness does its work. */
export class RawClient {
  readonly closed: Promise<unknown>
  readonly #socket: Socket
  readonly #waiting: { resolve: (payload: Buffer) => void; reject: (error: Error) => void }[] = []
  #requests = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    const splitter = new FrameSplitter()
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      for (const payload of splitter.push(chunk)) this.#waiting.shift()?.resolve(payload)
    })
    this.closed = once(socket, 'close').then(() => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('connection closed'))
    })
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = connect({ host: '127.0.0.1', port })
    const client = new RawClient(socket)
    await once(socket, 'connect')
    return client
  }

  /** Opens a session, or re-attaches to the given one. */
  async handshake(
    session: { readonly sessionId: bigint; readonly password: Uint8Array } = {
      sessionId: 0n,
      password: new Uint8Array(16),
    },
  ): Promise<ConnectResponse> {
    const request = { lastZxidSeen: 0n, timeoutMs: 10_000, ...session }
    return decodeConnectResponse(await this.#send(encodeConnectRequest(request)))
  }

  /** Creates a node and gives the error of the reply. */
  async create(path: string, flags: 'persistent' | 'ephemeral' = 'persistent'): Promise<number> {
    const flagBits = int(flags === 'ephemeral' ? 1 : 0)
    const body = Buffer.concat([text(path), text(''), worldMayAll, flagBits])
    return (await this.#request(opcodes.create, body)).error
  }

  async exists(path: string): Promise<boolean> {
    const body = Buffer.concat([text(path), Buffer.from([0])])
    return (await this.#request(opcodes.exists, body)).error === 0
  }

  /** The server's first word of a SASL exchange. */
  async saslChallenge(): Promise<string> {
    return (await this.#request(opcodes.sasl, text(''))).body.subarray(4).toString()
  }

  close(): void {
    this.#socket.destroy()
  }

  async #request(opcode: number, body: Buffer): Promise<Reply> {
    const reply = await this.#send(Buffer.concat([int(++this.#requests), int(opcode), body]))
    return { error: reply.readInt32BE(12), body: reply.subarray(16) }
  }

  #send(payload: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#socket.write(encodeFrame(payload))
    })
  }
}

function int(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}

function text(value: string): Buffer {
  return Buffer.concat([int(Buffer.byteLength(value)), Buffer.from(value)])
}
