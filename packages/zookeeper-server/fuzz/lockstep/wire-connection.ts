import { connect, type Socket } from 'node:net'
import { reservedXid } from '@elasticjob/zookeeper/protocol'
import { framed } from '../operations/encode.ts'

const pingFrame = framed(Buffer.from([0xff, 0xff, 0xff, 0xfe, 0, 0, 0, 11]))

/** The timeout of an answer. Far longer than an answer takes, so that only a missing answer exceeds it. */
const timeout = 5_000

/** A socket to a server, and the frames received from it. */
export class WireConnection {
  readonly #socket: Socket
  /** The frames that have arrived and were not taken yet. */
  #frames: Buffer[] = []
  #partial: Buffer = Buffer.alloc(0)
  #pingsSent = 0
  #pingsAnswered = 0
  #answers = 0
  #isClosed = false
  #changed: (() => void) | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#received(chunk))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      this.#isClosed = true
      this.#changed?.()
    })
  }

  static open(port: number): Promise<WireConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true })
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.off('error', reject)
        resolve(new WireConnection(socket))
      })
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The number of received frames that are not events. */
  get answers(): number {
    return this.#answers
  }

  get lastAnswer(): Buffer | undefined {
    return this.#frames.findLast((frame) => !isEvent(frame))
  }

  send(bytes: Uint8Array): void {
    this.#socket.write(bytes)
  }

  /** Sends these requests and a ping after them; resolves when the ping is answered. */
  sendAndPing(frames: readonly Buffer[], pingsAmong: number): Promise<void> {
    this.#pingsSent += pingsAmong + 1
    this.send(Buffer.concat([...frames, pingFrame]))
    return this.until(() => this.#pingsAnswered >= this.#pingsSent)
  }

  /** Resolves when the condition holds or the connection is closed; rejects after the timeout. */
  until(condition: () => boolean): Promise<void> {
    if (this.#isClosed || condition()) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#changed = undefined
        reject(new SilentServerError())
      }, timeout)
      this.#changed = () => {
        if (!this.#isClosed && !condition()) return
        clearTimeout(timer)
        this.#changed = undefined
        resolve()
      }
    })
  }

  untilClosed(): Promise<void> {
    return this.until(() => false)
  }

  takeFrames(): Buffer[] {
    const taken = this.#frames
    this.#frames = []
    return taken
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #received(chunk: Buffer): void {
    let rest = this.#partial.length === 0 ? chunk : Buffer.concat([this.#partial, chunk])
    while (rest.length >= 4) {
      const end = 4 + rest.readInt32BE(0)
      if (rest.length < end) break
      this.#count(rest.subarray(4, end))
      rest = rest.subarray(end)
    }
    this.#partial = rest
    this.#changed?.()
  }

  #count(frame: Buffer): void {
    this.#frames.push(frame)
    if (isEvent(frame)) return
    this.#answers++
    if (xidOf(frame) === reservedXid.ping) this.#pingsAnswered++
  }
}

/** A server did not send an expected frame. */
export class SilentServerError extends Error {
  override readonly name = 'SilentServerError'
}

export function xidOf(frame: Buffer): number | undefined {
  return frame.length < 4 ? undefined : frame.readInt32BE(0)
}

export function isEvent(frame: Buffer): boolean {
  return xidOf(frame) === reservedXid.notification
}
