import { part, type ZooKeeper } from '@elasticjob/zookeeper'
import { cutOff, letBack, renew } from './outage.ts'
import { conformance, expect, it } from './support.ts'

const ephemeral = { mode: 'ephemeral' } as const
const sequential = { mode: 'ephemeral', sequential: true } as const

/** The bytes that an ephemeral node takes in the record of its session's end: path and length. */
function cost(root: string, path: string): number {
  return Buffer.byteLength(root + path) + 4
}

conformance('the limit of ephemeral bytes', () => {
  it('counts the paths that a session holds', async ({ zk, root }) => {
    await zk.create('/a', '', ephemeral)
    expect(zk.ephemeralBytes).toBe(cost(root, '/a'))
    await zk.multi([part.create('/b', '', ephemeral), part.create('/p')])
    expect(zk.ephemeralBytes).toBe(2 * cost(root, '/a'))
    const { path } = await zk.create('/s-', '', sequential)
    expect(zk.ephemeralBytes).toBe(2 * cost(root, '/a') + cost(root, path))
  })

  it('does not count nodes that stay', async ({ zk }) => {
    await zk.create('/a')
    await zk.create('/c', '', { mode: 'container' })
    await zk.create('/t', '', { ttl: 3_600_000 })
    expect(zk.ephemeralBytes).toBe(0)
  })

  it('refuses a node beyond it, before it is sent', async ({ clients, root }) => {
    const zk = await clients.connect({ ephemeralBytesLimit: 2 * cost(root, '/a') })
    await zk.create('/a', '', ephemeral)
    await zk.create('/b', '', ephemeral)
    await expect(zk.create('/c', '', ephemeral)).rejects.toMatchObject({
      code: 'ZK_EPHEMERAL_LIMIT',
      operation: 'create',
      path: '/c',
    })
    expect(await zk.exists('/c')).toBeUndefined()
  })

  it('counts nodes that are asked for and not answered yet', async ({ clients, root }) => {
    const zk = await clients.connect({ ephemeralBytesLimit: 5 * cost(root, '/0') })
    const created = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => zk.create(`/${index}`, '', ephemeral)),
    )
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect((await zk.children('/')).children).toHaveLength(5)
  })

  it('counts the digits that a sequential node will get', async ({ clients, root }) => {
    const limit = cost(root, '/s-0000000000')
    const zk = await clients.connect({ ephemeralBytesLimit: limit - 1 })
    await expect(zk.create('/s-', '', sequential)).rejects.toMatchObject({
      code: 'ZK_EPHEMERAL_LIMIT',
    })
    const enough = await clients.connect({ ephemeralBytesLimit: limit })
    await expect(enough.create('/s-', '', sequential)).resolves.toBeDefined()
  })

  it('refuses a transaction beyond it as a whole', async ({ clients, root }) => {
    const zk = await clients.connect({ ephemeralBytesLimit: 2 * cost(root, '/a') })
    const parts = ['/a', '/b', '/c'].map((path) => part.create(path, '', ephemeral))
    await expect(zk.multi(parts)).rejects.toMatchObject({ code: 'ZK_EPHEMERAL_LIMIT' })
    expect((await zk.children('/')).children).toEqual([])
    expect(zk.ephemeralBytes).toBe(0)
  })

  it('has room again for a node that was deleted', async ({ clients, root }) => {
    const zk = await clients.connect({ ephemeralBytesLimit: cost(root, '/a') })
    await zk.create('/a', '', ephemeral)
    await zk.delete('/a')
    expect(zk.ephemeralBytes).toBe(0)
    await zk.create('/b', '', ephemeral)
    await zk.multi([part.delete('/b')])
    expect(zk.ephemeralBytes).toBe(0)
    await zk.create('/c', '', ephemeral)
    await zk.deleteRecursive('/c')
    await expect(zk.create('/d', '', ephemeral)).resolves.toBeDefined()
  })

  it('has room again for a node that the server refused', async ({ clients, root }) => {
    const zk = await clients.connect({ ephemeralBytesLimit: cost(root, '/taken') })
    await zk.create('/taken')
    await expect(zk.create('/taken', '', ephemeral)).rejects.toMatchObject({
      code: 'ZK_NODE_EXISTS',
    })
    const failing = zk.multi([part.create('/a', '', ephemeral), part.delete('/missing')])
    await expect(failing).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
    expect(zk.ephemeralBytes).toBe(0)
    await expect(zk.create('/free', '', ephemeral)).resolves.toBeDefined()
  })

  it('asks the server before it refuses: others may have deleted nodes', async ({
    clients,
    other,
    root,
  }) => {
    const zk = await clients.connect({ ephemeralBytesLimit: 2 * cost(root, '/a') })
    await zk.create('/a', '', ephemeral)
    await zk.create('/b', '', ephemeral)
    await other.delete('/a')
    await zk.catchUp()
    await expect(zk.create('/c', '', ephemeral)).resolves.toBeDefined()
    expect(zk.ephemeralBytes).toBe(2 * cost(root, '/a'))
  })

  it('misses nothing that is created while it asks', async ({ clients, proxy, other, root }) => {
    const limit = 2 * cost(root, '/long-name') + cost(root, '/x')
    const zk = await clients.connect({ via: proxy, ephemeralBytesLimit: limit })
    await zk.create('/long-name', '', ephemeral)
    await zk.create('/x', '', ephemeral)
    // The answers to the question and to the create behind it arrive in one packet.
    proxy.blackHole('to-client')
    const refused = zk.create('/much-too-long-a-name-for-what-is-left', '', ephemeral)
    const created = zk.create('/y', '', ephemeral)
    await untilExists(other, '/y')
    proxy.pass()
    await expect(refused).rejects.toMatchObject({ code: 'ZK_EPHEMERAL_LIMIT' })
    await created
    const held = ['/long-name', '/x', '/y'].map((path) => cost(root, path))
    expect(zk.ephemeralBytes).toBe(held.reduce((sum, one) => sum + one))
  })

  it('counts a node whose creation was cut off, until the server was asked', async ({
    clients,
    proxy,
    root,
  }) => {
    const zk = await clients.connect({ via: proxy, ephemeralBytesLimit: cost(root, '/a') })
    proxy.onClientFrame = ({ index }) => (index === 0 ? 'pass' : 'drop')
    await expect(zk.create('/a', '', ephemeral)).rejects.toMatchObject({ outcomeUnknown: true })
    expect(zk.ephemeralBytes).toBe(cost(root, '/a'))
    proxy.onClientFrame = undefined
    await zk.catchUp()
    await expect(zk.create('/b', '', ephemeral)).resolves.toBeDefined()
    expect(zk.ephemeralBytes).toBe(cost(root, '/b'))
  })

  it('is kept over a reconnect', async ({ clients, proxy, root }) => {
    const zk = await clients.connect({ via: proxy, ephemeralBytesLimit: cost(root, '/a') })
    await zk.create('/a', '', ephemeral)
    await cutOff(zk, proxy)
    await letBack(zk, proxy)
    await expect(zk.create('/b', '', ephemeral)).rejects.toMatchObject({
      code: 'ZK_EPHEMERAL_LIMIT',
    })
  })

  it('starts anew with a new session', async ({ clients, target, root }) => {
    const zk = await clients.connect({ ephemeralBytesLimit: cost(root, '/a') })
    await zk.create('/a', '', ephemeral)
    await renew(zk, target)
    expect(zk.ephemeralBytes).toBe(0)
    await expect(zk.create('/b', '', ephemeral)).resolves.toBeDefined()
  })
})

/** Resolves when a node is seen to exist. */
function untilExists(client: ZooKeeper, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client
      .exists(path, { watch: () => resolve() })
      .then((stat) => stat !== undefined && resolve())
      .catch(reject)
  })
}
