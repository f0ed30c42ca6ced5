/** A database whose disk has no room left. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Tracing } from '@elasticjob/tracing'
import { describe, expect, onTestFinished, test } from 'vitest'

import { ask, type DatabaseKind, databaseKinds } from './support/databases.ts'
import { Fires } from './support/fires.ts'

/** A disk of a few megabytes; undefined where nobody may make one. */
function smallDisk(size: string): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'elasticjob-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory], {
      stdio: 'pipe',
    })
  } catch {
    rmdirSync(directory)
    return undefined
  }
  onTestFinished(() => {
    execFileSync('umount', [directory])
    rmdirSync(directory)
  })
  return directory
}

/** How many runs there are in the history, were told of, and are said to be missing. */
interface Rows {
  readonly found: number
  readonly told: number
  readonly dropped: number
}

/** A history on this disk is in the middle of its work when the disk is full, and when it is not any more. */
async function throughFullDisk(url: string, disk: string): Promise<Rows> {
  const fires = new Fires()
  const tracing = new Tracing(fires.jobs, {
    url,
    queueEntries: 2000,
    flushInterval: 20,
    retention: false,
    logger: false,
  })
  onTestFinished(() => tracing.stop())
  await fires.run(100)
  await tracing.flush(20_000)
  const filler = join(disk, 'filler')
  fillUp(filler)
  const failed = new Promise<unknown>((resolve) => {
    tracing.once('history:failed', ({ error }) => resolve(error))
  })
  await fires.run(5000)
  expect(await failed).toMatchObject({ code: 'HISTORY_FULL' })
  await fires.run(3000)
  rmSync(filler)
  await fires.run(50)
  await tracing.flush(30_000)
  const [figures] = Object.values(tracing.figures)
  const history = await tracing.history()
  let rows = 0
  let cursor: string | undefined
  do {
    const page = await history.executions({}, { limit: 1000, ...(cursor && { cursor }) })
    rows += page.rows.length
    cursor = page.next
  } while (cursor !== undefined)
  return { found: rows, told: fires.runIds.length, dropped: figures?.dropped.executions ?? 0 }
}

describe('a full disk costs history and nothing else, until there is room again', () => {
  test('SQLite', async ({ skip }) => {
    const disk = smallDisk('6m')
    if (disk === undefined) return skip('only root may mount a small disk')
    const rows = await throughFullDisk(`sqlite:${join(disk, 'history.db')}`, disk)
    expect(rows.dropped).toBeGreaterThan(0)
    expect(rows.found).toBe(rows.told - rows.dropped)
  })

  test('PostgreSQL', async ({ skip }) => {
    const kind = databaseKinds.find(({ name }) => name === 'PostgreSQL') as DatabaseKind
    if (!kind.isAvailable) return skip('npm run setup:databases')
    const disk = smallDisk('24m')
    if (disk === undefined) return skip('only root may mount a small disk')
    const server = await kind.start()
    // Before the disk goes: hooks run from the last to the first.
    onTestFinished(() => server.stop())
    execFileSync('chown', ['postgres', disk])
    await ask(kind, server, `CREATE TABLESPACE small LOCATION '${disk}';`)
    await ask(kind, server, 'ALTER ROLE postgres SET default_tablespace = small;')
    const rows = await throughFullDisk(server.url, disk)
    expect(rows.dropped).toBeGreaterThan(0)
    expect(rows.found).toBe(rows.told - rows.dropped)
  })
})

/** Takes all the room there is, to the last block. */
function fillUp(path: string): void {
  for (const size of [1_048_576, 65_536, 4096]) {
    const block = Buffer.alloc(size)
    try {
      for (;;) writeFileSync(path, block, { flag: 'a' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}
