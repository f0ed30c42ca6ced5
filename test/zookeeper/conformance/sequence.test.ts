import { nameOf } from '@elasticjob/zookeeper'
import { conformance, expect, it } from './support.ts'

conformance('sequential nodes', () => {
  it('get a number of ten digits, beginning at 0', async ({ zk }) => {
    await zk.create('/p')
    expect((await zk.create('/p/n-', '', { sequential: true })).path).toBe('/p/n-0000000000')
  })

  it('get a number that is one higher each time', async ({ zk }) => {
    await zk.create('/p')
    const created = await Promise.all(
      Array.from({ length: 12 }, () => zk.create('/p/n', '', { sequential: true })),
    )
    expect(created.map(({ path }) => nameOf(path))).toEqual(
      created.map((_, index) => `n${String(index).padStart(10, '0')}`),
    )
  })

  it('share the numbers of one parent, whatever their names', async ({ zk }) => {
    await zk.create('/p')
    await zk.create('/p/a-', '', { sequential: true })
    expect((await zk.create('/p/b-', '', { sequential: true })).path).toBe('/p/b-0000000001')
  })

  it('count the other children that were created, too', async ({ zk }) => {
    await zk.create('/p')
    await zk.create('/p/plain')
    expect((await zk.create('/p/n-', '', { sequential: true })).path).toBe('/p/n-0000000001')
  })

  it('do not get the number of a node that was deleted', async ({ zk }) => {
    await zk.create('/p')
    const { path } = await zk.create('/p/n-', '', { sequential: true })
    await zk.delete(path)
    expect((await zk.create('/p/n-', '', { sequential: true })).path).toBe('/p/n-0000000001')
  })

  it('may consist of their number alone', async ({ zk }) => {
    await zk.create('/p')
    expect((await zk.create('/p/', '', { sequential: true })).path).toBe('/p/0000000000')
  })

  it('may be ephemeral', async ({ zk }) => {
    const { path, stat } = await zk.create('/n-', '', { mode: 'ephemeral', sequential: true })
    expect(path).toMatch(/^\/n-\d{10}$/)
    expect(stat.ephemeralOwner).toBe(zk.sessionId)
  })

  it('never share a number between clients', async ({ zk, other }) => {
    await zk.create('/p')
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? zk : other).create('/p/n-', '', { sequential: true }),
      ),
    )
    expect(new Set(created.map(({ path }) => path)).size).toBe(20)
  })
})
