import { connect, type Socket } from 'node:net'
import { reservedXid } from '@elasticjob/zookeeper/protocol'
import { framed } from '../operations/encode.ts'

const pingFrame = framed(Buffer.from([0xff, 0xff, 0xff, 0xfe, 0, 0, 0, 11]))

/** How long a server may take to answer. Far beyond what it takes, so that only silence is found. */
const timeout = 5_000

/** A socket to a server, and the frames that came from it. */
export class WireConnection {
  readonly #socket: Socket
  /** What has arrived and was not taken yet. */
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

  /** How many frames have arrived that were no events. */
  get answers(): number {
    return this.#answers
  }

  get lastAnswer(): Buffer | undefined {
    return this.#frames.findLast((frame) => !isEvent(frame))
  }

  send(bytes: Uint8Array): void {
    this.#socket.write(bytes)
  }

  /** Sends these requests and a ping behind them; resolves when that is answered. */
  sendAndPing(frames: readonly Buffer[], pingsAmong: number): Promise<void> {
    this.#pingsSent += pingsAmong + 1
    this.send(Buffer.concat([...frames, pingFrame]))
    return this.until(() => this.#pingsAnswered >= this.#pingsSent)
  }

  /** Resolves when the condition holds or the connection is closed; rejects when neither happens. */
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

/** A server said nothing although something was due. */
export class SilentServerError extends Error {
  override readonly name = 'SilentServerError'
}

export function xidOf(frame: Buffer): number | undefined {
  return frame.length < 4 ? undefined : frame.readInt32BE(0)
}

export function isEvent(frame: Buffer): boolean {
  return xidOf(frame) === reservedXid.notification
}
