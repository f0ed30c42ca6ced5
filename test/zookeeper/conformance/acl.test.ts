import {
  type Acl,
  creatorAcl,
  digestId,
  openAcl,
  part,
  permission,
  readOnlyAcl,
} from '@elasticjob/zookeeper'
import { conformance, expect, it } from './support.ts'

const everybody = { scheme: 'world', id: 'anyone' }
const john = { scheme: 'digest', id: digestId('john', 'secret') }

function allow(permissions: number): readonly Acl[] {
  return [{ permissions, id: everybody }]
}

conformance('getAcl', () => {
  it('answers that everybody may do everything, unless the node was created otherwise', async ({
    zk,
  }) => {
    const { stat } = await zk.create('/a')
    expect(await zk.getAcl('/a')).toEqual({ acl: openAcl, stat })
  })

  it('answers the entries that the node was created with', async ({ zk }) => {
    const acl = [...readOnlyAcl, { permissions: permission.all, id: john }]
    await zk.create('/a', '', { acl })
    // Without the right to administrate, the server hides the passwords of others.
    await zk.addAuth('digest', 'john:secret')
    expect((await zk.getAcl('/a')).acl).toEqual(acl)
  })

  it('refuses a node that does not exist', async ({ zk }) => {
    await expect(zk.getAcl('/missing')).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
  })

  it('refuses whoever may neither read nor administrate', async ({ zk }) => {
    await zk.create('/a', '', { acl: allow(permission.write) })
    await expect(zk.getAcl('/a')).rejects.toMatchObject({ code: 'ZK_NO_AUTH' })
  })
})

conformance('setAcl', () => {
  it('replaces the entries and counts the change', async ({ zk }) => {
    await zk.create('/a')
    const stat = await zk.setAcl('/a', readOnlyAcl)
    expect(stat).toMatchObject({ aversion: 1, version: 0 })
    expect(await zk.getAcl('/a')).toEqual({ acl: readOnlyAcl, stat })
  })

  it('changes a node whose ACL is in the version that was asked for', async ({ zk }) => {
    await zk.create('/a')
    await zk.setAcl('/a', openAcl)
    expect((await zk.setAcl('/a', openAcl, { version: 1 })).aversion).toBe(2)
  })

  it('refuses a node whose ACL is in another version', async ({ zk }) => {
    await zk.create('/a')
    await zk.setAcl('/a', openAcl)
    await expect(zk.setAcl('/a', readOnlyAcl, { version: 0 })).rejects.toMatchObject({
      code: 'ZK_BAD_VERSION',
    })
  })

  it('refuses a node that does not exist', async ({ zk }) => {
    await expect(zk.setAcl('/missing', openAcl)).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
  })

  it('refuses an empty list', async ({ zk }) => {
    await zk.create('/a')
    await expect(zk.setAcl('/a', [])).rejects.toMatchObject({ code: 'ZK_INVALID_ACL' })
  })
})

conformance('an invalid ACL', () => {
  it.for([
    ['an empty list', []],
    ['a scheme that nobody knows', [{ permissions: 31, id: { scheme: 'nonsense', id: 'x' } }]],
    ['a digest that is none', [{ permissions: 31, id: { scheme: 'digest', id: 'no-colon' } }]],
    ['whoever creates it, without an identity', creatorAcl],
  ] as const)('is refused: %s', async ([, acl], { zk }) => {
    await expect(zk.create('/a', '', { acl })).rejects.toMatchObject({ code: 'ZK_INVALID_ACL' })
  })

  it('is told before a missing parent', async ({ zk }) => {
    await expect(zk.create('/missing/a', '', { acl: [] })).rejects.toMatchObject({
      code: 'ZK_INVALID_ACL',
    })
  })
})

conformance('a permission', () => {
  it('to read is needed for the data', async ({ zk }) => {
    await zk.create('/a', '', { acl: allow(permission.all & ~permission.read) })
    await expect(zk.get('/a')).rejects.toMatchObject({ code: 'ZK_NO_AUTH' })
  })

  it('to read is needed for the children', async ({ zk }) => {
    await zk.create('/a', '', { acl: allow(permission.all & ~permission.read) })
    await expect(zk.children('/a')).rejects.toMatchObject({ code: 'ZK_NO_AUTH' })
  })

  it('is not needed to learn that a node exists', async ({ zk }) => {
    const { stat } = await zk.create('/a', '', { acl: allow(permission.write) })
    expect(await zk.exists('/a')).toEqual(stat)
  })

  it('to write is needed for new data', async ({ zk }) => {
    await zk.create('/a', '', { acl: allow(permission.all & ~permission.write) })
    await expect(zk.set('/a', '')).rejects.toMatchObject({ code: 'ZK_NO_AUTH' })
  })

  it('to create is needed for a child', async ({ zk }) => {
    await zk.create('/a', '', { acl: allow(permission.all & ~permission.create) })
    await expect(zk.create('/a/b')).rejects.toMatchObject({ code: 'ZK_NO_AUTH' })
  })

  it('to delete is needed at the parent, not at the node', async ({ zk }) => {
    await zk.create('/open')
    await zk.create('/open/child', '', { acl: readOnlyAcl })
    await zk.create('/closed', '', { acl: allow(permission.all & ~permission.delete) })
    await zk.create('/closed/child')
    await zk.delete('/open/child')
    await expect(zk.delete('/closed/child')).rejects.toMatchObject({ code: 'ZK_NO_AUTH' })
  })

  it('to delete is asked for before the node is', async ({ zk }) => {
    await zk.create('/closed', '', { acl: readOnlyAcl })
    await expect(zk.delete('/closed/missing')).rejects.toMatchObject({ code: 'ZK_NO_AUTH' })
  })

  it('to administrate is needed for another ACL', async ({ zk }) => {
    await zk.create('/a', '', { acl: allow(permission.all & ~permission.admin) })
    await expect(zk.setAcl('/a', openAcl)).rejects.toMatchObject({ code: 'ZK_NO_AUTH' })
  })

  it('may be given to an address', async ({ zk }) => {
    const acl = [{ permissions: permission.all, id: { scheme: 'ip', id: '127.0.0.1' } }]
    await zk.create('/a', 'data', { acl })
    expect((await zk.get('/a')).data).toHaveLength(4)
  })

  it('is not given to another address', async ({ zk }) => {
    const acl = [{ permissions: permission.all, id: { scheme: 'ip', id: '10.1.2.3' } }]
    await zk.create('/a', 'data', { acl })
    await expect(zk.get('/a')).rejects.toMatchObject({ code: 'ZK_NO_AUTH' })
  })

  it('is checked in a transaction, too', async ({ zk }) => {
    await zk.create('/a', '', { acl: readOnlyAcl })
    await zk.create('/b')
    await expect(zk.multi([part.set('/b', 'x'), part.set('/a', 'x')])).rejects.toMatchObject({
      code: 'ZK_NO_AUTH',
      index: 1,
    })
  })
})
