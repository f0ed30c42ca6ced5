import { part } from '@elasticjob/zookeeper'
import { conformance, expect, it } from './support.ts'

conformance('deleteRecursive', () => {
  it('deletes a node and all below it, and answers how many', async ({ zk }) => {
    for (const path of ['/p', '/p/a', '/p/a/b', '/p/a/c', '/p/d']) await zk.create(path)
    expect(await zk.deleteRecursive('/p')).toBe(5)
    expect(await zk.exists('/p')).toBeUndefined()
  })

  it('leaves its siblings alone', async ({ zk }) => {
    await zk.create('/p/a', '', { parents: true })
    await zk.create('/p-sibling')
    await zk.deleteRecursive('/p')
    expect((await zk.children('/')).children).toEqual(['p-sibling'])
  })

  it('is one transaction as long as it fits into a request', async ({ zk, other }) => {
    await zk.create('/p/a/b', '', { parents: true })
    await other.sync()
    const deleted: string[] = []
    await other.addWatch('/p', 'recursive', ({ type, path }) => deleted.push(`${type} ${path}`))
    await zk.deleteRecursive('/p')
    await other.sync()
    expect(deleted).toEqual(['deleted /p/a/b', 'deleted /p/a', 'deleted /p'])
    expect(await other.exists('/')).toMatchObject({ pzxid: zk.lastZxid })
  })

  it('takes several transactions when it does not fit into one', async ({ clients }) => {
    const zk = await clients.connect({ maxRequestBytes: 5_000 })
    await zk.create('/p')
    for (let batch = 0; batch < 10; batch++) {
      await zk.multi(
        Array.from({ length: 20 }, (_, index) => part.create(`/p/${batch * 20 + index}`)),
      )
    }
    expect(await zk.deleteRecursive('/p')).toBe(201)
    expect(await zk.exists('/p')).toBeUndefined()
  })

  it('does not mind a node that is absent', async ({ zk }) => {
    expect(await zk.deleteRecursive('/missing')).toBe(0)
  })

  it('succeeds for two that do it at once', async ({ zk, other }) => {
    await zk.create('/p')
    await zk.multi(Array.from({ length: 100 }, (_, index) => part.create(`/p/${index}`)))
    await other.sync()
    const [one, two] = await Promise.all([zk.deleteRecursive('/p'), other.deleteRecursive('/p')])
    expect(one + two).toBe(101)
    await zk.catchUp()
    expect(await zk.exists('/p')).toBeUndefined()
  })

  it('succeeds although somebody creates nodes meanwhile', async ({ zk, other }) => {
    await zk.create('/p')
    await other.sync()
    const created = Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => other.create(`/p/${index}`)),
    )
    await zk.deleteRecursive('/p')
    await created
    await zk.catchUp()
    expect(await zk.exists('/p')).toBeUndefined()
  })

  it('deletes ephemeral nodes like all others', async ({ zk, other }) => {
    await zk.create('/p')
    await other.create('/p/theirs', '', { mode: 'ephemeral' })
    await zk.catchUp()
    expect(await zk.deleteRecursive('/p')).toBe(2)
    expect(await zk.exists('/p')).toBeUndefined()
  })
})
