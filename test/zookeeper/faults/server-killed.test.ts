import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WatchEvent } from '@elasticjob/zookeeper'
import { startStandalone } from '../harness/standalone.ts'
import type { ZooKeeperProcess } from '../harness/zookeeper-process.ts'
import { connectClient, faults } from './clients.ts'
import { Log } from './log.ts'

faults('a server that is killed', () => {
  let server: ZooKeeperProcess

  beforeAll(async () => {
    server = await startStandalone()
  })
  afterAll(() => server.stop())

  it('takes the session back when it restarts within the timeout', async () => {
    const servers = server.connectString
    const { zk, history } = await connectClient({ servers, sessionTimeout: 12_000 })
    const { sessionId } = zk
    const { stat } = await zk.create('/short', 'old', { mode: 'ephemeral' })
    const events = new Log<WatchEvent>()
    await zk.get('/short', { watch: events.add })

    // Frozen first, so that what is asked for here is surely on its way when the server dies.
    await server.pause()
    const cutOff = zk.create('/cut-off').catch((error: unknown) => error)
    const read = zk.get('/short')
    await server.kill()
    await history.until('session:suspended')
    expect(await cutOff).toMatchObject({ code: 'ZK_CONNECTION_LOSS', outcomeUnknown: true })
    const waited = zk.create('/waited')
    await server.start()

    expect((await history.until('session:reconnected')).payload.sessionId).toBe(sessionId)
    expect((await read).stat).toEqual(stat)
    await waited
    expect(await zk.exists('/cut-off')).toBeUndefined()
    expect((await zk.exists('/short'))?.ephemeralOwner).toBe(sessionId)
    expect(events.entries).toEqual([])
    await zk.set('/short', 'new')
    await zk.set('/short', 'newer')
    await zk.catchUp()
    expect(events.entries).toEqual([{ type: 'dataChanged', path: '/short' }])
    expect(history.names).toEqual(['session:connected', 'session:suspended', 'session:reconnected'])
  })

  it('takes the session back when it was down for longer than the timeout', async () => {
    const servers = server.connectString
    const { zk, history } = await connectClient({ servers, sessionTimeout: 3_000 })
    const { sessionId } = zk
    await zk.create('/long', '', { mode: 'ephemeral' })
    const events = new Log<WatchEvent>()
    await zk.addWatch('/long', 'persistent', events.add)

    await server.kill()
    await history.until('session:lost')
    expect(zk.state).toBe('lost')
    const waited = zk.get('/long')
    // A server counts the time of the sessions that it finds on its disk from its own start.
    await server.start()

    expect((await history.until('session:reconnected')).payload.sessionId).toBe(sessionId)
    expect((await waited).stat.ephemeralOwner).toBe(sessionId)
    await zk.set('/long', 'new')
    await zk.catchUp()
    expect(events.entries).toEqual([{ type: 'dataChanged', path: '/long' }])
    expect(history.names).toEqual([
      'session:connected',
      'session:suspended',
      'session:lost',
      'session:reconnected',
    ])
  })

  it('is left alone by a client that closes meanwhile', async () => {
    const { zk, history } = await connectClient({ servers: server.connectString })
    await server.kill()
    await history.until('session:suspended')
    const waiting = zk.get('/').catch((error: unknown) => error)
    await zk.close()
    expect(await waiting).toMatchObject({ code: 'ZK_CLOSED' })
    await server.start()
    expect(history.names).toEqual(['session:connected', 'session:suspended', 'session:closed'])
    expect(await server.fourLetter('cons')).not.toContain(zk.sessionId.toString(16))
  })
})
