import { toText, type WatchEvent } from '@elasticjob/zookeeper'
import { answeredPings } from './opcodes.ts'
import { cutOff, renew, renewCutOff } from './outage.ts'
import { next, recordEvents, Recorder } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

conformance('an expired session', () => {
  it('is told as suspended, lost, expired and renewed, in this order', async ({
    proxied: zk,
    proxy,
    target,
  }) => {
    const events = recordEvents(zk)
    await renewCutOff(zk, proxy, target)
    expect(events.seen).toEqual([
      'session:suspended',
      'session:lost',
      'session:expired',
      'session:renewed',
    ])
  })

  it('is named in what is told of it', async ({ zk, target }) => {
    const { sessionId } = zk
    const told = Promise.all([
      next(zk, 'session:suspended'),
      next(zk, 'session:lost'),
      next(zk, 'session:expired'),
    ])
    const renewed = await renew(zk, target)
    const [suspended, lost, expired] = await told
    expect(suspended.sessionId).toBe(sessionId)
    expect(lost).toEqual({ sessionId })
    expect(expired).toEqual({ sessionId, reason: 'expired' })
    expect(renewed).toMatchObject({ formerSessionId: sessionId, sessionId: zk.sessionId })
  })

  it('is replaced by a new one', async ({ zk, target }) => {
    const { sessionId } = zk
    await renew(zk, target)
    expect(zk.sessionId).not.toBe(sessionId)
    expect(zk.sessionId).not.toBe(0n)
    expect(zk.state).toBe('connected')
  })

  it('is replaced as often as it takes', async ({ zk, target }) => {
    const ids = new Set([zk.sessionId])
    for (let round = 0; round < 3; round++) {
      const { formerSessionId } = await renew(zk, target)
      expect(ids.has(formerSessionId)).toBe(true)
      ids.add(zk.sessionId)
    }
    expect(ids.size).toBe(4)
  })

  it('takes its ephemeral nodes along', async ({ zk, target }) => {
    await zk.create('/e', '', { mode: 'ephemeral' })
    await zk.create('/p')
    await renew(zk, target)
    expect(await zk.exists('/e')).toBeUndefined()
    expect(await zk.exists('/p')).toBeDefined()
    expect(zk.ephemeralBytes).toBe(0)
  })

  it('leaves a client that works as before', async ({ zk, target }) => {
    await renew(zk, target)
    await zk.create('/a', 'data')
    await zk.create('/e', '', { mode: 'ephemeral' })
    expect(toText((await zk.get('/a')).data)).toBe('data')
    expect((await zk.exists('/e'))?.ephemeralOwner).toBe(zk.sessionId)
  })

  it('fails the requests that waited for it', async ({ proxied: zk, proxy, target }) => {
    await cutOff(zk, proxy)
    const write = zk.create('/a')
    const read = zk.exists('/')
    await target.expireSession(zk.sessionId, zk.sessionPassword)
    const renewed = next(zk, 'session:renewed')
    await proxy.accept()
    await expect(write).rejects.toMatchObject({
      code: 'ZK_SESSION_EXPIRED',
      path: '/a',
      outcomeUnknown: false,
    })
    await expect(read).rejects.toMatchObject({ code: 'ZK_SESSION_EXPIRED' })
    await renewed
    await zk.catchUp()
    expect(await zk.exists('/a')).toBeUndefined()
  })

  it('does not fail what is asked for afterwards', async ({ zk, target }) => {
    const asked = new Promise((resolve, reject) => {
      zk.once('session:expired', () => {
        zk.exists('/').then(resolve, reject)
      })
    })
    await renew(zk, target)
    expect(await asked).toBeDefined()
  })

  it('is lost before that, when nothing was heard for its whole timeout', async ({
    clients,
    proxy,
  }) => {
    const zk = await clients.connect({ via: proxy, sessionTimeout: 1_000 })
    const events = recordEvents(zk)
    const { sessionId } = zk
    const lost = next(zk, 'session:lost')
    await cutOff(zk, proxy)
    expect(await lost).toEqual({ sessionId })
    expect(zk.state).toBe('lost')
    const renewed = next(zk, 'session:renewed')
    await proxy.accept()
    // The server may have forgotten the session a little later than its client did.
    const reconnected = next(zk, 'session:reconnected')
    await Promise.race([renewed, reconnected])
    expect(events.seen.slice(0, 2)).toEqual(['session:suspended', 'session:lost'])
    expect(events.seen.filter((name) => name === 'session:lost')).toHaveLength(1)
    expect(zk.state).toBe('connected')
  })

  it('is expired by a server that hears nothing of it', async ({ clients, proxy, other }) => {
    const zk = await clients.connect({ via: proxy, sessionTimeout: 1_000 })
    await zk.create('/e', '', { mode: 'ephemeral' })
    await other.sync()
    const events = new Recorder<WatchEvent>()
    await other.exists('/e', { watch: events.record })
    await cutOff(zk, proxy)
    expect((await events.first()).type).toBe('deleted')
    const expired = next(zk, 'session:expired')
    await proxy.accept()
    expect((await expired).reason).toBe('expired')
  })

  it('is kept alive by pings while nothing is asked', async ({ clients, proxy }) => {
    const zk = await clients.connect({ via: proxy, sessionTimeout: 1_000 })
    const { sessionId } = zk
    const events = recordEvents(zk)
    // A third of the timeout lies between two of them.
    await answeredPings(proxy, 6)
    await zk.create('/a')
    expect(events.seen).toEqual([])
    expect(zk.sessionId).toBe(sessionId)
  })
})
