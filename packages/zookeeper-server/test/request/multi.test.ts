import { type MultiPart, serverError } from '@elasticjob/zookeeper/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { openAcl } from '../../src/acl/acl-table.ts'
import { containerOwner, ttlOwner } from '../../src/tree/owner.ts'
import { type CoreClient, CoreHarness, opCode, operations } from '../core-client.ts'

let harness: CoreHarness
let client: CoreClient

beforeEach(() => {
  harness = new CoreHarness()
  client = harness.connected()
})

const node = (path: string, flags = 0) => ({ path, data: null, acl: openAcl, flags })
const create = (path: string, flags = 0): MultiPart => ({
  type: opCode.create,
  ...node(path, flags),
})
const remove = (path: string, version = -1): MultiPart => ({ type: opCode.delete, path, version })
const check = (path: string, version = -1): MultiPart => ({ type: opCode.check, path, version })
const set = (path: string, data: string, version = -1): MultiPart => ({
  type: opCode.setData,
  path,
  data: Buffer.from(data),
  version,
})
const multi = (...parts: MultiPart[]) => client.call(operations.multi, parts)

describe('a multi', () => {
  it('is one transaction, whose parts see those before them', () => {
    const result = multi(
      create('/a'),
      create('/a/b'),
      set('/a', 'x', 0),
      set('/a', 'xy', 1),
      check('/a', 2),
      remove('/a/b'),
      create('/a/s-', 2),
    )
    expect(result).toMatchObject({ error: 0, zxid: 2 })
    expect(result.body).toMatchObject([
      { type: opCode.create, path: '/a' },
      { type: opCode.create, path: '/a/b' },
      { type: opCode.setData, stat: { version: 1, numChildren: 1, dataLength: 1 } },
      { type: opCode.setData, stat: { version: 2, dataLength: 2 } },
      { type: opCode.check },
      { type: opCode.delete },
      { type: opCode.create, path: '/a/s-0000000001' },
    ])
    expect(client.get('/a').body?.stat).toMatchObject({ czxid: 2n, mzxid: 2n, cversion: 3 })
  })

  it('is applied completely or not at all', () => {
    client.create('/a')
    const result = multi(set('/a', 'x'), create('/b'), check('/a', 7), remove('/a'), create('/c'))
    expect(result).toMatchObject({ error: 0, zxid: 3 })
    expect(result.body).toEqual([
      { type: opCode.error, error: 0 },
      { type: opCode.error, error: 0 },
      { type: opCode.error, error: serverError.BAD_VERSION },
      { type: opCode.error, error: serverError.RUNTIME_INCONSISTENCY },
      { type: opCode.error, error: serverError.RUNTIME_INCONSISTENCY },
    ])
    expect(client.get('/a').body?.stat.version).toBe(0)
    expect(client.get('/b').error).toBe(serverError.NO_NODE)
  })

  it('sends no notification when it fails', () => {
    client.get('/', true)
    client.call(operations.addWatch, { path: '/', mode: 1 })
    multi(create('/a'), check('/none'))
    expect(client.takeEvents()).toEqual([])
  })

  it('may create and delete the same node', () => {
    expect(multi(create('/a'), remove('/a'), create('/a'), remove('/a')).error).toBe(0)
    expect(client.get('/a').error).toBe(serverError.NO_NODE)
    expect(client.get('/').body?.stat).toMatchObject({ numChildren: 1, cversion: 3 })
  })

  it('counts the children of the root under both of its paths', () => {
    expect(multi(create('/s', 2), create('/s', 2)).body).toMatchObject([
      { path: '/s0000000000' },
      { path: '/s0000000001' },
    ])
  })

  it('answers creates with their stat only for containers and TTL nodes', () => {
    const result = multi(
      { type: opCode.create2, ...node('/plain') },
      { type: opCode.createContainer, ...node('/container', 4) },
      { type: opCode.createTtl, ...node('/ttl', 5), ttl: 9_000n },
    )
    expect(result.body).toMatchObject([
      { type: opCode.create, path: '/plain' },
      { type: opCode.create2, path: '/container', stat: { czxid: 2n } },
      { type: opCode.create2, path: '/ttl', stat: { czxid: 2n } },
    ])
  })

  it('takes the kind of a node from its flags', () => {
    multi(
      create('/container', 4),
      { type: opCode.createContainer, ...node('/plain') },
      { type: opCode.createTtl, ...node('/ephemeral', 1), ttl: 5n },
      { type: opCode.createTtl, ...node('/ttl', 5), ttl: 5n },
    )
    const owner = (path: string) => harness.core.state.tree.get(path)?.owner
    expect(owner('/container')).toBe(containerOwner)
    expect(owner('/plain')).toBe(0n)
    expect(owner('/ephemeral')).toBe(client.sessionId)
    expect(owner('/ttl')).toBe(ttlOwner(5n))
  })

  it('with a missing TTL fails as a whole with a marshalling error', () => {
    expect(multi(create('/a'), create('/ttl', 5))).toMatchObject({
      error: serverError.MARSHALLING_ERROR,
      zxid: 2,
    })
    expect(client.get('/a').error).toBe(serverError.NO_NODE)
  })

  it('without parts is an empty transaction', () => {
    expect(multi()).toMatchObject({ error: 0, zxid: 2, body: [] })
  })

  it('deletes a parent only after its child', () => {
    client.create('/a')
    client.create('/a/b')
    expect(multi(remove('/a')).body).toEqual([{ type: opCode.error, error: serverError.NOT_EMPTY }])
    expect(multi(remove('/a/b'), remove('/a')).body).toHaveLength(2)
  })

  it('sends the notifications of its parts in order, before the answer', () => {
    client.call(operations.addWatch, { path: '/', mode: 1 })
    multi(create('/a'), create('/a/b'), set('/a', 'x'), remove('/a/b'))
    expect(client.takeEvents()).toEqual(['1 /a', '1 /a/b', '3 /a', '2 /a/b'])
  })
})
