import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { openHistory } from '../../src/store/open-history.ts'

describe('openHistory: an address', () => {
  test.for(['', 'history.db', 'oracle://host/db', 'postgresql//host', 'constructor:x'])(
    'like %j is refused',
    async (url) => {
      await expect(openHistory({ url })).rejects.toMatchObject({ code: 'HISTORY_URL_INVALID' })
    },
  )

  test.for([
    'mysql://user:secret@[bad/db',
    'mysql://user:1/secret@db/x',
    'postgresql://user:sec/ret@secret/x',
  ])('that is not repeated, for its password: %s', async (url) => {
    await expect(openHistory({ url })).rejects.toMatchObject({
      code: 'HISTORY_URL_INVALID',
      message: expect.not.stringContaining('secret') as string,
    })
  })
})

describe('openHistory: a server', () => {
  test.for(['postgresql', 'mysql'])('of %s that does not run is unreachable', async (scheme) => {
    const url = `${scheme}://root:secret@127.0.0.1:1/history`
    await expect(openHistory({ url })).rejects.toMatchObject({
      code: 'HISTORY_UNREACHABLE',
      isTransient: true,
      message: expect.not.stringContaining('secret') as string,
    })
  })

  test.for(['postgresql', 'mysql'])(
    'of %s that never answers is abandoned after the timeout',
    async (scheme) => {
      const silent = createServer(() => {})
      const port = await new Promise<number>((resolve) => {
        silent.listen(0, '127.0.0.1', () => {
          const address = silent.address()
          resolve(typeof address === 'object' && address !== null ? address.port : 0)
        })
      })
      const url = `${scheme}://root@127.0.0.1:${port}/history`
      await expect(openHistory({ url, timeout: 200 })).rejects.toMatchObject({
        code: 'HISTORY_UNREACHABLE',
      })
      silent.close()
    },
  )
})

describe('openHistory: a file', () => {
  test('is created for its owner only, and so is its folder', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'elasticjob-history-')), 'made')
    const path = join(folder, 'history.db')
    await using history = await openHistory({ url: `sqlite:${path}` })
    expect(await history.jobNames()).toEqual([])
    for (const file of [path, `${path}-wal`, `${path}-shm`]) {
      expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600])
    }
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test('is not created without permission to create', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'elasticjob-history-'))
    const url = `sqlite:${join(folder, 'mistyped.db')}`
    for (const create of ['tables', 'nothing'] as const) {
      await expect(openHistory({ url, create })).rejects.toMatchObject({
        code: 'HISTORY_UNREACHABLE',
      })
    }
    expect(readdirSync(folder)).toEqual([])
  })

  test('is opened read-only with create: nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'elasticjob-history-'))
    const path = join(folder, 'history.db')
    writeFileSync(path, '')
    await expect(openHistory({ url: `sqlite:${path}`, create: 'nothing' })).rejects.toMatchObject({
      code: 'HISTORY_SCHEMA_MISSING',
    })
    expect(readdirSync(folder)).toEqual(['history.db'])
    expect(statSync(path).size).toBe(0)
    await (await openHistory({ url: `sqlite:${path}`, create: 'tables' })).close()
    await using read = await openHistory({ url: `sqlite:${path}`, create: 'nothing' })
    expect(await read.jobNames()).toEqual([])
    await expect(read.closeAsLost([])).rejects.toMatchObject({ code: 'HISTORY_REFUSED' })
  })

  test('that is not a database is refused', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'elasticjob-history-')), 'text.db')
    writeFileSync(path, 'this is a text and has been one for longer than a page\n'.repeat(100))
    await expect(openHistory({ url: `sqlite:${path}` })).rejects.toMatchObject({
      code: 'HISTORY_FAILED',
    })
  })

  test('that cannot be created is unreachable', async () => {
    await expect(openHistory({ url: 'sqlite:/etc/passwd/history.db' })).rejects.toMatchObject({
      code: 'HISTORY_UNREACHABLE',
    })
  })

  test('is created with its parent folders', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'elasticjob-history-')), 'a/b/history.db')
    await using store = await openHistory({ url: `sqlite:${path}` })
    expect(store.description).toBe(`SQLite ${path}`)
    expect(await store.jobNames()).toEqual([])
  })
})

test('a closed history fails with HISTORY_CLOSED', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'elasticjob-history-')), 'history.db')
  const store = await openHistory({ url: `sqlite:${path}` })
  await store.close()
  await store.close()
  await expect(store.executions()).rejects.toMatchObject({ code: 'HISTORY_CLOSED' })
})
