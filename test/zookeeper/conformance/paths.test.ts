import { openAcl, part, read, type ZooKeeper } from '@elasticjob/zookeeper'
import { opcode, recordRequests } from './opcodes.ts'
import { conformance, expect, it } from './support.ts'

const invalidPaths = [
  '',
  'a',
  'a/b',
  '/a/',
  '//',
  '//a',
  '/a//b',
  '/.',
  '/..',
  '/a/.',
  '/a/../b',
  '/nul\u0000',
  '/bell\u0007',
  '/delete\u007f',
  '/control\u0085',
  '/half\ud800',
  '/private\ue000',
  '/special\ufff9',
] as const

const calls: Readonly<Record<string, (zk: ZooKeeper, path: string) => unknown>> = {
  create: (zk, path) => zk.create(path),
  'create with parents': (zk, path) => zk.create(path, '', { parents: true }),
  'protected create': (zk, path) => zk.create(path, '', { protect: true }),
  delete: (zk, path) => zk.delete(path),
  deleteRecursive: (zk, path) => zk.deleteRecursive(path),
  exists: (zk, path) => zk.exists(path),
  get: (zk, path) => zk.get(path),
  set: (zk, path) => zk.set(path, ''),
  children: (zk, path) => zk.children(path),
  check: (zk, path) => zk.check(path),
  sync: (zk, path) => zk.sync(path),
  getAcl: (zk, path) => zk.getAcl(path),
  setAcl: (zk, path) => zk.setAcl(path, openAcl),
  getEphemerals: (zk, path) => zk.getEphemerals(path),
  getAllChildrenNumber: (zk, path) => zk.getAllChildrenNumber(path),
  addWatch: (zk, path) => zk.addWatch(path, 'persistent', () => undefined),
  removeWatches: (zk, path) => zk.removeWatches(path),
}

conformance('an invalid path', () => {
  it.for(invalidPaths.map((path) => [JSON.stringify(path), path] as const))(
    'is refused: %s',
    async ([, path], { zk }) => {
      await expect(zk.create(path)).rejects.toMatchObject({ code: 'ZK_INVALID_PATH', path })
    },
  )

  it.for(Object.entries(calls))('rejects %s', async ([, call], { zk }) => {
    await expect(call(zk, '/a//b')).rejects.toMatchObject({ code: 'ZK_INVALID_PATH' })
  })

  it('is refused in the parts of a transaction', () => {
    const makers = [
      () => part.create('/a//b'),
      () => part.set('/a//b', ''),
      () => part.delete('/a//b'),
      () => part.check('/a//b'),
      () => read.get('/a//b'),
      () => read.children('/a//b'),
    ]
    for (const make of makers) expect(make).toThrow('the name at position 3 is empty')
  })

  it('is never sent', async ({ proxied: zk, proxy }) => {
    const requests = recordRequests(proxy)
    await Promise.allSettled(Object.values(calls).map((call) => call(zk, '/a//b')))
    await zk.sync()
    expect(requests).toEqual([opcode.sync])
  })
})

conformance('a valid path', () => {
  it.for(['/...', '/.a', '/a.', '/a..b', '/ ', '/a b', '/a:b', '/%2F', '/~', '/"', '/\\'])(
    'is taken by the server: %s',
    async (path, { zk }) => {
      expect((await zk.create(path, 'data')).path).toBe(path)
      expect(await zk.exists(path)).toBeDefined()
      expect((await zk.children('/')).children).toEqual([path.slice(1)])
    },
  )

  it('may be deep', async ({ zk }) => {
    const path = '/d'.repeat(200)
    await zk.create(path, '', { parents: true })
    expect(await zk.getAllChildrenNumber('/')).toBe(200)
    expect(await zk.exists(path)).toBeDefined()
  })

  it('may be long', async ({ zk }) => {
    const path = `/${'long'.repeat(2_000)}`
    expect((await zk.create(path)).path).toBe(path)
  })
})
