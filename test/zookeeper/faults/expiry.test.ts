import { afterAll, beforeAll, expect, it } from 'vitest'
import { creatorAcl, type WatchEvent } from '@elasticjob/zookeeper'
import { expireSession } from '../harness/expire-session.ts'
import { startStandalone } from '../harness/standalone.ts'
import type { ZooKeeperProcess } from '../harness/zookeeper-process.ts'
import { connectClient, faults, type TestClient } from './clients.ts'
import { Log } from './log.ts'

const expiredAndRenewed = [
  'session:connected',
  'session:suspended',
  'session:lost',
  'session:expired',
  'session:renewed',
] as const

faults('a session that the server expires', () => {
  let server: ZooKeeperProcess

  beforeAll(async () => {
    server = await startStandalone()
  })
  afterAll(() => server.stop())

  async function expire({ zk, history }: TestClient): Promise<void> {
    const told = history.names.length
    await expireSession(server.connectString, zk.sessionId, zk.sessionPassword)
    await history.until('session:renewed', told)
  }

  it('is told to be lost, then expired, then renewed, and the client works on', async () => {
    const client = await connectClient({ servers: server.connectString })
    const { zk, history } = client
    const formerSessionId = zk.sessionId
    await zk.create('/mine', '', { mode: 'ephemeral' })
    await expire(client)

    const expired = await history.until('session:expired')
    expect(expired.payload).toEqual({ sessionId: formerSessionId, reason: 'expired' })
    const renewed = await history.until('session:renewed')
    expect(renewed.payload).toMatchObject({ formerSessionId, sessionId: zk.sessionId })
    expect(zk.sessionId).not.toBe(formerSessionId)
    expect(await zk.exists('/mine')).toBeUndefined()
    const { stat } = await zk.create('/mine', '', { mode: 'ephemeral' })
    expect(stat.ephemeralOwner).toBe(zk.sessionId)
    expect(await zk.getEphemerals()).toEqual(['/mine'])
    expect(history.names).toEqual(expiredAndRenewed)
  })

  it('can be expired again and again', async () => {
    const client = await connectClient({ servers: server.connectString })
    const { zk, history } = client
    const sessions = new Set([zk.sessionId])
    for (let round = 1; round <= 3; round++) {
      await expire(client)
      sessions.add(zk.sessionId)
      await zk.create(`/again-${round}`, '', { mode: 'ephemeral' })
      expect(await zk.getEphemerals()).toEqual([`/again-${round}`])
    }
    expect(sessions.size).toBe(4)
    expect(history.names).toHaveLength(1 + 3 * 4)
  })

  it('hands its watches on to the next one', async () => {
    const client = await connectClient({ servers: server.connectString })
    const others = await connectClient({ servers: server.connectString })
    const { zk } = client
    await others.zk.create('/kept', 'old')
    await zk.create('/gone', '', { mode: 'ephemeral' })
    const events = new Log<WatchEvent>()
    await zk.get('/kept', { watch: events.add })
    await zk.children('/kept', { watch: events.add })
    await zk.exists('/absent', { watch: events.add })
    await zk.get('/gone', { watch: events.add })
    await zk.addWatch('/kept', 'recursive', events.add)

    await expire(client)
    await zk.catchUp()
    expect(events.entries).toEqual([{ type: 'deleted', path: '/gone' }])
    await others.zk.create('/absent')
    await others.zk.create('/kept/child')
    await others.zk.set('/kept', 'new')
    await zk.catchUp()
    expect(events.entries.slice(1)).toEqual([
      { type: 'created', path: '/absent' },
      { type: 'created', path: '/kept/child' },
      { type: 'childrenChanged', path: '/kept' },
      { type: 'dataChanged', path: '/kept' },
      { type: 'dataChanged', path: '/kept' },
    ])
  })

  it('proves the identities of the next one before anything is asked', async () => {
    const auth = [{ scheme: 'digest', auth: 'user:secret' }]
    const client = await connectClient({ servers: server.connectString, auth })
    const { zk } = client
    await zk.create('/protected', 'secret', { acl: creatorAcl })
    const reads: Promise<unknown>[] = []
    const read = (): void => void reads.push(zk.get('/protected'))
    zk.lease.hold('/hold')
    zk.on('lease:regained', read)
    zk.on('session:renewed', read)
    await expire(client)
    expect(await Promise.all(reads)).toHaveLength(2)
  })
})
