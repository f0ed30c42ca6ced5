import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { WatchEvent } from '@elasticjob/zookeeper'
import { startEnsemble, type Ensemble, type Member } from '../harness/ensemble.ts'
import { connectClient, faults, inListedOrder, type TestClient } from './clients.ts'
import { Log } from './log.ts'

faults('an ensemble that loses a member', () => {
  let ensemble: Ensemble
  let leader: Member
  let followers: Member[]

  beforeAll(async () => {
    ensemble = await startEnsemble()
  })
  afterAll(() => ensemble.stop())
  beforeEach(async () => {
    leader = await ensemble.waitForQuorum(3)
    followers = await ensemble.followers()
  })

  /** A client that tries the members in this order, again and again. */
  function connectTo(...members: readonly Member[]): Promise<TestClient> {
    const servers = members.map(({ server }) => server.connectString)
    return connectClient({ servers, random: inListedOrder })
  }

  it('keeps the session of a client whose member freezes', async () => {
    const [near, far] = followers as [Member, Member]
    const { zk, history } = await connectTo(near, far)
    const { sessionId } = zk
    await zk.create('/frozen', 'old', { mode: 'ephemeral' })
    await zk.create('/frozen-made')
    const events = new Log<WatchEvent>()
    await zk.get('/frozen', { watch: events.add })
    const others = await connectTo(leader)

    await near.server.pause()
    const options = { sequential: true, protect: true, timeout: 20_000 }
    const made = zk.create('/frozen-made/n', '', options)
    const read = zk.get('/frozen')
    const suspended = await history.until('session:suspended')
    expect(suspended.payload.reason.code).toBe('ZK_READ_TIMEOUT')

    const { payload } = await history.until('session:reconnected')
    expect(payload).toMatchObject({ sessionId, server: far.server.connectString })
    expect((await read).stat.ephemeralOwner).toBe(sessionId)
    const { path } = await made
    expect((await zk.children('/frozen-made')).children).toEqual([path.split('/').at(-1)])
    expect(events.entries).toEqual([])
    await others.zk.set('/frozen', 'new')
    await events.atLeast(1)
    near.server.resume()
    await ensemble.waitForQuorum(3)
    // What the frozen member had taken over before it froze must not come twice now.
    await zk.catchUp()
    expect((await zk.children('/frozen-made')).children).toHaveLength(1)
    expect(events.entries).toEqual([{ type: 'dataChanged', path: '/frozen' }])
    expect(history.names).toEqual(['session:connected', 'session:suspended', 'session:reconnected'])
    expect(others.history.names).toEqual(['session:connected'])
  })

  it.each([
    ['catchUp', 'leader'],
    ['catchUp', 'follower'],
    // The leader's own sync waits for nothing: it may lag behind what a follower has answered.
    ['sync', 'follower'],
  ] as const)('shows after %s at its %s what others were told is written', async (method, role) => {
    const [near, far] = followers as [Member, Member]
    const writer = await connectTo(far)
    const reader = await connectTo(role === 'leader' ? leader : near)
    const { path: parent } = await writer.zk.create('/written-', '', { sequential: true })
    for (let round = 0; round < 500; round++) {
      const { path } = await writer.zk.create(`${parent}/n-`, '', { sequential: true })
      await reader.zk[method]()
      expect(await reader.zk.exists(path)).toBeDefined()
    }
  })

  it('keeps every session when its leader is killed', async () => {
    const [one, other] = followers as [Member, Member]
    const onLeader = await connectTo(leader, one, other)
    const onFollower = await connectTo(one, other, leader)
    const sessions = [onLeader.zk.sessionId, onFollower.zk.sessionId]
    await onLeader.zk.create('/killed-leader', 'old', { mode: 'ephemeral' })
    await onFollower.zk.create('/killed-follower', 'old', { mode: 'ephemeral' })
    const events = new Log<WatchEvent>()
    await onFollower.zk.get('/killed-leader', { watch: events.add })
    await onFollower.zk.addWatch('/killed-follower', 'persistent', events.add)

    await leader.server.kill()
    await onLeader.history.until('session:suspended')
    await onFollower.history.until('session:suspended')
    const waited = onLeader.zk.create('/killed-waited')
    await onLeader.history.until('session:reconnected')
    await onFollower.history.until('session:reconnected')

    await waited
    expect([onLeader.zk.sessionId, onFollower.zk.sessionId]).toEqual(sessions)
    await onFollower.zk.catchUp()
    const stats = await Promise.all([
      onFollower.zk.exists('/killed-leader'),
      onFollower.zk.exists('/killed-follower'),
    ])
    expect(stats.map((stat) => stat?.ephemeralOwner)).toEqual(sessions)
    expect(events.entries).toEqual([])
    await onLeader.zk.set('/killed-leader', 'new')
    await onLeader.zk.set('/killed-follower', 'new')
    await events.atLeast(2)
    await onFollower.zk.catchUp()
    expect(events.entries).toEqual([
      { type: 'dataChanged', path: '/killed-leader' },
      { type: 'dataChanged', path: '/killed-follower' },
    ])
    const names = ['session:connected', 'session:suspended', 'session:reconnected']
    expect(onLeader.history.names).toEqual(names)
    expect(onFollower.history.names).toEqual(names)
    await leader.server.start()
  })

  it('has no majority and says so, until one is back', async () => {
    const [one, other] = followers as [Member, Member]
    const { zk, history } = await connectTo(one, leader, other)
    const { sessionId } = zk
    await zk.create('/minority', '', { mode: 'ephemeral' })

    await Promise.all([leader.server.kill(), other.server.kill()])
    await history.until('session:suspended')
    const refused = zk.get('/minority', { whileDisconnected: 'fail' })
    await expect(refused).rejects.toMatchObject({ code: 'ZK_NOT_CONNECTED' })
    await other.server.start()

    await history.until('session:reconnected')
    await leader.server.start()
    expect((await zk.exists('/minority'))?.ephemeralOwner).toBe(sessionId)
    expect(zk.sessionId).toBe(sessionId)
  })
})
