import { conformance, expect, it } from './support.ts'

conformance('delete', () => {
  it('removes a node', async ({ zk }) => {
    await zk.create('/a')
    await zk.delete('/a')
    expect(await zk.exists('/a')).toBeUndefined()
  })

  it('refuses a node that does not exist', async ({ zk }) => {
    await expect(zk.delete('/missing')).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
  })

  it('refuses a node that has children', async ({ zk }) => {
    await zk.create('/a')
    await zk.create('/a/b')
    await expect(zk.delete('/a')).rejects.toMatchObject({ code: 'ZK_NOT_EMPTY' })
    expect(await zk.exists('/a')).toBeDefined()
  })

  it('removes a node in the version that was asked for', async ({ zk }) => {
    await zk.create('/a')
    const { version } = await zk.set('/a', 'changed')
    await zk.delete('/a', { version })
    expect(await zk.exists('/a')).toBeUndefined()
  })

  it('refuses a node in another version', async ({ zk }) => {
    await zk.create('/a')
    await expect(zk.delete('/a', { version: 1 })).rejects.toMatchObject({ code: 'ZK_BAD_VERSION' })
    expect(await zk.exists('/a')).toBeDefined()
  })

  it('takes version 0 for the first version, not for any', async ({ zk }) => {
    await zk.create('/a')
    await zk.set('/a', 'changed')
    await expect(zk.delete('/a', { version: 0 })).rejects.toMatchObject({ code: 'ZK_BAD_VERSION' })
  })

  it('removes a node in any version when none was given', async ({ zk }) => {
    await zk.create('/a')
    await zk.set('/a', 'once')
    await zk.set('/a', 'twice')
    await zk.delete('/a')
    expect(await zk.exists('/a')).toBeUndefined()
  })

  it('changes the list of children of the parent', async ({ zk }) => {
    await zk.create('/parent')
    await zk.create('/parent/child')
    await zk.delete('/parent/child')
    expect(await zk.exists('/parent')).toMatchObject({
      cversion: 2,
      numChildren: 0,
      pzxid: zk.lastZxid,
    })
  })

  it('lets a node be created anew, with a new identity', async ({ zk }) => {
    const { stat: first } = await zk.create('/a')
    await zk.set('/a', 'changed')
    await zk.delete('/a')
    const { stat: second } = await zk.create('/a')
    expect(second.czxid).toBeGreaterThan(first.czxid)
    expect(second.version).toBe(0)
  })
})
