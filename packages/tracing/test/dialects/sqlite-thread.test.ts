import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { SqliteThread } from '../../src/dialects/sqlite/sqlite-thread.ts'

let folder: string
let thread: SqliteThread

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'elasticjob-thread-'))
  thread = new SqliteThread({ path: join(folder, 'history.db'), busyTimeout: 1000 })
})

afterEach(async () => {
  await thread.end()
  await rm(folder, { recursive: true })
})

/** Some tenths of a second of work. */
const slow = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2000000)
  select count(*) as count from numbers`

it('ends in the middle of a statement without taking the process along, and begins again', async () => {
  for (let round = 0; round < 3; round++) {
    expect((await thread.run('select 1 as one', [])).rows).toEqual([{ one: 1 }])
    const answer = thread.run(slow, []).catch((error: unknown) => error)
    await thread.end()
    expect(await answer).toMatchObject({ code: 'SQLITE_INTERRUPT' })
  }
})

it('rolls back what it had begun', async () => {
  await thread.run('create table t (n integer)', [])
  await thread.run('begin immediate', [])
  await thread.run('insert into t values (1)', [])
  await thread.end()
  expect((await thread.run('select n from t', [])).rows).toEqual([])
})
