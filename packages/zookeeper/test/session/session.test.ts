import { ZooKeeper, type ZooKeeperOptions } from '@elasticjob/zookeeper'
import { opCode } from '@elasticjob/zookeeper/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FakeClock } from '../support/fake-clock.ts'
import { type ScriptedRequest, ScriptedServer } from '../support/scripted-server.ts'

let server: ScriptedServer
let clock: FakeClock
let zk: ZooKeeper
let told: string[]

const events = [
  'session:connected',
  'session:suspended',
  'session:lost',
  'session:reconnected',
  'session:expired',
  'session:renewed',
  'session:closed',
] as const

const noNode = -101

function open(options: Partial<ZooKeeperOptions> = {}): void {
  zk = new ZooKeeper({
    servers: 'server:1',
    transport: server,
    clock,
    sessionTimeout: 12_000,
    requestTimeout: 5_000,
    connectTimeout: Infinity,
    reconnect: { initialDelay: 100, maxDelay: 100 },
    ...options,
  })
  told = []
  for (const name of events) zk.on(name, () => void told.push(name.slice('session:'.length)))
}

async function settled(): Promise<void> {
  // Requests leave at the end of a turn.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Lets time pass, and what follows from it. */
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    clock.advance(100)
    await settled()
  }
}

async function connected(): Promise<void> {
  zk.connect().catch(() => {})
  await settled()
}

/** A write is answered as this transaction. */
async function see(zxid: bigint): Promise<void> {
  const deleted = zk.delete('/node')
  await settled()
  server.reply(lastRequest(opCode.delete), zxid)
  await deleted
}

function lastRequest(code: number): ScriptedRequest {
  const request = server.requests.findLast(({ type }) => type === code)
  if (request === undefined) throw new Error('nothing was sent')
  return request
}

const closes = (): unknown[] => server.requests.filter(({ type }) => type === opCode.closeSession)

beforeEach(() => {
  server = new ScriptedServer()
  clock = new FakeClock()
  open()
})

afterEach(async () => {
  const closed = zk.close()
  await pass(5_000)
  await closed
})

describe('the handshake of a new session', () => {
  it('asks for the timeout, without a session and without anything seen', async () => {
    await connected()
    expect(server.handshakes).toMatchObject([
      { lastZxidSeen: 0n, timeout: 12_000, sessionId: 0n, password: Buffer.alloc(16) },
    ])
    expect([zk.state, zk.sessionId, told]).toEqual(['connected', 1n, ['connected']])
  })

  it('refuses session 0', async () => {
    server.answer = () => ({ sessionId: 0n })
    await connected()
    expect(zk.state).toBe('connecting')
    server.answer = () => ({ sessionId: 5n })
    await pass(200)
    expect([zk.state, zk.sessionId]).toEqual(['connected', 5n])
  })
})

describe('the handshake after a lost connection', () => {
  beforeEach(async () => {
    await connected()
    await see(77n)
  })

  it('names the session, its password and what was seen', async () => {
    server.cut()
    await pass(200)
    expect(server.handshakes.slice(1)).toMatchObject([
      { sessionId: 1n, password: Buffer.alloc(16, 7), lastZxidSeen: 77n },
    ])
    expect(told).toEqual(['connected', 'suspended', 'reconnected'])
  })

  it('never tells an earlier transaction after a later one', async () => {
    await see(70n)
    server.cut()
    await pass(200)
    expect(server.handshakes.at(-1)?.lastZxidSeen).toBe(77n)
    expect(zk.lastZxid).toBe(77n)
  })

  it('refuses the session of another client and tries again', async () => {
    server.answer = () => ({ sessionId: 2n })
    server.cut()
    await settled()
    await pass(200)
    expect(zk.state).toBe('suspended')
    server.answer = () => ({ sessionId: 1n })
    await pass(200)
    expect([zk.state, zk.sessionId]).toEqual(['connected', 1n])
    expect(told).toEqual(['connected', 'suspended', 'reconnected'])
  })

  it('opens a new session once the server says that the old one expired', async () => {
    server.answer = ({ sessionId }) => (sessionId === 0n ? { sessionId: 2n } : { timeout: 0 })
    server.cut()
    await pass(300)
    expect(told).toEqual(['connected', 'suspended', 'lost', 'expired', 'renewed'])
    expect(server.handshakes.at(-1)).toMatchObject({ sessionId: 0n, password: Buffer.alloc(16) })
    expect(server.handshakes.at(-1)?.lastZxidSeen).toBe(77n)
    expect(zk.sessionId).toBe(2n)
  })

  it('takes the session for lost after its timeout, counted from the last answer', async () => {
    await pass(1_000)
    server.answer = () => undefined
    server.cut()
    await pass(10_900)
    expect(told).not.toContain('lost')
    await pass(200)
    expect(told).toEqual(['connected', 'suspended', 'lost'])
  })

  it('counts the timeout afresh when the connection is lost again', async () => {
    server.cut()
    await pass(200)
    for (let second = 0; second < 10; second++) {
      await pass(1_000)
      await see(BigInt(78 + second))
    }
    server.answer = () => undefined
    server.cut()
    await pass(11_900)
    expect(told).toEqual(['connected', 'suspended', 'reconnected', 'suspended'])
    await pass(200)
    expect(told.at(-1)).toBe('lost')
  })

  it('is not taken for lost after a reconnect in time', async () => {
    server.cut()
    await pass(200)
    expect(zk.state).toBe('connected')
    clock.advance(1)
    expect(told).not.toContain('lost')
  })

  it('tells what was seen, until the session is lost and every server refuses', async () => {
    server.answer = () => undefined
    server.cut()
    await pass(11_000)
    expect(new Set(server.handshakes.slice(1).map(({ lastZxidSeen }) => lastZxidSeen))).toEqual(
      new Set([77n]),
    )
    await pass(3_000)
    const seen = server.handshakes.slice(-6).map(({ lastZxidSeen }) => lastZxidSeen)
    // Every other round.
    expect(new Set(seen)).toEqual(new Set([0n, 77n]))
    expect(seen[0]).toBe(seen[2])
    expect(seen[0]).not.toBe(seen[1])
  })

  it('begins with nothing seen in a new session of servers that have lost data', async () => {
    server.answer = () => undefined
    server.cut()
    await pass(13_000)
    server.answer = ({ lastZxidSeen, sessionId }) => {
      if (lastZxidSeen !== 0n) return undefined
      return sessionId === 0n ? { sessionId: 9n } : { timeout: 0 }
    }
    await pass(1_000)
    expect([zk.state, zk.sessionId, zk.lastZxid]).toEqual(['connected', 9n, 0n])
    expect(told).toEqual(['connected', 'suspended', 'lost', 'expired', 'renewed'])
    server.cut()
    server.answer = () => ({ sessionId: 9n })
    await pass(300)
    expect(server.handshakes.at(-1)).toMatchObject({ sessionId: 9n, lastZxidSeen: 0n })
  })

  it('gives up a session that restored servers know, and opens a new one', async () => {
    server.answer = () => undefined
    server.cut()
    await pass(13_000)
    server.answer = ({ lastZxidSeen, sessionId }) => {
      if (lastZxidSeen !== 0n) return undefined
      if (sessionId === 0n) return { sessionId: 9n }
      return closes().length === 0 ? { sessionId: 1n } : { timeout: 0 }
    }
    await pass(500)
    server.reply(lastRequest(opCode.exists), 76n, noNode)
    await pass(10_000)
    expect(closes()).toHaveLength(1)
    expect([zk.state, zk.sessionId]).toEqual(['connected', 9n])
    expect(told).toEqual(['connected', 'suspended', 'lost', 'expired', 'renewed'])
  })

  it('keeps a session that servers refused while they started, because they have its transactions', async () => {
    server.answer = () => undefined
    server.cut()
    await pass(13_000)
    server.answer = ({ lastZxidSeen }) => (lastZxidSeen === 0n ? {} : undefined)
    await pass(500)
    server.reply(lastRequest(opCode.exists), 77n, noNode)
    await settled()
    expect([zk.state, zk.sessionId, zk.lastZxid]).toEqual(['connected', 1n, 77n])
    expect(told).toEqual(['connected', 'suspended', 'lost', 'reconnected'])
    expect(closes()).toEqual([])
  })

  it('keeps a session while a server that may be behind does not answer', async () => {
    server.answer = () => undefined
    server.cut()
    await pass(13_000)
    server.answer = ({ lastZxidSeen }) => (lastZxidSeen === 0n ? {} : undefined)
    await pass(10_000)
    expect(server.requests.some(({ type }) => type === opCode.exists)).toBe(true)
    expect(closes()).toEqual([])
    expect([zk.state, zk.sessionId]).toEqual(['lost', 1n])
    expect(told).toEqual(['connected', 'suspended', 'lost'])
  })
})

describe('requests', () => {
  it('that wait for a connection are sent after it, in their order', async () => {
    const wait = [zk.delete('/a'), zk.create('/b')]
    for (const one of wait) one.catch(() => {})
    await connected()
    const types = server.requests.map(({ type }) => type)
    expect(types.indexOf(opCode.delete)).toBeLessThan(types.indexOf(opCode.create2))
  })

  it('that were sent and not answered have an unknown outcome', async () => {
    await connected()
    const lost = zk.delete('/node')
    lost.catch(() => {})
    await settled()
    server.cut()
    await expect(lost).rejects.toMatchObject({ code: 'ZK_CONNECTION_LOSS', outcomeUnknown: true })
  })

  it('that do not wait fail at once without a connection, and were not carried out', async () => {
    const failed = zk.delete('/node', { whileDisconnected: 'fail' })
    await expect(failed).rejects.toMatchObject({ code: 'ZK_NOT_CONNECTED', outcomeUnknown: false })
  })

  it('that waited for a session that expired were not carried out', async () => {
    await connected()
    server.answer = () => undefined
    server.cut()
    const waiting = zk.delete('/node', { timeout: 60_000 })
    waiting.catch(() => {})
    await pass(200)
    server.answer = ({ sessionId }) => (sessionId === 0n ? { sessionId: 2n } : { timeout: 0 })
    await pass(300)
    await expect(waiting).rejects.toMatchObject({
      code: 'ZK_SESSION_EXPIRED',
      outcomeUnknown: false,
    })
  })

  it('beyond the limit are refused, and those before it are not', async () => {
    await zk.close()
    open({ maxOutstanding: 2 })
    await connected()
    const all = [zk.delete('/a'), zk.delete('/b'), zk.delete('/c')]
    const [first, second, third] = all.map((one) =>
      one.then(
        () => 'done',
        (error: unknown) => error,
      ),
    )
    expect(await third).toMatchObject({ code: 'ZK_QUEUE_FULL' })
    await settled()
    for (const request of server.requests.slice(-2)) server.reply(request, 5n)
    expect([await first, await second]).toEqual(['done', 'done'])
    const next = zk.delete('/d')
    await settled()
    const request = server.requests.at(-1)
    if (request !== undefined) server.reply(request, 6n)
    await next
  })
})
