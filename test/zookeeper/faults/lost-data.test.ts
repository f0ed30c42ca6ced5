import { expect, it, onTestFinished } from 'vitest'
import type { WatchEvent } from '@elasticjob/zookeeper'
import { startStandalone } from '../harness/standalone.ts'
import { connectClient, faults } from './clients.ts'
import { Log } from './log.ts'

faults('a server that lost its data', () => {
  it('gets a new session once the old one cannot live any more', async () => {
    const server = await startStandalone()
    onTestFinished(() => server.stop())
    const { zk, history } = await connectClient({
      servers: server.connectString,
      sessionTimeout: 3_000,
    })
    const { sessionId } = zk
    await zk.create('/was', 'here')
    for (let version = 1; version <= 20; version++) await zk.set('/was', `${version}`)
    const events = new Log<WatchEvent>()
    await zk.get('/was', { watch: events.add })
    await zk.exists('/never', { watch: events.add })

    await server.wipe()
    await history.until('session:suspended')
    const waited = zk.get('/was').catch((error: unknown) => error)
    await server.start()

    const { payload } = await history.until('session:expired')
    expect(payload).toEqual({ sessionId, reason: 'servers-behind' })
    expect(await waited).toMatchObject({ code: 'ZK_SESSION_EXPIRED' })
    await history.until('session:renewed')
    await zk.catchUp()
    expect(events.entries).toEqual([{ type: 'deleted', path: '/was' }])
    await zk.create('/was', 'here again', { mode: 'ephemeral' })
    await zk.create('/never')
    await zk.catchUp()
    expect(events.entries.slice(1)).toEqual([{ type: 'created', path: '/never' }])

    expect(history.names).toEqual([
      'session:connected',
      'session:suspended',
      'session:lost',
      'session:expired',
      'session:renewed',
    ])

    // What the new server tells counts from now on: a restart is a restart like any other.
    await server.restart()
    await history.until('session:reconnected')
    expect((await zk.exists('/was'))?.ephemeralOwner).toBe(zk.sessionId)
    expect(events.entries).toHaveLength(2)
  })

  it('restored from a backup in which the session lives: gets a new session, the old one ends', async () => {
    const server = await startStandalone()
    onTestFinished(() => server.stop())
    const { zk, history } = await connectClient({
      servers: server.connectString,
      sessionTimeout: 3_000,
    })
    const { sessionId } = zk
    await zk.create('/mine', '', { mode: 'ephemeral' })
    server.backUp()
    for (let version = 1; version <= 20; version++) await zk.set('/mine', `${version}`)

    await server.restore()
    await server.start()

    const { payload } = await history.until('session:expired')
    expect(payload).toEqual({ sessionId, reason: 'servers-behind' })
    await history.until('session:renewed')
    await zk.catchUp()
    expect(await zk.exists('/mine')).toBeUndefined()
    expect(history.names).not.toContain('session:reconnected')
  })

  it('ends a session that its holder gives up, and gives a new one', async () => {
    const server = await startStandalone()
    onTestFinished(() => server.stop())
    const { zk, history } = await connectClient({ servers: server.connectString })
    await zk.create('/mine', '', { mode: 'ephemeral' })
    await zk.renewSession()
    await history.until('session:renewed')
    expect(await zk.exists('/mine')).toBeUndefined()
  })
})
