import { conformance, expect, it } from './support.ts'

conformance('children', () => {
  it('answers the names of the children, without those below them', async ({ zk }) => {
    for (const path of ['/p', '/p/b', '/p/a', '/p/a/below']) await zk.create(path)
    const { children } = await zk.children('/p')
    expect(children.toSorted()).toEqual(['a', 'b'])
  })

  it('answers the stat of the node', async ({ zk }) => {
    await zk.create('/p')
    await zk.create('/p/a')
    expect((await zk.children('/p')).stat).toEqual(await zk.exists('/p'))
  })

  it('answers no names for a node without children', async ({ zk }) => {
    await zk.create('/p')
    expect((await zk.children('/p')).children).toEqual([])
  })

  it('refuses a node that does not exist', async ({ zk }) => {
    await expect(zk.children('/missing')).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
  })

  it('knows ephemeral and sequential children like all others', async ({ zk }) => {
    await zk.create('/p')
    await zk.create('/p/e', '', { mode: 'ephemeral' })
    await zk.create('/p/s-', '', { sequential: true })
    expect((await zk.children('/p')).children.toSorted()).toEqual(['e', 's-0000000001'])
  })

  it('forgets a child that was deleted', async ({ zk }) => {
    await zk.create('/p')
    await zk.create('/p/a')
    await zk.delete('/p/a')
    expect((await zk.children('/p')).children).toEqual([])
  })
})
