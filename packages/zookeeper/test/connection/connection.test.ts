import { expect, it } from 'vitest'

import type { Call } from '../../src/connection/call.ts'
import { Connection } from '../../src/connection/connection.ts'
import type { ByteStreamHandler, Transport } from '../../src/connection/transport.ts'
import { Deferred } from '../../src/deferred.ts'
import { reservedXid } from '../../src/jute/op-codes.ts'
import { writeConnectResponse, writeReplyHeader } from '../../src/jute/records.ts'
import { JuteWriter } from '../../src/jute/writer.ts'
import { LeaseTime } from '../../src/session/lease-time.ts'
import { FakeClock } from '../support/fake-clock.ts'

const largestXid = 2 ** 31 - 1

/** A server in memory: it records requests, and answers on command. */
class Server {
  readonly xids: number[] = []
  /** The size of each received chunk. */
  readonly received: number[] = []
  readonly transport: Transport
  #client: ByteStreamHandler | undefined
  #greeted = false

  constructor() {
    this.transport = {
      resolve: (host) => Promise.resolve([host]),
      connect: (_, handler) => {
        this.#client = handler
        return { write: (bytes) => this.#received(Buffer.from(bytes)), end() {}, destroy() {} }
      },
    }
  }

  open(): void {
    this.#client?.opened()
  }

  answer(xid: number): void {
    this.#send((writer) => writeReplyHeader(writer, { xid, zxid: 1n, error: 0 }))
  }

  #received(bytes: Buffer): void {
    if (!this.#greeted) {
      this.#greeted = true
      const password = new Uint8Array(16)
      this.#send((writer) =>
        writeConnectResponse(writer, { timeout: 9_000, sessionId: 1n, password, readOnly: false }),
      )
      return
    }
    this.received.push(bytes.length)
    for (let at = 0; at < bytes.length; at += 4 + bytes.readInt32BE(at)) {
      this.xids.push(bytes.readInt32BE(at + 4))
    }
  }

  #send(write: (writer: JuteWriter) => void): void {
    const writer = new JuteWriter()
    const mark = writer.beginFrame()
    write(writer)
    writer.endFrame(mark)
    this.#client?.received(writer.take())
  }
}

function newCall(bytes = 0): Call & { readonly answered: Promise<void> } {
  const { promise, resolve, reject } = new Deferred<void>()
  return {
    name: 'sync',
    code: 9,
    answered: promise,
    writeRequest: (writer) => {
      if (bytes > 0) writer.buffer(new Uint8Array(bytes))
    },
    succeed: () => resolve(),
    refuse: reject,
    fail: reject,
  }
}

const failures: unknown[] = []
/** The stamps of the answered pings. */
const answeredPings: number[] = []

/** A connection after its handshake. */
async function connected(
  server: Server,
  { firstXid = 1, clock = new FakeClock() }: { firstXid?: number; clock?: FakeClock } = {},
): Promise<Connection> {
  failures.length = 0
  answeredPings.length = 0
  const time = new LeaseTime(clock)
  const connection = new Connection(
    {
      clock,
      transport: server.transport,
      endpoint: { address: '10.0.0.1', host: '10.0.0.1', port: 2181 },
      handshakeTimeout: 1_000,
      maxFrameBytes: 1_000,
      maxRequestBytes: 100_000,
      firstXid,
      handshake: {
        lastZxidSeen: 0n,
        timeout: 9_000,
        sessionId: 0n,
        password: new Uint8Array(16),
        readOnly: false,
      },
    },
    {
      established() {},
      advanced() {},
      notified() {},
      authAnswered() {},
      watchesRegistered() {},
      stamp: (monotonic) => time.stamp(monotonic),
      pingAnswered: (stamp) => answeredPings.push(stamp),
      closed: (error) => failures.push(error),
    },
  )
  server.open()
  await written()
  return connection
}

it('Connection writes the requests of one turn at once, and a large batch before the turn ends', async () => {
  const server = new Server()
  const connection = await connected(server)
  const calls = [10, 10, 40_000, 40_000, 10, 10].map(newCall)
  for (const call of calls.slice(0, 3)) connection.send(call)
  expect(server.received).toEqual([])
  connection.send(calls[3] as Call)
  expect(server.received).toEqual([2 * 26 + 2 * 40_016])
  for (const call of calls.slice(4)) connection.send(call)
  await written()
  expect(server.received).toEqual([2 * 26 + 2 * 40_016, 2 * 26])
  for (const xid of server.xids) server.answer(xid)
  await Promise.all(calls.map(({ answered }) => answered))
  expect(failures).toEqual([])
  connection.destroy()
})

it('Connection continues with xid 1 after the largest xid', async () => {
  const server = new Server()
  const connection = await connected(server, { firstXid: largestXid - 1 })

  // All in flight at once, so that replies are matched across the wrap.
  const calls = Array.from({ length: 4 }, () => newCall())
  for (const call of calls) connection.send(call)
  await written()
  expect(server.xids).toEqual([largestXid - 1, largestXid, 1, 2])
  for (const xid of server.xids) server.answer(xid)
  await Promise.all(calls.map(({ answered }) => answered))

  const next = newCall()
  connection.send(next)
  await written()
  server.answer(3)
  await next.answered
  expect(failures).toEqual([])
  connection.destroy()
})

it('Connection stamps a ping when it is sent, even if the machine is suspended before the answer is read', async () => {
  const server = new Server()
  const clock = new FakeClock()
  const connection = await connected(server, { clock })
  clock.advance(3_000)
  const sentAt = clock.monotonic()
  await written()
  expect(server.xids).toEqual([reservedXid.ping])
  clock.suspend(8_000)
  clock.advance(200)
  server.answer(reservedXid.ping)
  expect(answeredPings).toEqual([sentAt])
  connection.destroy()
})

/** A connection writes at the end of the turn. */
function written(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
