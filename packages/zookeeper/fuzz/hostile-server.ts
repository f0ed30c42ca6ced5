import type { ByteStream, ByteStreamHandler, Transport } from '@elasticjob/zookeeper'
import type { SeededRandom } from '@elasticjob/zookeeper/testing'
import {
  JuteReader,
  JuteWriter,
  opCode,
  operations,
  readConnectRequest,
  type Stat,
  writeConnectResponse,
  writeReplyHeader,
  writeWatcherEvent,
} from '@elasticjob/zookeeper/protocol'

const stat: Stat = {
  czxid: 1n,
  mzxid: 2n,
  ctime: 3n,
  mtime: 4n,
  version: 5,
  cversion: 6,
  aversion: 7,
  ephemeralOwner: 0n,
  dataLength: 8,
  numChildren: 9,
  pzxid: 10n,
}

/**
 * A server without a network that answers a few requests correctly and most of them with random, truncated,
 * oversized, repeated and reordered frames, in chunks of any size.
 */
export class HostileServer implements Transport {
  readonly #random: SeededRandom
  readonly #maxFrameBytes: number
  #zxid = 1n
  #sessions = 1n
  /** How many frames were sent, sound and unsound. */
  frames = 0
  /** How many of them were made unsound on purpose. */
  unsound = 0
  connections = 0

  constructor(random: SeededRandom, maxFrameBytes: number) {
    this.#random = random
    this.#maxFrameBytes = maxFrameBytes
  }

  resolve(host: string): Promise<readonly string[]> {
    return Promise.resolve([host])
  }

  connect(_: unknown, handler: ByteStreamHandler): ByteStream {
    this.connections++
    let open = true
    let greeted = false
    // Some connections last long enough to make progress, others fail at the first reply.
    const hostility = this.#random.pick([0.03, 0.1, 0.6])
    const later = (run: () => void): void => {
      setImmediate(() => {
        if (open) run()
      })
    }
    const close = (): void => {
      open = false
      handler.closed(undefined)
    }
    later(() => handler.opened())
    return {
      write: (bytes) => {
        later(() => {
          for (const frame of framesOf(bytes)) {
            if (!open) return
            const answer = greeted
              ? this.#perhaps(hostility, this.#answer(frame))
              : this.#greet(frame)
            greeted = true
            this.#deliver(answer, handler, () => open)
          }
          if (open && this.#random.below(20) === 0) close()
        })
      },
      end: () => {},
      destroy: () => {
        open = false
      },
    }
  }

  #deliver(bytes: Buffer, handler: ByteStreamHandler, isOpen: () => boolean): void {
    let at = 0
    while (at < bytes.length && isOpen()) {
      const size = this.#random.below(4) === 0 ? 1 + this.#random.below(5) : bytes.length - at
      handler.received(Buffer.from(bytes.subarray(at, at + size)))
      at += size
    }
  }

  /** Mostly correct: a client whose handshake is refused never reaches the other code. */
  #greet(frame: Buffer): Buffer {
    const { sessionId } = readConnectRequest(new JuteReader(frame))
    const random = this.#random
    const isOdd = random.below(10) === 0
    const greeting = framed((writer) =>
      writeConnectResponse(writer, {
        timeout: isOdd ? random.pick([0, -5, 1, 2 ** 31 - 1]) : 10_000,
        sessionId: isOdd ? random.pick([0n, 77n]) : sessionId === 0n ? ++this.#sessions : sessionId,
        password: Buffer.alloc(16),
        readOnly: random.pick([false, undefined]),
      }),
    )
    return this.#perhaps(0.1, greeting)
  }

  #answer(frame: Buffer): Buffer {
    const reader = new JuteReader(frame)
    const xid = reader.int()
    const type = reader.int()
    return framed((writer) => {
      const error = this.#random.below(6) === 0 ? this.#random.pick([-101, -125, -9999, 7]) : 0
      writeReplyHeader(writer, { xid, zxid: this.#zxid++, error })
      if (error === 0) writeBody(writer, type)
    })
  }

  #perhaps(hostility: number, sound: Buffer): Buffer {
    this.frames++
    return this.#random.fraction() < hostility ? this.#disturb(sound) : sound
  }

  #disturb(sound: Buffer): Buffer {
    const random = this.#random
    this.unsound++
    const body = sound.subarray(4)
    switch (random.below(11)) {
      case 0:
        return withLength(random.bytes(random.below(200)))
      case 1:
        return withLength(body.subarray(0, random.below(body.length + 1)))
      case 2: {
        const flipped = Buffer.from(body)
        for (let i = 0; i <= random.below(4); i++) {
          const at = random.below(flipped.length)
          flipped[at] = (flipped[at] as number) ^ (1 << random.below(8))
        }
        return withLength(flipped)
      }
      case 3:
        return lengthOf(this.#maxFrameBytes + 1 + random.below(1000))
      case 4:
        return lengthOf(-1 - random.below(1000))
      case 5:
        return Buffer.concat([lengthOf(this.#maxFrameBytes - random.below(1000)), random.bytes(50)])
      case 6:
        return Buffer.concat([sound, sound])
      case 7: {
        const shifted = Buffer.from(body)
        if (shifted.length >= 4) shifted.writeInt32BE(shifted.readInt32BE(0) + 1, 0)
        return withLength(shifted)
      }
      case 8:
        return Buffer.concat([this.#event(), sound])
      case 9:
        return Buffer.concat([
          framed((writer) =>
            writeReplyHeader(writer, {
              xid: random.pick([-2, -4, -8, -16, 0]),
              zxid: -1n,
              error: random.pick([0, -115, 3]),
            }),
          ),
          sound,
        ])
      default:
        return Buffer.alloc(0)
    }
  }

  #event(): Buffer {
    const random = this.#random
    return framed((writer) => {
      writeReplyHeader(writer, { xid: -1, zxid: -1n, error: 0 })
      writeWatcherEvent(writer, {
        type: random.pick([-1, 1, 2, 3, 4, 5, 99]),
        state: random.pick([0, 3, -112, 77]),
        path: random.pick(['/', '', '/fuzz', 'no path', '/fuzz/a/b']),
      })
    })
  }
}

function writeBody(writer: JuteWriter, type: number): void {
  switch (type) {
    case opCode.create2:
      operations.create2.writeReply(writer, { path: '/fuzz', stat })
      break
    case opCode.getData:
      operations.getData.writeReply(writer, { data: Buffer.from('data'), stat })
      break
    case opCode.setData:
    case opCode.exists:
      operations.setData.writeReply(writer, stat)
      break
    case opCode.getChildren2:
      operations.getChildren2.writeReply(writer, { children: ['a', 'b'], stat })
      break
    case opCode.multi:
      operations.multi.writeReply(writer, [
        { type: opCode.create, path: '/fuzz' },
        { type: opCode.setData, stat },
      ])
      break
    case opCode.addWatch:
      writer.int(0)
      break
  }
}

function* framesOf(bytes: Uint8Array): Generator<Buffer> {
  const buffer = Buffer.from(bytes)
  for (let at = 0; at + 4 <= buffer.length;) {
    const end = at + 4 + buffer.readInt32BE(at)
    yield buffer.subarray(at + 4, end)
    at = end
  }
}

function framed(write: (writer: JuteWriter) => void): Buffer {
  const writer = new JuteWriter()
  const mark = writer.beginFrame()
  write(writer)
  writer.endFrame(mark)
  return writer.take()
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(length)
  return bytes
}

function withLength(body: Buffer): Buffer {
  return Buffer.concat([lengthOf(body.length), body])
}
