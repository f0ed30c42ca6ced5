import {
  JuteWriter,
  opCode,
  operations,
  reservedXid,
  writeConnectRequest,
} from '@elasticjob/zookeeper/protocol'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Durability, DurabilityListener } from '../src/durability.ts'
import type { ServerStream, ServerStreamHandler } from '../src/net/server-stream.ts'
import { assembleServer, type ServerParts } from '../src/running-server.ts'
import { SimulatedClock } from '../src/testing.ts'
import type { Transaction } from '../src/transaction.ts'
import { SeededRandom } from '@elasticjob/zookeeper/testing'

/** A log that becomes durable on command. */
class ManualLog implements Durability {
  durableZxid = 0
  readonly appended: Transaction[] = []
  isClosed = false
  #listener: DurabilityListener | undefined

  async recover(): Promise<void> {}

  start(_source: unknown, listener: DurabilityListener): void {
    this.#listener = listener
  }

  append(transaction: Transaction): void {
    this.appended.push(transaction)
  }

  close(): Promise<void> {
    this.isClosed = true
    return Promise.resolve()
  }

  makeDurable(zxid: number): void {
    this.durableZxid = zxid
    this.#listener?.durable(zxid)
  }

  fail(error: Error): void {
    this.#listener?.failed(error)
  }
}

/** A client's end of a stream, with the xids of the received replies. */
class Wire implements ServerStream {
  unsent = 0
  readonly xids: number[] = []
  isEnded = false
  isPaused = false
  handler: ServerStreamHandler | undefined

  write(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes)
    for (let at = 0; at < chunk.length; at += 4 + chunk.readInt32BE(at)) {
      this.xids.push(chunk.readInt32BE(at + 4))
    }
  }

  end(): void {
    this.isEnded = true
  }

  destroy(): void {
    this.isEnded = true
  }

  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
  }

  send(...requests: ((writer: JuteWriter) => void)[]): void {
    const writer = new JuteWriter()
    for (const write of requests) {
      const mark = writer.beginFrame()
      write(writer)
      writer.endFrame(mark)
    }
    this.handler?.received(writer.take())
  }
}

const acl = [{ permissions: 31, id: { scheme: 'world', id: 'anyone' } }]
const handshake = (writer: JuteWriter): void =>
  writeConnectRequest(writer, {
    lastZxidSeen: 0n,
    timeout: 10_000,
    sessionId: 0n,
    password: new Uint8Array(16),
    readOnly: false,
  })
const create =
  (xid: number, path: string) =>
  (writer: JuteWriter): void => {
    writer.int(xid)
    writer.int(opCode.create)
    operations.create.writeRequest(writer, { path, data: null, acl, flags: 0 })
  }
const exists =
  (xid: number, path: string, watch = false) =>
  (writer: JuteWriter): void => {
    writer.int(xid)
    writer.int(opCode.exists)
    operations.exists.writeRequest(writer, { path, watch })
  }
const close =
  (xid: number) =>
  (writer: JuteWriter): void => {
    writer.int(xid)
    writer.int(opCode.closeSession)
  }

let clock: SimulatedClock
let log: ManualLog
let parts: ServerParts

beforeEach(async () => {
  clock = new SimulatedClock()
  log = new ManualLog()
  parts = await assembleServer({ clock, random: new SeededRandom(1) }, log)
})

const open = (): Wire => {
  const wire = new Wire()
  wire.handler = parts.runtime.accept(wire, '127.0.0.1', 1)
  return wire
}
const connected = (): Wire => {
  const wire = open()
  wire.send(handshake)
  log.makeDurable(parts.core.state.lastZxid)
  wire.xids.length = 0
  return wire
}

describe('a server with a log', () => {
  it('grants a session once it is durable', () => {
    const wire = open()
    wire.send(handshake)
    expect(wire.xids).toHaveLength(0)
    log.makeDurable(1)
    expect(wire.xids).toHaveLength(1)
  })

  it('answers a write once it is durable, and a later read not before it', () => {
    const wire = connected()
    wire.send(create(1, '/a'), exists(2, '/a'))
    wire.send(create(3, '/b'))
    expect(wire.xids).toEqual([])
    log.makeDurable(2)
    expect(wire.xids).toEqual([1, 2])
    log.makeDurable(3)
    expect(wire.xids).toEqual([1, 2, 3])
  })

  it('answers reads at once when everything is durable', () => {
    const wire = connected()
    wire.send(exists(1, '/'))
    expect(wire.xids).toEqual([1])
  })

  it('shows no client a state that is not durable', () => {
    const [writer, reader] = [connected(), connected()]
    writer.send(create(1, '/a'))
    reader.send(exists(2, '/a'))
    expect(reader.xids).toEqual([])
    log.makeDurable(3)
    expect(reader.xids).toEqual([2])
  })

  it('sends no notification of a change that is not durable', () => {
    const [writer, watcher] = [connected(), connected()]
    watcher.send(exists(1, '/a', true))
    writer.send(create(2, '/a'))
    expect(watcher.xids).toEqual([1])
    log.makeDurable(3)
    expect(watcher.xids).toEqual([1, reservedXid.notification])
  })

  it('closes a connection after the last answer', () => {
    const wire = connected()
    wire.send(close(1))
    expect([wire.xids, wire.isEnded]).toEqual([[], false])
    log.makeDurable(2)
    expect([wire.xids, wire.isEnded]).toEqual([[1], true])
  })

  it('logs every transaction, in order', () => {
    const wire = connected()
    wire.send(create(1, '/a'), create(2, '/a'), close(3))
    expect(log.appended.map(({ zxid, body }) => `${zxid} ${body.kind}`)).toEqual([
      '1 createSession',
      '2 create',
      '3 none',
      '4 closeSession',
    ])
  })

  it('stops reading from a client while too many bytes wait for the disk', () => {
    const wire = connected()
    const read = (writer: JuteWriter): void => {
      writer.int(2)
      writer.int(opCode.getData)
      operations.getData.writeRequest(writer, { path: '/big', watch: false })
    }
    wire.send((writer) => {
      writer.int(1)
      writer.int(opCode.create)
      const data = Buffer.alloc(400_000)
      operations.create.writeRequest(writer, { path: '/big', data, acl, flags: 0 })
    })
    wire.send(read)
    expect(wire.isPaused).toBe(false)
    wire.send(read)
    expect(wire.isPaused).toBe(true)
    log.makeDurable(2)
    expect(wire.isPaused).toBe(false)
  })

  it('counts the requests that wait for the disk, not only their answers', () => {
    const wire = connected()
    const large = (xid: number) => (writer: JuteWriter) => {
      writer.int(xid)
      writer.int(opCode.create)
      const data = Buffer.alloc(400_000)
      operations.create.writeRequest(writer, { path: `/${xid}`, data, acl, flags: 0 })
    }
    wire.send(large(1))
    wire.send(large(2))
    expect(wire.isPaused).toBe(false)
    wire.send(large(3))
    expect(wire.isPaused).toBe(true)
    log.makeDurable(parts.core.state.lastZxid)
    expect(wire.isPaused).toBe(false)
  })

  it('emits server:failed when its log fails, and closes the log on close()', async () => {
    const failures: Error[] = []
    parts.runtime.events.on('server:failed', ({ error }) => failures.push(error))
    log.fail(new Error('disk full'))
    expect(failures).toMatchObject([{ message: 'disk full' }])
    await parts.runtime.close()
    expect(log.isClosed).toBe(true)
  })
})

describe('a server without network', () => {
  it('wakes at every tick, and not after close()', async () => {
    await clock.advance(10_000)
    expect(clock.pending).toBe(1)
    await parts.runtime.close()
    expect(clock.pending).toBe(0)
  })

  it('drops a client whose request hits a bug, and continues', () => {
    const [bad, good] = [connected(), connected()]
    const reasons: string[] = []
    parts.runtime.events.on('connection:dropped', ({ reason }) => reasons.push(reason))
    const { tree } = parts.core.state
    const get = tree.get.bind(tree)
    tree.get = () => {
      throw new RangeError('out of stack')
    }
    bad.send(exists(1, '/'), exists(2, '/'))
    tree.get = get
    good.send(exists(3, '/'))
    expect([bad.isEnded, bad.xids, good.xids]).toEqual([true, [], [3]])
    expect(reasons).toEqual(['a request failed with an internal error: RangeError: out of stack'])
  })

  it('gives the same output for every way to split its input', async () => {
    const requests = [
      handshake,
      create(1, '/a'),
      exists(2, '/a', true),
      exists(3, '/none', true),
      create(4, '/none'),
      close(5),
    ]
    const writer = new JuteWriter()
    for (const write of requests) {
      const mark = writer.beginFrame()
      write(writer)
      writer.endFrame(mark)
    }
    const stream = writer.take()
    const answer = async (cuts: readonly number[]): Promise<unknown> => {
      const server = await assembleServer({ clock, random: new SeededRandom(1) })
      const wire = new Wire()
      wire.handler = server.runtime.accept(wire, '127.0.0.1', 1)
      const places = [0, ...cuts.toSorted((a, b) => a - b), stream.length]
      for (const [index, start] of places.entries()) {
        wire.handler?.received(stream.subarray(start, places[index + 1] ?? stream.length))
      }
      await server.runtime.close()
      return { xids: wire.xids, isEnded: wire.isEnded }
    }
    const whole = await answer([])
    expect(whole).toMatchObject({ xids: [0, 1, 2, 3, -1, 4, 5], isEnded: true })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(stream.length)), async (cuts) => {
        expect(await answer(cuts)).toEqual(whole)
      }),
    )
  })

  it('keeps nothing of a closed connection', () => {
    const wire = connected()
    wire.send(exists(1, '/a', true))
    expect(parts.core.watches.size).toBe(1)
    wire.handler?.closed()
    expect(parts.core.watches.size).toBe(0)
    expect(parts.runtime.connections.size).toBe(0)
    expect(parts.core.sessions.size).toBe(1)
  })
})
