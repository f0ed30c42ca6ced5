import { once } from 'node:events'
import { ZooKeeper } from '@elasticjob/zookeeper'
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryNetwork, SimulatedClock, SimulatedEnsemble } from '../../src/testing.ts'

const [leader, follower, third] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'] as const
const tickTime = 2_000

let clock: SimulatedClock
let network: MemoryNetwork
let ensemble: SimulatedEnsemble

beforeEach(() => {
  clock = new SimulatedClock()
  network = new MemoryNetwork({ clock, latency: () => 1 })
  const hosts = [leader, follower, third]
  ensemble = new SimulatedEnsemble({ network, clock, random: new SeededRandom(1), hosts, tickTime })
})

const connect = (host: string, sessionTimeout = 4_000): Promise<ZooKeeper> =>
  clock.until(
    ZooKeeper.connect({
      servers: `${host}:2181`,
      transport: network.transport('10.0.0.9'),
      clock,
      random: new SeededRandom(2),
      sessionTimeout,
    }),
  )

/** Advances in small steps until the condition holds; returns the elapsed time. */
const untilTrue = async (
  isSo: () => boolean | Promise<boolean>,
  limit = 60_000,
): Promise<number> => {
  const start = clock.monotonic()
  while (!(await isSo())) {
    if (clock.monotonic() - start > limit) throw new Error('it never was')
    await clock.advance(10)
  }
  return clock.monotonic() - start
}

describe('an ensemble', () => {
  it('has one state, whichever member is asked', async () => {
    const [one, other] = [await connect(leader), await connect(follower)]
    await clock.until(one.create('/a', 'x'))
    await clock.until(other.sync())
    expect((await clock.until(other.get('/a'))).data).toEqual(Buffer.from('x'))
    await clock.until(other.set('/a', 'y'))
    await clock.until(one.sync())
    expect((await clock.until(one.get('/a'))).stat.version).toBe(1)
    await clock.until(Promise.all([one.close(), other.close()]))
    expect(ensemble.sessionIds).toEqual([])
  })

  it('shows clients of a slow member an old state until they sync', async () => {
    const [one, other] = [await connect(leader), await connect(follower)]
    ensemble.setLag(follower, 500)
    await clock.until(one.create('/a'))
    expect(await clock.until(other.exists('/a'))).toBeUndefined()
    await clock.until(other.sync())
    expect(await clock.until(other.exists('/a'))).toBeDefined()
  })

  it('notifies watchers on every member, before the answer to the writer', async () => {
    const [one, other] = [await connect(leader), await connect(follower)]
    const seen: string[] = []
    for (const client of [one, other]) {
      await clock.until(
        client.addWatch('/', 'recursive', ({ type, path }) => seen.push(`${type} ${path}`)),
      )
    }
    await clock.until(other.create('/a'))
    await clock.advance(10)
    expect(seen).toEqual(['created /a', 'created /a'])
  })

  it('keeps the sessions of all members alive through pings', async () => {
    const clients = [await connect(leader), await connect(follower), await connect(third)]
    await clock.advance(300_000)
    expect(clients.map(({ state }) => state)).toEqual(['connected', 'connected', 'connected'])
  })

  it("keeps the order of a client's requests", async () => {
    const client = await connect(follower)
    const answers: string[] = []
    const note = (name: string) => () => void answers.push(name)
    await clock.until(
      Promise.all([
        client.create('/a').then(note('create')),
        client.exists('/a').then((stat) => answers.push(stat === undefined ? 'absent' : 'present')),
        client.set('/a', 'x').then(note('set')),
        client.get('/a').then(({ stat }) => answers.push(`version ${stat.version}`)),
      ]),
    )
    expect(answers).toEqual(['create', 'present', 'set', 'version 1'])
  })

  it('rejects a request of a session that has ended meanwhile', async () => {
    const client = await connect(follower)
    const other = await connect(leader)
    const creation = client
      .create('/late', '', { mode: 'ephemeral' })
      .catch((error: unknown) => error)
    // The member has received and forwarded it; the leader has not received it yet.
    await clock.advance(1)
    ensemble.expireSession(client.sessionId)
    await clock.until(creation)
    await clock.advance(20_000)
    expect(await clock.until(other.exists('/late'))).toBeUndefined()
  })

  it('continues a session at another member', async () => {
    const client = new ZooKeeper({
      servers: ensemble.connectString,
      transport: network.transport('10.0.0.9'),
      clock,
      random: new SeededRandom(3),
      sessionTimeout: 20_000,
    })
    const connected = once(client, 'session:connected')
    await clock.until(client.connect())
    const [{ sessionId, server }] = (await connected) as [{ sessionId: bigint; server: string }]
    const first = server.replace(':2181', '')
    const moved = once(client, 'session:reconnected')
    network.hold('10.0.0.9', first)
    const [second] = (await clock.until(moved)) as [{ server: string }]
    expect(second.server).not.toBe(server)
    expect(client.sessionId).toBe(sessionId)
    await clock.until(client.create('/e', '', { mode: 'ephemeral' }))
  })
})

describe('a paused leader', () => {
  it('expires sessions when it resumes, although members answered their pings', async () => {
    const client = await connect(follower)
    await clock.until(client.create('/e', '', { mode: 'ephemeral' }))
    const { sessionId } = client
    ensemble.pause(leader)
    await clock.advance(7_000)
    expect(client.state).toBe('connected')
    expect(ensemble.sessionIds).toContain(sessionId)
    ensemble.resume(leader)
    expect(ensemble.sessionIds).not.toContain(sessionId)
    expect(client.state).toBe('connected')
  })

  it('commits nothing', async () => {
    const client = await connect(follower, 20_000)
    ensemble.pause(leader)
    const created = client.create('/a')
    await clock.advance(3_000)
    expect(client.outstanding).toBe(1)
    ensemble.resume(leader)
    await clock.until(created)
    expect(client.state).toBe('connected')
  })

  it('is replaced when it stays away, and every session gets its full timeout', async () => {
    const client = await connect(follower, 20_000)
    const { sessionId } = client
    ensemble.pause(leader)
    await untilTrue(() => ensemble.leader !== undefined && ensemble.leader !== leader)
    await untilTrue(() => client.state === 'connected')
    expect(client.sessionId).toBe(sessionId)
    await clock.until(client.create('/a'))
    ensemble.resume(leader)
    const old = await connect(leader)
    await clock.until(old.sync())
    expect(await clock.until(old.exists('/a'))).toBeDefined()
  })
})

describe('a member that is cut off from the leader', () => {
  it('answers pings and reads while the leader expires its sessions', async () => {
    const [client, other] = [await connect(follower), await connect(leader, 40_000)]
    await clock.until(client.create('/e', '', { mode: 'ephemeral' }))
    const { sessionId } = client
    ensemble.cut(leader, follower)
    await untilTrue(async () => (await clock.until(other.exists('/e'))) === undefined)
    expect(ensemble.sessionIds).not.toContain(sessionId)
    expect(client.state).toBe('connected')
    expect(await clock.until(client.exists('/e'))).toBeDefined()
    const overlap = await untilTrue(() => client.state !== 'connected')
    expect(overlap).toBeGreaterThan(tickTime)
  })

  it('commits nothing for its clients', async () => {
    const client = await connect(follower, 40_000)
    ensemble.cut(leader, follower)
    const writing = client.create('/a')
    await clock.advance(5_000)
    expect(client.outstanding).toBe(1)
    ensemble.heal(leader, follower)
    await clock.until(writing)
  })

  it('drops its clients after a while, and catches up when it is healed', async () => {
    const other = await connect(leader, 40_000)
    const client = await connect(follower, 40_000)
    ensemble.cut(leader, follower)
    await untilTrue(() => client.state === 'suspended')
    await clock.until(other.create('/meanwhile'))
    ensemble.heal(leader, follower)
    await untilTrue(() => client.state === 'connected')
    await clock.until(client.sync())
    expect(await clock.until(client.exists('/meanwhile'))).toBeDefined()
  })
})

describe('a leader that is cut off from all others', () => {
  it('answers requests that need no majority, commits nothing, and is replaced', async () => {
    const client = await connect(leader, 40_000)
    ensemble.cut(leader, follower)
    ensemble.cut(leader, third)
    await clock.until(client.sync())
    const failure = client.create('/a').catch((error: unknown) => error)
    await untilTrue(() => ensemble.leader !== leader)
    await clock.advance(10)
    expect(await failure).toMatchObject({ outcomeUnknown: true })
    const other = await connect(third)
    expect(await clock.until(other.exists('/a'))).toBeUndefined()
  })
})
