import { type Acl, createFlag, type MultiPart, serverError } from '@elasticjob/zookeeper/protocol'
import { describe, expect, it } from 'vitest'
import { openAcl } from '../../src/acl/acl-table.ts'
import { CoreHarness, opCode, operations } from '../core-client.ts'

const { QUOTA_EXCEEDED } = serverError
/** The nodes of a server before a client creates any. */
const ownNodes = new CoreHarness().core.state.tree.nodeCount
const ownBytes = new CoreHarness().core.state.tree.usedBytes

function creation(path: string, data = ''): MultiPart {
  return { type: opCode.create, path, data: Buffer.from(data), acl: openAcl, flags: 0 }
}

function deletion(path: string): MultiPart {
  return { type: opCode.delete, path, version: -1 }
}

function digestAcl(user: string): Acl[] {
  return [{ permissions: 31, id: { scheme: 'digest', id: `${user}:secret` } }]
}

describe('a tree with maxNodes', () => {
  it('rejects a create beyond the limit, and accepts it after a delete', () => {
    const client = new CoreHarness({ maxNodes: ownNodes + 2 }).connected()
    client.create('/a')
    client.create('/b')
    expect(client.create('/c').error).toBe(QUOTA_EXCEEDED)
    expect(client.set('/a', 'data').error).toBe(0)
    expect(client.remove('/b').error).toBe(0)
    expect(client.create('/c').error).toBe(0)
  })

  it('counts the parts of a multi together', () => {
    const harness = new CoreHarness({ maxNodes: ownNodes + 2 })
    const client = harness.connected()
    const multi = (...parts: MultiPart[]): unknown => client.call(operations.multi, parts).body
    expect(multi(creation('/a'), creation('/b'), creation('/c'))).toMatchObject([
      { error: 0 },
      { error: 0 },
      { error: QUOTA_EXCEEDED },
    ])
    expect(harness.core.state.tree.nodeCount).toBe(ownNodes)
    multi(creation('/a'), creation('/b'))
    multi(deletion('/a'), creation('/c'))
    expect(harness.core.state.tree.get('/c')).toBeDefined()
    expect(harness.core.state.tree.nodeCount).toBe(ownNodes + 2)
  })

  it('lets sessions start and expire, and deletes their ephemeral nodes', () => {
    const harness = new CoreHarness({ maxNodes: ownNodes + 1 })
    const first = harness.connected()
    expect(first.create('/e', { flags: createFlag.ephemeral }).error).toBe(0)
    const second = harness.connected()
    expect(second.create('/f', { flags: createFlag.ephemeral }).error).toBe(QUOTA_EXCEEDED)
    first.disconnect()
    harness.pass(8_000)
    second.get('/')
    harness.pass(8_000)
    expect(harness.core.state.tree.get('/e')).toBeUndefined()
    expect(second.create('/f', { flags: createFlag.ephemeral }).error).toBe(0)
    expect(second.closeSession().error).toBe(0)
    expect(harness.core.state.tree.nodeCount).toBe(ownNodes)
  })

  it('keeps existing nodes when the limit is lowered', () => {
    const before = new CoreHarness()
    const writer = before.connected()
    for (const path of ['/a', '/b', '/c']) writer.create(path)
    const after = new CoreHarness({ maxNodes: ownNodes + 1 })
    for (const transaction of before.log) after.core.state.applyTransaction(transaction)
    const client = after.connected()
    expect(client.create('/d').error).toBe(QUOTA_EXCEEDED)
    expect(client.set('/a', 'data').error).toBe(0)
    expect(client.remove('/a').error).toBe(0)
  })
})

describe('a tree with maxDataBytes', () => {
  it('accepts exactly as much as fits, and always data that does not grow', () => {
    const client = new CoreHarness({ maxDataBytes: ownBytes + 12 }).connected()
    expect(client.create('/a', { data: Buffer.alloc(11) }).error).toBe(QUOTA_EXCEEDED)
    expect(client.create('/a', { data: Buffer.alloc(10) }).error).toBe(0)
    expect(client.set('/a', 'x'.repeat(11)).error).toBe(QUOTA_EXCEEDED)
    expect(client.set('/a', 'x'.repeat(10)).error).toBe(0)
    expect(client.set('/a', 'x').error).toBe(0)
  })

  it('counts the parts of a multi together', () => {
    const harness = new CoreHarness({ maxDataBytes: ownBytes + 30 })
    const client = harness.connected()
    const parts = [creation('/a', 'x'.repeat(15)), creation('/b', 'x'.repeat(15))]
    expect(client.call(operations.multi, parts).body).toMatchObject([
      { error: 0 },
      { error: QUOTA_EXCEEDED },
    ])
    expect(harness.core.state.tree.usedBytes).toBe(ownBytes)
    const smaller = [creation('/a', 'x'.repeat(15)), deletion('/a'), creation('/b', 'x'.repeat(15))]
    client.call(operations.multi, smaller)
    expect(harness.core.state.tree.usedBytes).toBe(ownBytes + 17)
  })

  it('counts each access control list once, and releases it with its last node', () => {
    const harness = new CoreHarness({ maxDataBytes: ownBytes + 300 })
    const client = harness.connected()
    const long = digestAcl('x'.repeat(200))
    const setAcl = (path: string, acl: readonly Acl[]): number =>
      client.call(operations.setAcl, { path, acl, version: -1 }).error
    expect(client.create('/a', { acl: long }).error).toBe(0)
    expect(client.create('/b', { acl: long }).error).toBe(0)
    client.create('/c')
    expect(setAcl('/c', digestAcl('y'.repeat(200)))).toBe(QUOTA_EXCEEDED)
    expect(client.create('/d', { acl: digestAcl('y'.repeat(200)) }).error).toBe(QUOTA_EXCEEDED)
    client.remove('/a')
    client.remove('/b')
    client.remove('/c')
    expect(harness.core.state.tree.usedBytes).toBe(ownBytes)
  })
})
