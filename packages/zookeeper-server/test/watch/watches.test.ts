import { addWatchMode, permission, serverError, watcherType } from '@elasticjob/zookeeper/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CoreClient, CoreHarness, operations } from '../core-client.ts'

let harness: CoreHarness
let client: CoreClient
let other: CoreClient

beforeEach(() => {
  harness = new CoreHarness()
  client = harness.connected()
  other = harness.connected()
})

const exists = (path: string) => client.call(operations.exists, { path, watch: true })
const children = (path: string) => client.call(operations.getChildren, { path, watch: true })
const watch = (path: string, mode: keyof typeof addWatchMode) =>
  client.call(operations.addWatch, { path, mode: addWatchMode[mode] })

describe('a one-shot watch', () => {
  it('on data fires once', () => {
    client.create('/a')
    client.get('/a', true)
    other.set('/a', '1')
    other.set('/a', '2')
    expect(client.takeEvents()).toEqual(['3 /a'])
  })

  it('on an absent node fires when it is created', () => {
    expect(exists('/a').error).toBe(serverError.NO_NODE)
    other.create('/a')
    expect(client.takeEvents()).toEqual(['1 /a'])
  })

  it('is not set by a failed read', () => {
    client.get('/a', true)
    children('/a')
    other.create('/a')
    expect(client.takeEvents()).toEqual([])
  })

  it('on children fires for a created child, a deleted child, and the deletion of the parent', () => {
    client.create('/p')
    children('/p')
    other.create('/p/a')
    expect(client.takeEvents()).toEqual(['4 /p'])
    children('/p')
    other.remove('/p/a')
    expect(client.takeEvents()).toEqual(['4 /p'])
    children('/p')
    other.remove('/p')
    expect(client.takeEvents()).toEqual(['2 /p'])
  })

  it('on data and children of one node reports its deletion once', () => {
    client.create('/a')
    client.get('/a', true)
    exists('/a')
    children('/a')
    other.remove('/a')
    expect(client.takeEvents()).toEqual(['2 /a'])
    expect(harness.core.watches.size).toBe(0)
  })

  it('on the root reports changes of the root', () => {
    children('/')
    other.create('/a')
    expect(client.takeEvents()).toEqual(['4 /'])
  })
})

describe('a persistent watch', () => {
  it('stays, and reports changes of the node and its children', () => {
    watch('/p', 'persistent')
    other.create('/p')
    other.create('/p/a')
    other.create('/p/a/b')
    other.set('/p', 'x')
    other.set('/p/a', 'x')
    other.remove('/p/a/b')
    other.remove('/p/a')
    other.remove('/p')
    expect(client.takeEvents()).toEqual(['1 /p', '4 /p', '3 /p', '4 /p', '2 /p'])
  })
})

describe('a recursive watch', () => {
  it('stays, and reports everything below, but no child changes', () => {
    watch('/p', 'persistentRecursive')
    other.create('/p')
    other.create('/p/a')
    other.create('/p/a/b')
    other.set('/p/a', 'x')
    other.create('/pp')
    other.remove('/p/a/b')
    other.remove('/p/a')
    other.remove('/p')
    expect(client.takeEvents()).toEqual([
      '1 /p',
      '1 /p/a',
      '1 /p/a/b',
      '3 /p/a',
      '2 /p/a/b',
      '2 /p/a',
      '2 /p',
    ])
  })

  it('on the root reports everything', () => {
    watch('/', 'persistentRecursive')
    other.create('/a')
    other.create('/a/b')
    expect(client.takeEvents()).toEqual(['1 /a', '1 /a/b'])
  })

  it('below another recursive watch reports once', () => {
    watch('/', 'persistentRecursive')
    watch('/a', 'persistentRecursive')
    other.create('/a')
    expect(client.takeEvents()).toEqual(['1 /a'])
  })

  it('is replaced by a one-shot watch of the same session on the same path', () => {
    client.create('/p')
    watch('/p', 'persistentRecursive')
    client.get('/p', true)
    other.set('/p', 'x')
    expect(client.takeEvents()).toEqual(['3 /p'])
    other.set('/p', 'x')
    other.create('/p/a')
    expect(client.takeEvents()).toEqual([])
  })

  it('is not replaced by a watch of another session', () => {
    client.create('/p')
    watch('/p', 'persistentRecursive')
    other.get('/p', true)
    other.set('/p', 'x')
    other.set('/p', 'x')
    expect(client.takeEvents()).toEqual(['3 /p', '3 /p'])
    expect(other.takeEvents()).toEqual(['3 /p'])
  })
})

describe('an event', () => {
  it('reaches its originator before the answer', () => {
    client.create('/a')
    client.get('/a', true)
    const frames = client.exchange((writer) => {
      writer.int(9)
      writer.int(operations.setData.code)
      operations.setData.writeRequest(writer, { path: '/a', data: null, version: -1 })
      expect(client.events).toEqual([])
    })
    expect(client.takeEvents()).toEqual(['3 /a'])
    expect(frames).toHaveLength(1)
  })

  it('does not reach a client without read permission', () => {
    const secret = [{ permissions: permission.all, id: { scheme: 'auth', id: '' } }]
    client.authenticate('me:secret')
    watch('/', 'persistentRecursive')
    const stranger = harness.connected()
    stranger.call(operations.addWatch, { path: '/', mode: addWatchMode.persistentRecursive })
    const owner = harness.connected()
    owner.authenticate('me:secret')
    owner.create('/s', { acl: secret })
    owner.set('/s', 'x')
    owner.remove('/s')
    expect(client.takeEvents()).toEqual(['1 /s', '3 /s', '2 /s'])
    expect(stranger.takeEvents()).toEqual([])
  })

  it('does not reach a disconnected client', () => {
    watch('/', 'persistentRecursive')
    client.disconnect()
    other.create('/a')
    expect(client.takeEvents()).toEqual([])
    expect(harness.core.watches.size).toBe(0)
  })

  it('is sent for each ephemeral node when their session ends', () => {
    watch('/', 'persistentRecursive')
    other.create('/a', { flags: 1 })
    other.create('/b', { flags: 1 })
    client.takeEvents()
    other.closeSession()
    expect(client.takeEvents()).toEqual(['2 /a', '2 /b'])
  })
})

describe('a watch', () => {
  const check = (path: string, type: number) =>
    client.call(operations.checkWatches, { path, type }).error
  const remove = (path: string, type: number) =>
    client.call(operations.removeWatches, { path, type }).error

  it('is found by its type, whichever session set it', () => {
    client.get('/', true)
    expect(check('/', watcherType.data)).toBe(0)
    expect(check('/', watcherType.any)).toBe(0)
    expect(check('/', watcherType.children)).toBe(serverError.NO_WATCHER)
    expect(check('/none', watcherType.any)).toBe(serverError.NO_WATCHER)
    expect(other.call(operations.checkWatches, { path: '/', type: watcherType.data }).error).toBe(0)
  })

  it('is removed by its type, by its owner only', () => {
    client.get('/', true)
    children('/')
    expect(other.call(operations.removeWatches, { path: '/', type: 3 }).error).toBe(
      serverError.NO_WATCHER,
    )
    expect(remove('/', watcherType.data)).toBe(0)
    expect(remove('/', watcherType.data)).toBe(serverError.NO_WATCHER)
    expect(remove('/', watcherType.any)).toBe(0)
    expect(remove('/', watcherType.any)).toBe(serverError.NO_WATCHER)
  })

  it('on a relative path cannot be queried', () => {
    expect(check('x', watcherType.any)).toBe(serverError.MARSHALLING_ERROR)
    expect(check('x/y', watcherType.any)).toBe(serverError.NO_WATCHER)
    expect(check('', watcherType.any)).toBe(serverError.NO_WATCHER)
    watch('/', 'persistentRecursive')
    expect(check('x/y', watcherType.any)).toBe(serverError.MARSHALLING_ERROR)
  })

  it('on the empty path can be set and removed, but is never found', () => {
    watch('', 'persistent')
    expect(check('', watcherType.any)).toBe(serverError.NO_WATCHER)
    expect(remove('', watcherType.any)).toBe(0)
  })

  it('of an unknown type is a marshalling error', () => {
    expect(check('/', 9)).toBe(serverError.MARSHALLING_ERROR)
    expect(remove('/', 9)).toBe(serverError.MARSHALLING_ERROR)
    expect(client.call(operations.addWatch, { path: '/', mode: 9 }).error).toBe(
      serverError.MARSHALLING_ERROR,
    )
  })

  it('beyond the limit is rejected, an existing one is not', () => {
    const small = new CoreHarness({ maxWatches: 1 }).connected()
    expect(small.get('/', true).error).toBe(0)
    expect(small.get('/', true).error).toBe(0)
    expect(small.get('/zookeeper', true).error).toBe(serverError.QUOTA_EXCEEDED)
    expect(small.call(operations.addWatch, { path: '/', mode: 0 }).error).toBe(
      serverError.QUOTA_EXCEEDED,
    )
    expect(small.get('/zookeeper').error).toBe(0)
  })
})

describe('the watches of a reconnected client', () => {
  const restore = (relativeZxid: bigint, watches: Partial<Record<string, string[]>>) =>
    client.call(
      operations.setWatches2,
      { relativeZxid, data: [], exist: [], child: [], persistent: [], recursive: [], ...watches },
      -8,
    )

  it('fire at once for missed events', () => {
    for (const path of ['/data', '/child', '/made', '/same']) other.create(path)
    const seen = BigInt(harness.core.state.lastZxid)
    other.set('/data', 'x')
    other.create('/child/a')
    const answer = restore(seen, {
      data: ['/data', '/gone', '/same'],
      exist: ['/made', '/later'],
      child: ['/child', '/lost', '/same'],
    })
    expect(answer).toMatchObject({ xid: -8, error: 0 })
    expect(client.takeEvents()).toEqual(['3 /data', '2 /gone', '1 /made', '4 /child', '2 /lost'])
  })

  it('are set again without missed events', () => {
    other.create('/same')
    restore(99n, { data: ['/same'], exist: ['/later'], child: ['/same'] })
    expect(client.takeEvents()).toEqual([])
    other.set('/same', 'x')
    other.create('/later')
    other.create('/same/a')
    expect(client.takeEvents()).toEqual(['3 /same', '1 /later', '4 /same'])
  })

  it('that are persistent are set again without reporting missed events', () => {
    other.create('/a')
    restore(0n, { persistent: ['/a'], recursive: ['/b'] })
    expect(client.takeEvents()).toEqual([])
    other.create('/a/x')
    other.create('/b')
    other.create('/b/x')
    expect(client.takeEvents()).toEqual(['4 /a', '1 /b', '1 /b/x'])
  })

  it('of a client before 3.6 are set again with its older request', () => {
    const request = { data: ['/gone'], exist: [], child: [], persistent: [], recursive: [] }
    const answer = client.call(operations.setWatches, { relativeZxid: 0n, ...request }, -8)
    expect(answer.error).toBe(0)
    expect(client.takeEvents()).toEqual(['2 /gone'])
  })
})
