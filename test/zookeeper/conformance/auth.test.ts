import { creatorAcl, digestId, permission, toText } from '@elasticjob/zookeeper'
import { next } from './recorder.ts'
import { conformance, expect, it } from './support.ts'

const digest = (auth: string) => ({ scheme: 'digest', auth })

conformance('an identity', () => {
  it('opens the nodes that are its own, and no others', async ({ zk, other }) => {
    await zk.addAuth('digest', 'john:secret')
    await zk.create('/mine', 'data', { acl: creatorAcl })
    expect(toText((await zk.get('/mine')).data)).toBe('data')
    await other.sync()
    await expect(other.get('/mine')).rejects.toMatchObject({ code: 'ZK_NO_AUTH' })
    await other.addAuth('digest', 'john:wrong')
    await expect(other.get('/mine')).rejects.toMatchObject({ code: 'ZK_NO_AUTH' })
    await other.addAuth('digest', 'john:secret')
    expect(toText((await other.get('/mine')).data)).toBe('data')
  })

  it('is written into the ACL of what it creates', async ({ zk }) => {
    await zk.addAuth('digest', 'john:secret')
    await zk.create('/mine', '', { acl: creatorAcl })
    expect((await zk.getAcl('/mine')).acl).toEqual([
      { permissions: permission.all, id: { scheme: 'digest', id: digestId('john', 'secret') } },
    ])
  })

  it('may be one of several', async ({ clients }) => {
    const zk = await clients.connect({ auth: [digest('a:1'), digest('b:2')] })
    await zk.create('/both', '', { acl: creatorAcl })
    const one = await clients.connect({ auth: [digest('b:2')] })
    await expect(one.get('/both')).resolves.toBeDefined()
  })

  it('is proven before the first request when it was configured', async ({ zk, clients }) => {
    const acl = [{ permissions: 31, id: { scheme: 'digest', id: digestId('john', 'secret') } }]
    await zk.create('/protected', 'data', { acl })
    const reader = clients.prepare({ auth: [digest('john:secret')] })
    const early = reader.sync().then(() => reader.get('/protected'))
    await reader.connect()
    expect(toText((await early).data)).toBe('data')
  })

  it('is known to the server by the time the client is connected', async ({ clients }) => {
    const zk = await clients.connect({ auth: [digest('john:secret')] })
    expect(await zk.whoAmI()).toContainEqual({ scheme: 'digest', user: 'john' })
  })

  it('is proven again after a reconnect', async ({ proxied: zk, proxy }) => {
    await zk.addAuth('digest', 'john:secret')
    await zk.create('/mine', '', { acl: creatorAcl })
    const reconnected = next(zk, 'session:reconnected')
    proxy.dropAll()
    await reconnected
    await expect(zk.get('/mine')).resolves.toBeDefined()
  })

  it('is proven again in a renewed session', async ({ zk, target }) => {
    await zk.addAuth('digest', 'john:secret')
    await zk.create('/mine', '', { acl: creatorAcl })
    const renewed = next(zk, 'session:renewed')
    await target.expireSession(zk.sessionId, zk.sessionPassword)
    await renewed
    await expect(zk.get('/mine')).resolves.toBeDefined()
  })

  it('added without a connection is proven as soon as there is one', async ({
    proxied: zk,
    proxy,
  }) => {
    const suspended = next(zk, 'session:suspended')
    proxy.refuse()
    proxy.dropAll()
    await suspended
    const added = zk.addAuth('digest', 'john:secret')
    const created = zk.create('/mine', '', { acl: creatorAcl })
    await proxy.accept()
    await added
    await expect(created).resolves.toMatchObject({ path: '/mine' })
  })

  it('comes before every read that waited for a connection', async ({ proxied: zk, proxy }) => {
    await zk.addAuth('digest', 'john:secret')
    await zk.create('/mine', 'data', { acl: creatorAcl })
    const suspended = next(zk, 'session:suspended')
    proxy.refuse()
    proxy.dropAll()
    await suspended
    const reads = Array.from({ length: 50 }, () => zk.get('/mine'))
    await proxy.accept()
    for (const { data } of await Promise.all(reads)) expect(toText(data)).toBe('data')
  })
})

conformance('an identity that the server refuses', () => {
  it('rejects its call, and the client goes on without it', async ({ zk }) => {
    const { sessionId } = zk
    await expect(zk.addAuth('nonsense', 'x')).rejects.toMatchObject({ code: 'ZK_AUTH_FAILED' })
    // The server closes the connection over it; a read waits for the next one.
    expect(await zk.exists('/')).toBeDefined()
    expect(zk.sessionId).toBe(sessionId)
  })

  it('is not presented again', async ({ proxied: zk, proxy }) => {
    await expect(zk.addAuth('nonsense', 'x')).rejects.toMatchObject({ code: 'ZK_AUTH_FAILED' })
    await zk.sync()
    const reconnected = next(zk, 'session:reconnected')
    proxy.dropAll()
    await reconnected
    await expect(zk.sync()).resolves.toBeUndefined()
  })

  it('fails the connect of a client that was configured with it', async ({ clients }) => {
    const zk = clients.prepare({ auth: [{ scheme: 'nonsense', auth: 'x' }] })
    await expect(zk.connect()).rejects.toMatchObject({ code: 'ZK_AUTH_FAILED' })
    expect(zk.state).toBe('closed')
  })
})
