/** A database whose disk has no room left. */
import { join } from 'node:path'

import { Tracing } from '@elasticjob/tracing'
import { describe, expect, onTestFinished, test } from 'vitest'

import { databaseKinds } from './support/databases.ts'
import { Fires } from './support/fires.ts'
import { SmallDisk } from './support/small-disk.ts'

/** A disk for as long as a test; undefined where nobody may make one. */
function smallDisk(megabytes: number): SmallDisk | undefined {
  const disk = SmallDisk.mount(megabytes)
  if (disk !== undefined) onTestFinished(() => disk.unmount())
  return disk
}

/** How many runs there are in the history, were told of, and are said to be missing. */
interface Rows {
  readonly found: number
  readonly told: number
  readonly dropped: number
}

/** A history on this disk is in the middle of its work when the disk is full, and when it is not any more. */
async function throughFullDisk(url: string, disk: SmallDisk): Promise<Rows> {
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
  disk.fill()
  const failed = new Promise<unknown>((resolve) => {
    tracing.once('history:failed', ({ error }) => resolve(error))
  })
  await fires.run(5000)
  expect(await failed).toMatchObject({ code: 'HISTORY_FULL' })
  await fires.run(3000)
  disk.free()
  await fires.run(50)
  await tracing.flush(30_000)
  const [metrics] = Object.values(tracing.metrics)
  const history = await tracing.history()
  let rows = 0
  let cursor: string | undefined
  do {
    const page = await history.executions({}, { limit: 1000, ...(cursor && { cursor }) })
    rows += page.rows.length
    cursor = page.next
  } while (cursor !== undefined)
  return { found: rows, told: fires.runIds.length, dropped: metrics?.dropped.executions ?? 0 }
}

const onlyRoot = 'only root may mount a small disk'

describe('a full disk costs history and nothing else, until there is room again', () => {
  test('SQLite', async ({ skip }) => {
    const disk = smallDisk(6)
    if (disk === undefined) return skip(onlyRoot)
    const rows = await throughFullDisk(`sqlite:${join(disk.directory, 'history.db')}`, disk)
    expect(rows.dropped).toBeGreaterThan(0)
    expect(rows.found).toBe(rows.told - rows.dropped)
  })

  test.for(databaseKinds)('$name', async (kind, { skip }) => {
    if (!kind.isAvailable) return skip('npm run setup:databases')
    const disk = smallDisk(24)
    if (disk === undefined) return skip(onlyRoot)
    const server = await kind.start()
    // Before the disk goes: hooks run from the last to the first.
    onTestFinished(() => server.stop())
    await kind.putTables(server, disk.directory)
    const rows = await throughFullDisk(server.url, disk)
    expect(rows.dropped).toBeGreaterThan(0)
    expect(rows.found).toBe(rows.told - rows.dropped)
  })
})
