import { permission, serverError } from '@elasticjob/zookeeper/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { openAcl } from '../../src/acl/acl-table.ts'
import { containerOwner, maxTtl, ttlOwner } from '../../src/tree/owner.ts'
import { type CoreClient, CoreHarness, operations } from '../core-client.ts'

const onlyMe = [{ permissions: permission.all, id: { scheme: 'auth', id: '' } }]
const nobody = [{ permissions: permission.all, id: { scheme: 'digest', id: 'no:body' } }]

let harness: CoreHarness
let client: CoreClient

beforeEach(() => {
  harness = new CoreHarness()
  client = harness.connected()
})

describe('a create', () => {
  it('returns the path, and the stat if requested', () => {
    const request = { path: '/a', data: Buffer.from('xy'), acl: openAcl, flags: 0 }
    harness.wall = 1_234
    expect(client.call(operations.create2, request).body).toEqual({
      path: '/a',
      stat: {
        czxid: 2n,
        mzxid: 2n,
        ctime: 1_234n,
        mtime: 1_234n,
        version: 0,
        cversion: 0,
        aversion: 0,
        ephemeralOwner: 0n,
        dataLength: 2,
        numChildren: 0,
        pzxid: 2n,
      },
    })
  })

  it('numbers sequential nodes by all creations of the parent, including deleted children', () => {
    client.create('/p')
    expect(client.create('/p/n-', { flags: 2 }).body).toBe('/p/n-0000000000')
    client.create('/p/other')
    client.remove('/p/n-0000000000')
    expect(client.create('/p/n-', { flags: 2 }).body).toBe('/p/n-0000000002')
    expect(client.create('/p/', { flags: 2 }).body).toBe('/p/0000000003')
  })

  it('continues with a sign when the counter wraps around', () => {
    client.create('/p')
    const node = harness.core.state.tree.get('/p')
    if (node !== undefined) node.creations = 2 ** 31 - 1
    expect(client.create('/p/n-', { flags: 2 }).body).toBe('/p/n-2147483647')
    if (node !== undefined) node.creations = -5
    expect(client.create('/p/n-', { flags: 2 }).body).toBe('/p/n--000000005')
  })

  it('changes the stat of the parent', () => {
    client.create('/p')
    client.create('/p/a')
    client.create('/p/b')
    client.remove('/p/a')
    expect(client.get('/p').body?.stat).toMatchObject({ cversion: 3, numChildren: 1, pzxid: 5n })
  })

  it('shows no owner of containers and TTL nodes', () => {
    const at = (path: string, flags: number) => ({ path, data: null, acl: openAcl, flags })
    const container = client.call(operations.createContainer, at('/c', 4))
    const ttl = client.call(operations.createTtl, { ...at('/t', 5), ttl: 1_000n })
    expect(container.body?.stat.ephemeralOwner).toBe(0n)
    expect(ttl.body?.stat.ephemeralOwner).toBe(0n)
    expect(harness.core.state.tree.get('/c')?.owner).toBe(containerOwner)
    expect(harness.core.state.tree.get('/t')?.owner).toBe(ttlOwner(1_000n))
  })

  it('takes the kind of the node from the request type, not from the flags', () => {
    const request = { path: '/c', data: null, acl: openAcl, flags: 0 }
    client.call(operations.createContainer, request)
    expect(harness.core.state.tree.get('/c')?.owner).toBe(containerOwner)
    client.create('/p', { flags: 4 })
    expect(harness.core.state.tree.get('/p')?.owner).toBe(0n)
  })

  it.each([
    ['flags that mean nothing', '/a', { flags: 9 }, serverError.BAD_ARGUMENTS],
    ['flags below zero', '/a', { flags: -1 }, serverError.BAD_ARGUMENTS],
    ['the flags of a TTL without one', '/a', { flags: 5 }, serverError.BAD_ARGUMENTS],
    ['no slash', 'a', {}, serverError.BAD_ARGUMENTS],
    ['a zero byte', '/a\0', {}, serverError.BAD_ARGUMENTS],
    ['an empty name', '/p/', {}, serverError.BAD_ARGUMENTS],
    ['two slashes', '//a', {}, serverError.BAD_ARGUMENTS],
    ['the root', '/', {}, serverError.NODE_EXISTS],
    ['a node that exists', '/p', {}, serverError.NODE_EXISTS],
    ['no parent', '/none/a', {}, serverError.NO_NODE],
    ['a relative path whose parent is not there', 'none/a', {}, serverError.NO_NODE],
    ['an empty list', '/a', { acl: [] }, serverError.INVALID_ACL],
    ['a list for nobody proven', '/a', { acl: onlyMe }, serverError.INVALID_ACL],
    ['a bad list before the missing parent', '/none/a', { acl: [] }, serverError.INVALID_ACL],
    ['a missing parent before a bad name', '/none/.', {}, serverError.NO_NODE],
    ['a parent that lets nobody in', '/closed/a', {}, serverError.NO_AUTH],
    ['no permission before a bad name', '/closed/.', {}, serverError.NO_AUTH],
    ['an ephemeral parent', '/e/a', {}, serverError.NO_CHILDREN_FOR_EPHEMERALS],
  ])('of %s is refused', (_what, path, choices, error) => {
    client.create('/p')
    client.create('/e', { flags: 1 })
    client.create('/closed', { acl: nobody })
    const before = harness.core.state.lastZxid
    expect(client.create(path, choices)).toMatchObject({ error, zxid: before + 1 })
  })

  it.each([
    ['flags without TTL', 0, 5n],
    ['no TTL', 5, 0n],
    ['a negative TTL', 5, -1n],
    ['one that is too long', 5, maxTtl + 1n],
    ['neither', 0, -1n],
  ])('with TTL and %s is refused', (_what, flags, ttl) => {
    const request = { path: '/t', data: null, acl: openAcl, flags, ttl }
    expect(client.call(operations.createTtl, request).error).toBe(serverError.BAD_ARGUMENTS)
  })

  it('with scheme auth may omit the id, as kazoo does', () => {
    client.authenticate('me:secret')
    const frames = client.exchange((writer) => {
      writer.int(1)
      writer.int(operations.create.code)
      writer.string('/mine')
      writer.buffer(null)
      writer.vector(onlyMe, (to, entry) => {
        to.int(entry.permissions)
        to.string(entry.id.scheme)
        to.string(null)
      })
      writer.int(0)
    })
    expect(frames).toHaveLength(1)
    expect(client.call(operations.getAcl, { path: '/mine' }).body?.acl).toMatchObject([
      { permissions: permission.all, id: { scheme: 'digest' } },
    ])
    expect(harness.connected().get('/mine').error).toBe(serverError.NO_AUTH)
  })

  it('with TTL is unknown to a server without extended types', () => {
    const plain = new CoreHarness({ extendedTypes: false }).connected()
    const request = { path: '/t', data: null, acl: openAcl, flags: 5, ttl: 5n }
    expect(plain.call(operations.createTtl, request).error).toBe(serverError.UNIMPLEMENTED)
  })
})

describe('a delete', () => {
  it.each([
    ['the root', '/', -1, serverError.BAD_ARGUMENTS],
    ['/zookeeper', '/zookeeper', -1, serverError.BAD_ARGUMENTS],
    ['/zookeeper/quota', '/zookeeper/quota', -1, serverError.BAD_ARGUMENTS],
    ['/zookeeper/config', '/zookeeper/config', -1, serverError.BAD_ARGUMENTS],
    ['nothing', '', -1, serverError.BAD_ARGUMENTS],
    ['a node that is not there', '/none', -1, serverError.NO_NODE],
    ['a node whose parent is not there', '/none/a', -1, serverError.NO_NODE],
    ['a node of another version', '/p', 1, serverError.BAD_VERSION],
    ['a node of another version before its children', '/full', 1, serverError.BAD_VERSION],
    ['a node with children', '/full', 0, serverError.NOT_EMPTY],
    ['a missing node where nothing may be deleted', '/closed/none', -1, serverError.NO_AUTH],
  ])('of %s is refused', (_what, path, version, error) => {
    client.create('/p')
    client.create('/full')
    client.create('/full/a')
    client.create('/closed', { acl: nobody })
    const before = harness.core.state.lastZxid
    expect(client.remove(path, version)).toMatchObject({ error, zxid: before + 1 })
  })

  it('checks the permission of the parent, not of the node', () => {
    client.create('/a', { acl: nobody })
    expect(client.remove('/a').error).toBe(0)
  })
})

describe('a set', () => {
  it('increments the version', () => {
    client.create('/a')
    expect(client.set('/a', 'x', 0)).toMatchObject({ error: 0, body: { version: 1, mzxid: 3n } })
    expect(client.set('/a', 'x', 0).error).toBe(serverError.BAD_VERSION)
    expect(client.set('/a', 'x').body).toMatchObject({ version: 2, czxid: 2n, mzxid: 5n })
  })

  it.each([
    ['a bad path', '/a/', serverError.BAD_ARGUMENTS],
    ['no path', '', serverError.BAD_ARGUMENTS],
    ['a node that is not there', '/none', serverError.NO_NODE],
    ['a node that may not be written', '/zookeeper/config', serverError.NO_AUTH],
  ])('of %s is refused', (_what, path, error) => {
    expect(client.set(path, 'x', 7).error).toBe(error)
  })

  it('is rejected when the data is too large', () => {
    const small = new CoreHarness({ maxDataBytes: 100 }).connected()
    expect(small.create('/a', { data: Buffer.alloc(200) }).error).toBe(serverError.QUOTA_EXCEEDED)
    expect(small.create('/a').error).toBe(0)
    expect(small.set('/a', 'x'.repeat(200)).error).toBe(serverError.QUOTA_EXCEEDED)
    expect(small.set('/a', 'x').error).toBe(0)
  })
})

describe('a change of the access control list', () => {
  const setAcl = (path: string, acl = openAcl, version = -1) =>
    client.call(operations.setAcl, { path, acl, version })

  it('increments the ACL version only', () => {
    client.create('/a')
    expect(setAcl('/a', openAcl, 0).body).toMatchObject({ aversion: 1, version: 0, mzxid: 2n })
    expect(setAcl('/a', openAcl, 0).error).toBe(serverError.BAD_VERSION)
  })

  it.each([
    ['a bad path', 'a', openAcl, serverError.BAD_ARGUMENTS],
    ['an empty list, before the missing node', '/none', [], serverError.INVALID_ACL],
    ['a node that is not there', '/none', openAcl, serverError.NO_NODE],
    ['a node of which one is not the admin', '/zookeeper/config', openAcl, serverError.NO_AUTH],
  ])('of %s is refused', (_what, path, acl, error) => {
    expect(setAcl(path, acl).error).toBe(error)
  })
})

describe('a check', () => {
  it('compares the version, and uses a zxid', () => {
    client.create('/a')
    expect(client.call(operations.check, { path: '/a', version: 0 })).toMatchObject({ error: 0 })
    expect(client.call(operations.check, { path: '/a', version: 1 })).toMatchObject({
      error: serverError.BAD_VERSION,
      zxid: 4,
    })
  })
})
