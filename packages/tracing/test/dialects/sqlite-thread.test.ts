import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

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

it('SqliteThread ends during a statement without ending the process, and starts again', async () => {
  for (let round = 0; round < 3; round++) {
    expect((await thread.run('select 1 as one', [])).rows).toEqual([{ one: 1 }])
    const answer = thread.run(slow, []).catch((error: unknown) => error)
    await thread.end()
    expect(await answer).toMatchObject({ code: 'SQLITE_INTERRUPT' })
  }
})

it('SqliteThread rolls back an open transaction when it ends', async () => {
  await thread.run('create table t (n integer)', [])
  await thread.run('begin immediate', [])
  await thread.run('insert into t values (1)', [])
  await thread.end()
  expect((await thread.run('select n from t', [])).rows).toEqual([])
})

/** How a process ended that exited during native code, and its output. */
async function endInTheMiddle(): Promise<unknown> {
  const program = fileURLToPath(new URL('support/exit-in-the-middle.ts', import.meta.url))
  const args = ['--import', 'tsx', '--conditions=source', program, join(folder, 'other.db')]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', (text: Buffer) => {
    complaints += text.toString()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, complaints }
}

it('SqliteThread lets a process exit during a statement', async () => {
  // Whether the exit hits the critical moment is random: three attempts hit it.
  const ends = await Promise.all([endInTheMiddle(), endInTheMiddle(), endInTheMiddle()])
  for (const end of ends) expect(end).toEqual({ code: 0, complaints: '' })
})
