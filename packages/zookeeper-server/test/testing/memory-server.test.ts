import { ZooKeeper } from '@elasticjob/zookeeper'
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type Faults,
  faultsOf,
  MemoryNetwork,
  MemoryServer,
  SimulatedClock,
} from '../../src/testing.ts'
import { opCode } from '../core-client.ts'

let clock: SimulatedClock
let network: MemoryNetwork
let server: MemoryServer
let faults: Faults

beforeEach(async () => {
  clock = new SimulatedClock()
  network = new MemoryNetwork({ clock, latency: () => 1 })
  const random = new SeededRandom(1)
  server = await MemoryServer.start({ network, clock, random, tickTime: 1_000, host: '10.0.0.1' })
  faults = faultsOf(server)
})

const connect = (machine = '10.0.0.9', sessionTimeout = 6_000): Promise<ZooKeeper> =>
  clock.until(
    ZooKeeper.connect({
      servers: server.connectString,
      transport: network.transport(machine),
      clock,
      random: new SeededRandom(2),
      sessionTimeout,
    }),
  )

/** Resolves with the names of the client's events up to the given one. */
const untilEvent = (client: ZooKeeper, last: string): Promise<string[]> => {
  const seen: string[] = []
  const names = ['suspended', 'reconnected', 'lost', 'expired', 'renewed', 'closed'] as const
  const promise = new Promise<string[]>((resolve) => {
    for (const name of names) {
      client.once(`session:${name}`, () => {
        seen.push(name)
        if (name === last) resolve(seen)
      })
    }
  })
  return clock.until(promise)
}

describe('a server in memory', () => {
  it('serves a client without sockets and real time', async () => {
    const client = await connect()
    await clock.until(client.create('/a', 'hello'))
    expect((await clock.until(client.get('/a'))).data).toEqual(Buffer.from('hello'))
    await clock.until(client.close())
    expect(faults.sessionIds).toEqual([])
  })

  it('keeps a session alive through pings', async () => {
    const client = await connect()
    const { sessionId } = client
    await clock.advance(600_000)
    expect(faults.sessionIds).toEqual([sessionId])
    expect(client.state).toBe('connected')
    await clock.until(client.close())
  })

  it('leaves no timer when a client has closed', async () => {
    const before = clock.pending
    const client = await connect()
    await clock.until(client.close())
    await clock.advance(100)
    expect(clock.pending).toBe(before)
  })

  it('refuses a connection to a port without a listener', async () => {
    const nowhere = ZooKeeper.connect({
      servers: '10.0.0.2:2181',
      transport: network.transport('10.0.0.9'),
      clock,
      random: new SeededRandom(2),
      connectTimeout: 1_000,
    })
    await expect(clock.until(nowhere)).rejects.toMatchObject({ code: 'ZK_CONNECT_FAILED' })
  })
})

describe('faults', () => {
  it('expire a session', async () => {
    const client = await connect()
    await clock.until(client.create('/e', 'x', { mode: 'ephemeral' }))
    const { sessionId } = client
    faults.expireSession(sessionId)
    expect(await untilEvent(client, 'renewed')).toEqual(['suspended', 'lost', 'expired', 'renewed'])
    expect(client.sessionId).not.toBe(sessionId)
    expect(await clock.until(client.exists('/e'))).toBeUndefined()
    expect(() => faults.expireSession(sessionId)).toThrow('no session')
    await clock.until(client.close())
  })

  it('drop a connection, but not the session', async () => {
    const client = await connect()
    const { sessionId } = client
    faults.dropConnection(sessionId)
    expect(await untilEvent(client, 'reconnected')).toEqual(['suspended', 'reconnected'])
    expect(client.sessionId).toBe(sessionId)
    faults.dropConnections()
    await untilEvent(client, 'reconnected')
    await clock.until(client.close())
  })

  it('pause the server, whose sessions expire when it resumes too late', async () => {
    const client = await connect()
    faults.pause()
    const seen = untilEvent(client, 'lost')
    expect(await seen).toEqual(['suspended', 'lost'])
    await clock.advance(10_000)
    faults.resume()
    await untilEvent(client, 'renewed')
    await clock.until(client.close())
  })

  it('pause the server briefly, which only delays answers', async () => {
    const client = await connect()
    faults.pause()
    const created = client.create('/a')
    await clock.advance(500)
    faults.resume()
    expect(await clock.until(created)).toMatchObject({ path: '/a' })
    await clock.until(client.close())
  })

  it('delay answers', async () => {
    const client = await connect()
    faults.delay(1_000)
    const before = clock.monotonic()
    await clock.until(client.get('/'))
    expect(clock.monotonic() - before).toBe(1_002)
    faults.delay(0)
    await clock.until(client.close())
  })

  it('lose the answer to a request that was carried out', async () => {
    const client = await connect()
    const lost = faults.loseNextReply({ type: opCode.setData, sessionId: client.sessionId })
    const writing = client.set('/', 'x')
    await expect(clock.until(writing)).rejects.toMatchObject({ outcomeUnknown: true })
    await lost
    expect((await clock.until(client.get('/'))).stat.version).toBe(1)
    await clock.until(client.close())
  })

  it('refuse connections, and accept them again', async () => {
    const client = await connect()
    await faults.refuseConnections()
    faults.dropConnections()
    await clock.advance(1_000)
    expect(client.state).toBe('suspended')
    await faults.acceptConnections()
    await untilEvent(client, 'reconnected')
    await clock.until(client.close())
  })

  it('make the clock jump, which changes node times and expires no session', async () => {
    const client = await connect()
    const { stat } = await clock.until(client.create('/a'))
    faults.jumpClock(3_600_000)
    const after = await clock.until(client.set('/a', ''))
    expect(Number(after.mtime - stat.ctime)).toBeGreaterThan(3_599_000)
    expect(client.state).toBe('connected')
    await clock.until(client.close())
  })
})

describe('the network in memory', () => {
  it('holds data, and delivers it later', async () => {
    const client = await connect()
    network.hold('10.0.0.9', '10.0.0.1')
    const created = client.create('/a')
    await clock.advance(1_000)
    expect(faults.sessionIds).toHaveLength(1)
    network.release('10.0.0.1', '10.0.0.9')
    expect(await clock.until(created)).toMatchObject({ path: '/a' })
    await clock.until(client.close())
  })

  it('that holds data for too long expires the session', async () => {
    const client = await connect()
    network.hold('10.0.0.9', '10.0.0.1')
    expect(await untilEvent(client, 'lost')).toEqual(['suspended', 'lost'])
    await clock.advance(5_000)
    expect(faults.sessionIds).toEqual([])
    network.release('10.0.0.9', '10.0.0.1')
    await untilEvent(client, 'renewed')
    await clock.until(client.close())
  })

  it('resets connections', async () => {
    const client = await connect()
    const seen = untilEvent(client, 'reconnected')
    network.reset('10.0.0.9', '10.0.0.1')
    expect(await seen).toEqual(['suspended', 'reconnected'])
    await clock.until(client.close())
  })

  it('produces the same history for the same seed', async () => {
    const history = async (): Promise<string[]> => {
      const time = new SimulatedClock()
      const chance = new SeededRandom(7)
      const net = new MemoryNetwork({ clock: time, latency: () => chance.fraction() * 10 })
      const one = await MemoryServer.start({ network: net, clock: time, random: chance })
      const seen: string[] = []
      const clients = await Promise.all(
        ['10.0.0.8', '10.0.0.9'].map((machine) =>
          time.until(
            ZooKeeper.connect({
              servers: one.connectString,
              transport: net.transport(machine),
              clock: time,
              random: chance,
            }),
          ),
        ),
      )
      const writes = clients.flatMap((client, index) =>
        Array.from({ length: 10 }, async () => {
          const { path } = await client.create(`/n${index}-`, '', { sequential: true })
          seen.push(`${path} at ${time.monotonic()}`)
        }),
      )
      await time.until(Promise.all(writes))
      await time.until(Promise.all(clients.map((client) => client.close())))
      await one.stop()
      return seen
    }
    const first = await history()
    expect(first).toHaveLength(20)
    expect(await history()).toEqual(first)
  })
})
