import type { ByteStream, ByteStreamHandler, Endpoint, Transport } from '@elasticjob/zookeeper'

import { JuteReader } from '../../src/jute/reader.ts'
import {
  type ConnectRequest,
  type ConnectResponse,
  readConnectRequest,
  writeConnectResponse,
} from '../../src/jute/records.ts'
import { JuteWriter } from '../../src/jute/writer.ts'

/** One request as the server got it. */
export interface ScriptedRequest {
  readonly xid: number
  readonly type: number
}

/** A server that does what a test says: it answers handshakes, and other requests when it is told to. */
export class ScriptedServer implements Transport {
  /** What clients have said of themselves. */
  readonly handshakes: ConnectRequest[] = []
  readonly requests: ScriptedRequest[] = []
  /** What a handshake is answered with; undefined to close the connection without an answer. */
  answer: (request: ConnectRequest) => Partial<ConnectResponse> | undefined = () => ({})
  /** Whether handshakes get no answer at all. */
  isSilent = false
  connections = 0
  #handler: ByteStreamHandler | undefined

  resolve(): Promise<readonly string[]> {
    return Promise.resolve(['10.0.0.1'])
  }

  connect(_: Endpoint, handler: ByteStreamHandler): ByteStream {
    let isOpen = true
    let isEstablished = false
    this.#handler = handler
    this.connections += 1
    queueMicrotask(() => isOpen && handler.opened())
    return {
      write: (bytes) => {
        for (const frame of framesOf(Buffer.from(bytes))) {
          if (isEstablished) this.#requested(frame)
          else this.#greeted(frame, handler)
          isEstablished = true
        }
      },
      end: () => {},
      destroy: () => {
        isOpen = false
      },
    }
  }

  /** Cuts the connection. */
  cut(): void {
    this.#handler?.closed(undefined)
  }

  /** Answers a request without data, as of this transaction. */
  reply({ xid }: ScriptedRequest, zxid: bigint, errno = 0): void {
    this.#send((writer) => {
      writer.int(xid)
      writer.long(zxid)
      writer.int(errno)
    })
  }

  #greeted(frame: Buffer, handler: ByteStreamHandler): void {
    const request = readConnectRequest(new JuteReader(frame))
    this.handshakes.push(request)
    if (this.isSilent) return
    const answer = this.answer(request)
    queueMicrotask(() => {
      if (answer === undefined) {
        handler.closed(undefined)
        return
      }
      this.#send((writer) => {
        writeConnectResponse(writer, {
          timeout: request.timeout,
          sessionId: 1n,
          password: Buffer.alloc(16, 7),
          readOnly: false,
          ...answer,
        })
      })
    })
  }

  #requested(frame: Buffer): void {
    this.requests.push({ xid: frame.readInt32BE(0), type: frame.readInt32BE(4) })
  }

  #send(write: (writer: JuteWriter) => void): void {
    const writer = new JuteWriter()
    write(writer)
    const body = writer.take()
    const head = Buffer.alloc(4)
    head.writeInt32BE(body.length)
    this.#handler?.received(Buffer.concat([head, body]))
  }
}

function framesOf(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + bytes.readInt32BE(at)
    frames.push(bytes.subarray(at + 4, end))
    at = end
  }
  return frames
}
