import { permission, toText } from '@elasticjob/zookeeper'
import { reconnect, renew } from './outage.ts'
import { bob, startSaslTarget } from './sasl-target.ts'
import { expect, itOn, specialServerConformance } from './support.ts'

const onlyBob = [{ permissions: permission.all, id: { scheme: 'sasl', id: 'bob' } }]

const it = itOn(startSaslTarget)

specialServerConformance('SASL', () => {
  it('proves a user', async ({ clients }) => {
    const zk = await clients.connect({ sasl: bob })
    expect(await zk.whoAmI()).toContainEqual({ scheme: 'sasl', user: 'bob' })
  })

  it('opens nodes to that user, and to nobody else', async ({ clients, zk: anonymous }) => {
    const zk = await clients.connect({ sasl: bob })
    await zk.create('/mine', 'data', { acl: onlyBob })
    expect(toText((await zk.get('/mine')).data)).toBe('data')
    await anonymous.sync()
    await expect(anonymous.get('/mine')).rejects.toMatchObject({ code: 'ZK_NO_AUTH' })
  })

  it('refuses a wrong password', async ({ clients }) => {
    const zk = clients.prepare({ sasl: { ...bob, password: 'wrong' } })
    await expect(zk.connect()).rejects.toMatchObject({ code: 'ZK_AUTH_FAILED' })
    expect(zk.state).toBe('closed')
  })

  it('refuses a user that is unknown', async ({ clients }) => {
    const zk = clients.prepare({ sasl: { username: 'mallory', password: 'x' } })
    await expect(zk.connect()).rejects.toMatchObject({ code: 'ZK_AUTH_FAILED' })
  })

  it('is proven again on every connection, before the requests that waited', async ({
    clients,
    proxy,
  }) => {
    const zk = await clients.connect({ via: proxy, sasl: bob })
    await zk.create('/mine', 'data', { acl: onlyBob })
    const reconnected = reconnect(zk, proxy)
    const reads = Array.from({ length: 20 }, () => zk.get('/mine'))
    await reconnected
    for (const { data } of await Promise.all(reads)) expect(toText(data)).toBe('data')
  })

  it('is proven again in a renewed session', async ({ clients, target }) => {
    const zk = await clients.connect({ sasl: bob })
    await zk.create('/mine', 'data', { acl: onlyBob })
    await renew(zk, target)
    expect(toText((await zk.get('/mine')).data)).toBe('data')
  })

  it('goes together with digest identities', async ({ clients }) => {
    const zk = await clients.connect({ sasl: bob, auth: [{ scheme: 'digest', auth: 'a:b' }] })
    const schemes = (await zk.whoAmI()).map(({ scheme }) => scheme)
    expect(schemes.toSorted()).toEqual(['digest', 'ip', 'sasl'])
  })
})
