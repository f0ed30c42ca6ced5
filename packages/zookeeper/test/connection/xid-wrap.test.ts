import { expect, it } from 'vitest'

import type { Call } from '../../src/connection/call.ts'
import { Connection } from '../../src/connection/connection.ts'
import type { ByteStreamHandler, Transport } from '../../src/connection/transport.ts'
import { Deferred } from '../../src/deferred.ts'
import { writeConnectResponse, writeReplyHeader } from '../../src/jute/records.ts'
import { JuteWriter } from '../../src/jute/writer.ts'
import { FakeClock } from '../support/fake-clock.ts'

const largestXid = 2 ** 31 - 1

/** A server at the other end of no network: it remembers requests, and answers when it is told to. */
class Server {
  readonly xids: number[] = []
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

function newCall(): Call & { readonly answered: Promise<void> } {
  const { promise, resolve, reject } = new Deferred<void>()
  return {
    name: 'sync',
    code: 9,
    answered: promise,
    writeRequest() {},
    succeed: () => resolve(),
    refuse: reject,
    fail: reject,
  }
}

it('goes on after two billion requests: their numbers begin again at 1', async () => {
  const server = new Server()
  const failures: unknown[] = []
  const connection = new Connection(
    {
      clock: new FakeClock(),
      transport: server.transport,
      endpoint: { address: '10.0.0.1', host: '10.0.0.1', port: 2181 },
      handshakeTimeout: 1_000,
      maxFrameBytes: 1_000,
      maxRequestBytes: 1_000,
      firstXid: largestXid - 1,
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
      pingAnswered() {},
      closed: (error) => failures.push(error),
    },
  )
  server.open()
  await written()

  // All under way at a time, so that replies are matched across the wrap, too.
  const calls = Array.from({ length: 4 }, newCall)
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

/** A connection writes what was sent in a turn when the turn is over. */
function written(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
