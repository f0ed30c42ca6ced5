import { describe, expect, it } from 'vitest'
import { formatUsage, parseUsage, QuotaPrefixes } from '../../src/tree/quota.ts'
import { openAcl } from '../../src/acl/acl-table.ts'
import { CoreHarness, operations } from '../core-client.ts'

const text = (data: Uint8Array | null | undefined): string => Buffer.from(data ?? []).toString()

describe('parseUsage', () => {
  it('reads the format of clients', () => {
    const usage = parseUsage(Buffer.from('count=5,bytes=-1=;byteHardLimit=100;countHardLimit=7'))
    expect(usage).toEqual({ count: 5, bytes: -1, byteHardLimit: 100, countHardLimit: 7 })
  })

  it('treats invalid values as no limit', () => {
    const none = { count: -1, bytes: -1, byteHardLimit: -1, countHardLimit: -1 }
    expect(parseUsage(null)).toEqual(none)
    expect(parseUsage(Buffer.from('count=,bytes=x;nonsense'))).toEqual(none)
  })

  it('reads back formatUsage', () => {
    expect(parseUsage(formatUsage(3, 40))).toMatchObject({ count: 3, bytes: 40 })
  })
})

describe('QuotaPrefixes', () => {
  it('finds the deepest subtree that contains a path', () => {
    const prefixes = new QuotaPrefixes()
    expect(prefixes.of('/a/b')).toBeUndefined()
    prefixes.add('/a')
    prefixes.add('/a/b')
    expect(prefixes.of('/a')).toBe('/a')
    expect(prefixes.of('/a/b/c')).toBe('/a/b')
    expect(prefixes.of('/a/bc')).toBe('/a')
    expect(prefixes.of('/ab')).toBeUndefined()
    prefixes.delete('/a/b')
    expect(prefixes.of('/a/b/c')).toBe('/a')
  })
})

describe('a quota', () => {
  function withQuota(limits: string, enforceQuota: boolean) {
    const harness = new CoreHarness({ enforceQuota })
    const client = harness.connected()
    client.create('/q', { data: Buffer.from('12345') })
    client.create('/zookeeper/quota/q')
    client.create('/zookeeper/quota/q/zookeeper_limits', { data: Buffer.from(limits) })
    client.create('/zookeeper/quota/q/zookeeper_stats', { data: Buffer.from('count=0,bytes=0') })
    const usage = (): string => text(client.get('/zookeeper/quota/q/zookeeper_stats').body?.data)
    return { client, usage }
  }

  it('counts everything below its node', () => {
    const { client, usage } = withQuota('count=1,bytes=1', false)
    expect(usage()).toBe('count=1,bytes=5')
    client.create('/q/a', { data: Buffer.from('abc') })
    expect(usage()).toBe('count=2,bytes=8')
    client.set('/q/a', 'a')
    expect(usage()).toBe('count=2,bytes=6')
    client.remove('/q/a')
    expect(usage()).toBe('count=1,bytes=5')
  })

  it('changes neither version nor times of the usage node', () => {
    const { client } = withQuota('count=1,bytes=1', false)
    const before = client.get('/zookeeper/quota/q/zookeeper_stats').body?.stat
    client.create('/q/a')
    const after = client.get('/zookeeper/quota/q/zookeeper_stats').body?.stat
    expect(after).toEqual(before)
  })

  it('is not counted yet in the answer to the create of its usage node', () => {
    const { client } = withQuota('count=1,bytes=1', false)
    client.create('/zookeeper/quota/r')
    const request = {
      path: '/zookeeper/quota/r/zookeeper_stats',
      data: null,
      acl: openAcl,
      flags: 0,
    }
    expect(client.call(operations.create2, request).body?.stat.dataLength).toBe(0)
    expect(client.get(request.path).body?.stat.dataLength).toBe('count=0,bytes=0'.length)
  })

  it('is enforced only with enforceQuota, and only as a hard limit', () => {
    expect(withQuota('countHardLimit=1', false).client.create('/q/a').error).toBe(0)
    expect(withQuota('count=1', true).client.create('/q/a').error).toBe(0)
    expect(withQuota('countHardLimit=1', true).client.create('/q/a').error).toBe(-125)
    const { client } = withQuota('byteHardLimit=7', true)
    expect(client.set('/q', '1234567').error).toBe(0)
    expect(client.set('/q', '12345678').error).toBe(-125)
  })

  it('is not enforced without its usage node', () => {
    const { client } = withQuota('countHardLimit=1', true)
    client.remove('/zookeeper/quota/q/zookeeper_stats')
    expect(client.create('/q/a').error).toBe(0)
  })

  it('ends with its limits node', () => {
    const { client, usage } = withQuota('countHardLimit=1', true)
    client.remove('/zookeeper/quota/q/zookeeper_limits')
    expect(client.create('/q/a').error).toBe(0)
    expect(usage()).toBe('count=1,bytes=5')
  })
})
