import { isZooKeeperError, ZooKeeperError } from '@elasticjob/zookeeper'
import { conformance, expect, it } from './support.ts'

conformance('an error', () => {
  it('carries the code, the number, the operation and the path', async ({ zk }) => {
    const error: unknown = await zk.get('/missing').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ZooKeeperError)
    expect(error).toMatchObject({
      name: 'ZooKeeperError',
      code: 'ZK_NO_NODE',
      errno: -101,
      operation: 'get',
      path: '/missing',
      outcomeUnknown: false,
    })
  })

  it('can be told by its code', async ({ zk }) => {
    const error: unknown = await zk.delete('/missing').catch((reason: unknown) => reason)
    expect(isZooKeeperError(error, 'ZK_NO_NODE', 'ZK_NOT_EMPTY')).toBe(true)
    expect(isZooKeeperError(error, 'ZK_NOT_EMPTY')).toBe(false)
  })

  it('says in words what failed', async ({ zk }) => {
    await expect(zk.delete('/missing')).rejects.toThrow('delete /missing: NO_NODE (-101)')
  })

  it('of one request leaves those around it alone', async ({ zk }) => {
    const results = await Promise.allSettled([
      zk.create('/a'),
      zk.create('/a'),
      zk.get('/missing'),
      zk.get('/a'),
    ])
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ])
  })

  it('of the server does not cost the connection', async ({ zk }) => {
    let suspended = false
    zk.on('session:suspended', () => (suspended = true))
    await Promise.allSettled([zk.get('/missing'), zk.create('/x', '', { acl: [] }), zk.delete('/')])
    await zk.sync()
    expect(suspended).toBe(false)
  })

  it('of the root: it cannot be deleted', async ({ clients }) => {
    const zk = await clients.connect({ chroot: '' })
    await expect(zk.delete('/')).rejects.toMatchObject({ code: 'ZK_BAD_ARGUMENTS' })
  })

  it('of the root: it exists already', async ({ clients }) => {
    const zk = await clients.connect({ chroot: '' })
    await expect(zk.create('/')).rejects.toMatchObject({ code: 'ZK_NODE_EXISTS' })
  })
})
