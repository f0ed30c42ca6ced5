import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { openHistory } from '../../src/store/open-history.ts'

describe('an address', () => {
  test.for(['', 'history.db', 'oracle://host/db', 'postgresql//host', 'constructor:x'])(
    'like %j is refused',
    async (url) => {
      await expect(openHistory({ url })).rejects.toMatchObject({ code: 'HISTORY_URL_INVALID' })
    },
  )

  test('that is no URL is not repeated, for its password', async () => {
    const url = 'mysql://user:secret@[bad/db'
    await expect(openHistory({ url })).rejects.toMatchObject({
      code: 'HISTORY_URL_INVALID',
      message: expect.not.stringContaining('secret') as string,
    })
  })
})

describe('a server', () => {
  test.for(['postgresql', 'mysql'])('of %s that is not there cannot be reached', async (scheme) => {
    const url = `${scheme}://root:secret@127.0.0.1:1/history`
    await expect(openHistory({ url })).rejects.toMatchObject({
      code: 'HISTORY_UNREACHABLE',
      isTransient: true,
      message: expect.not.stringContaining('secret') as string,
    })
  })

  test.for(['postgresql', 'mysql'])('of %s that never answers is given up', async (scheme) => {
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
  })
})

describe('a file', () => {
  test('that is no database is refused', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'elasticjob-history-')), 'text.db')
    writeFileSync(path, 'this is a text and has been one for longer than a page\n'.repeat(100))
    await expect(openHistory({ url: `sqlite:${path}` })).rejects.toMatchObject({
      code: 'HISTORY_FAILED',
    })
  })

  test('that cannot be made is out of reach', async () => {
    await expect(openHistory({ url: 'sqlite:/etc/passwd/history.db' })).rejects.toMatchObject({
      code: 'HISTORY_UNREACHABLE',
    })
  })

  test('is made with the folders above it', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'elasticjob-history-')), 'a/b/history.db')
    await using store = await openHistory({ url: `sqlite:${path}` })
    expect(store.description).toBe(`SQLite ${path}`)
    expect(await store.jobNames()).toEqual([])
  })
})

test('a closed history says so', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'elasticjob-history-')), 'history.db')
  const store = await openHistory({ url: `sqlite:${path}` })
  await store.close()
  await store.close()
  await expect(store.executions()).rejects.toMatchObject({ code: 'HISTORY_CLOSED' })
})
