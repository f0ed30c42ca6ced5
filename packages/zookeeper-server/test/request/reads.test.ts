import { permission, serverError } from '@elasticjob/zookeeper/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CoreClient, CoreHarness, opCode, operations } from '../core-client.ts'

const nobody = [{ permissions: permission.all, id: { scheme: 'digest', id: 'no:body' } }]

let harness: CoreHarness
let client: CoreClient

beforeEach(() => {
  harness = new CoreHarness()
  client = harness.connected()
})

describe('a read', () => {
  it('returns data, or null without data', () => {
    client.create('/full', { data: Buffer.from('x') })
    client.create('/empty', { data: Buffer.alloc(0) })
    client.create('/null', { data: null })
    expect(client.get('/full').body?.data).toEqual(Buffer.from('x'))
    expect(client.get('/empty').body?.data).toEqual(Buffer.alloc(0))
    expect(client.get('/null').body?.data).toBeNull()
  })

  it('carries the zxid of the last transaction, and uses none', () => {
    client.create('/a')
    expect(client.get('/a').zxid).toBe(2)
    expect(client.get('/none')).toMatchObject({ zxid: 2, error: serverError.NO_NODE })
    expect(client.get('/a').zxid).toBe(2)
  })

  it('returns children, with and without the stat of their parent', () => {
    client.create('/a')
    client.create('/a/b')
    client.create('/a/c')
    const request = { path: '/a', watch: false }
    expect(client.call(operations.getChildren, request).body).toEqual(['b', 'c'])
    expect(client.call(operations.getChildren2, request).body).toMatchObject({
      children: ['b', 'c'],
      stat: { numChildren: 2 },
    })
  })

  it('finds the root under two paths, and the built-in nodes', () => {
    expect(client.get('').error).toBe(0)
    const children = client.call(operations.getChildren, { path: '/zookeeper', watch: false })
    expect(children.body?.toSorted()).toEqual(['config', 'quota'])
    expect(client.get('/zookeeper/config').body?.stat).toMatchObject({ aversion: -1, czxid: 0n })
    expect(client.get('/').body?.stat.cversion).toBe(-1)
    expect(client.get('/zookeeper').body?.stat.cversion).toBe(-2)
  })

  it('of existence needs no permission, any other read does', () => {
    client.create('/a', { acl: nobody })
    const request = { path: '/a', watch: false }
    expect(client.call(operations.exists, request).error).toBe(0)
    expect(client.get('/a').error).toBe(serverError.NO_AUTH)
    expect(client.call(operations.getChildren, request).error).toBe(serverError.NO_AUTH)
    expect(client.call(operations.getChildren2, request).error).toBe(serverError.NO_AUTH)
    expect(client.call(operations.getAcl, request).error).toBe(serverError.NO_AUTH)
    expect(client.call(operations.getAllChildrenNumber, request).error).toBe(serverError.NO_AUTH)
  })

  it('of a path with a zero byte finds no node', () => {
    expect(client.call(operations.exists, { path: '/\0', watch: false }).error).toBe(
      serverError.BAD_ARGUMENTS,
    )
  })

  it('of several parts fails part by part, and sets no watches', () => {
    client.create('/a', { data: Buffer.from('x') })
    const result = client.call(operations.multiRead, [
      { type: opCode.getData, path: '/a', watch: true },
      { type: opCode.getData, path: '/none', watch: true },
      { type: opCode.getChildren, path: '/', watch: true },
    ])
    expect(result.body).toMatchObject([
      { type: opCode.getData, data: Buffer.from('x'), stat: { version: 0 } },
      { type: opCode.error, error: serverError.NO_NODE },
      { type: opCode.getChildren, children: ['zookeeper', 'a'] },
    ])
    expect(harness.core.watches.size).toBe(0)
  })

  it('counts all nodes below a path', () => {
    client.create('/a')
    client.create('/a/b')
    client.create('/a/b/c')
    client.create('/ab')
    const count = (path: string) => client.call(operations.getAllChildrenNumber, { path })
    expect(count('/a').body).toBe(2)
    expect(count('/a/b/c').body).toBe(0)
    expect(count('/').body).toBe(7)
    expect(count('/none').error).toBe(serverError.NO_NODE)
  })

  it('lists the ephemeral nodes of the asking session', () => {
    const other = harness.connected()
    client.create('/p')
    client.create('/p/a', { flags: 1 })
    client.create('/q', { flags: 1 })
    other.create('/r', { flags: 1 })
    const list = (path: string) => client.call(operations.getEphemerals, { path }).body
    expect(list('/')).toEqual(['/p/a', '/q'])
    expect(list('')).toEqual(['/p/a', '/q'])
    expect(list('/p')).toEqual(['/p/a'])
    expect(list('/none')).toEqual([])
  })

  it('of an access control list hides the passwords of others', () => {
    const owner = harness.connected()
    owner.authenticate('me:secret')
    const acl = [
      { permissions: permission.all, id: { scheme: 'auth', id: '' } },
      { permissions: permission.read, id: { scheme: 'world', id: 'anyone' } },
    ]
    owner.create('/a', { acl })
    const seenBy = (reader: CoreClient) =>
      reader.call(operations.getAcl, { path: '/a' }).body?.acl.map(({ id }) => id.id)
    expect(seenBy(client)).toEqual(['me:x', 'anyone'])
    expect(seenBy(owner)?.[0]).toMatch(/^me:.{28}$/)
  })

  it('sync echoes the path and changes nothing', () => {
    expect(client.call(operations.sync, { path: '/x' })).toMatchObject({ body: '/x', error: 0 })
  })
})
