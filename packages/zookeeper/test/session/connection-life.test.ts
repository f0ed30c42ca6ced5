import { isZooKeeperError, ZooKeeper, type ZooKeeperOptions } from '@elasticjob/zookeeper'
import { opCode } from '@elasticjob/zookeeper/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FakeClock } from '../support/fake-clock.ts'
import { ScriptedServer } from '../support/scripted-server.ts'

let server: ScriptedServer
let clock: FakeClock
let zk: ZooKeeper

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
}

async function settled(): Promise<void> {
  // Requests leave at the end of a turn.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    clock.advance(Math.min(100, milliseconds - passed))
    await settled()
  }
}

async function connected(): Promise<void> {
  zk.connect().catch(() => {})
  await settled()
}

const sent = (type: number): typeof server.requests =>
  server.requests.filter((request) => request.type === type)

/** What came of a request. */
function outcomeOf(request: Promise<unknown>): { value: string } {
  const outcome = { value: 'open' }
  request.then(
    () => (outcome.value = 'done'),
    (error: unknown) => (outcome.value = isZooKeeperError(error) ? error.code : String(error)),
  )
  return outcome
}

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

describe('a silent connection', () => {
  beforeEach(connected)

  it('is kept by a ping after a third of the timeout', async () => {
    await pass(3_900)
    expect(sent(opCode.ping)).toEqual([])
    await pass(200)
    expect(sent(opCode.ping)).toHaveLength(1)
  })

  it('is given up after two thirds of the timeout without an answer', async () => {
    await pass(7_900)
    expect(zk.state).toBe('connected')
    server.answer = () => undefined
    await pass(200)
    expect(zk.state).toBe('suspended')
  })

  it('goes on as long as the server answers pings', async () => {
    for (let third = 0; third < 9; third++) {
      await pass(4_000)
      for (const ping of sent(opCode.ping).slice(-1)) server.reply(ping, 0n)
    }
    expect([zk.state, server.handshakes.length]).toEqual(['connected', 1])
  })
})

describe('a request', () => {
  it('fails when its time is over, and its answer is taken without harm', async () => {
    await connected()
    const late = outcomeOf(zk.delete('/a'))
    const longer = outcomeOf(zk.delete('/b', { timeout: 5_500 }))
    await pass(4_900)
    expect(late.value).toBe('open')
    await pass(200)
    expect([late.value, longer.value]).toEqual(['ZK_DEADLINE_EXCEEDED', 'open'])
    const [first, second] = sent(opCode.delete)
    if (first !== undefined) server.reply(first, 7n)
    if (second !== undefined) server.reply(second, 8n)
    await settled()
    expect([longer.value, zk.state, zk.lastZxid]).toEqual(['done', 'connected', 8n])
  })

  it('has an unknown outcome once it was sent, and a known one before', async () => {
    const waiting = zk.delete('/a')
    const outcome = waiting.catch((error: unknown) => error)
    await pass(5_100)
    expect(await outcome).toMatchObject({ code: 'ZK_DEADLINE_EXCEEDED', outcomeUnknown: false })
    await connected()
    const lost = zk.delete('/b').catch((error: unknown) => error)
    await pass(5_100)
    expect(await lost).toMatchObject({ code: 'ZK_DEADLINE_EXCEEDED', outcomeUnknown: true })
  })

  it('that only reads is sent again after a reconnect', async () => {
    await connected()
    const read = zk.exists('/a')
    await settled()
    server.cut()
    await pass(300)
    const [, again] = sent(opCode.exists)
    if (again === undefined) throw new Error('it was not sent again')
    server.reply(again, 7n, -101)
    expect(await read).toBeUndefined()
  })

  it('whose time is over is not sent after a reconnect', async () => {
    const outcome = outcomeOf(zk.delete('/a', { timeout: 300 }))
    await pass(400)
    expect(outcome.value).toBe('ZK_DEADLINE_EXCEEDED')
    await connected()
    expect(sent(opCode.delete)).toEqual([])
  })

  it('can be given up by its caller', async () => {
    await connected()
    const caller = new AbortController()
    const outcome = outcomeOf(zk.delete('/a', { signal: caller.signal }))
    caller.abort(new Error('enough'))
    await settled()
    expect(outcome.value).toBe('Error: enough')
    expect(outcomeOf(zk.delete('/b', { signal: caller.signal })).value).toBe('open')
    await settled()
    expect(sent(opCode.delete)).toHaveLength(1)
  })
})

describe('a server', () => {
  it('that answers another request than the oldest loses the connection', async () => {
    await connected()
    const outcome = outcomeOf(zk.delete('/a'))
    await settled()
    server.reply({ xid: 99, type: opCode.delete }, 7n)
    await settled()
    expect(outcome.value).toBe('ZK_CONNECTION_LOSS')
    await pass(300)
    expect(server.handshakes).toHaveLength(2)
  })

  it('that never answers the handshake is tried again', async () => {
    server.isSilent = true
    await connected()
    await pass(3_900)
    expect(server.connections).toBe(1)
    await pass(400)
    expect(server.connections).toBe(2)
  })

  it('that is never found fails the start after the time that is allowed', async () => {
    server.isSilent = true
    await zk.close()
    open({ connectTimeout: 6_000 })
    const outcome = outcomeOf(zk.connect())
    await pass(5_900)
    expect(outcome.value).toBe('open')
    await pass(200)
    expect(outcome.value).toBe('ZK_CONNECT_FAILED')
  })
})

describe('close', () => {
  it('ends the session at the server, and waits for its answer', async () => {
    await connected()
    const outcome = outcomeOf(zk.close())
    await settled()
    const [request] = sent(opCode.closeSession)
    expect([outcome.value, request === undefined]).toEqual(['open', false])
    if (request !== undefined) server.reply(request, 9n)
    await settled()
    expect([outcome.value, zk.state]).toEqual(['done', 'closed'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('does not wait for a silent server beyond a third of the timeout', async () => {
    await connected()
    const outcome = outcomeOf(zk.close())
    await pass(3_900)
    expect(outcome.value).toBe('open')
    await pass(200)
    expect(outcome.value).toBe('done')
  })
})
