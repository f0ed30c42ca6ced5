/** A process that is killed in the middle of writing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { type HistoryStore, openHistory } from '@elasticjob/tracing'
import { describe, expect, onTestFinished, test } from 'vitest'

import { databaseKinds } from './support/databases.ts'

const program = fileURLToPath(new URL('crash-worker.ts', import.meta.url))

/** The runs of every batch that a process was told to be written, until it was killed. */
async function writtenUntilKilled(url: string, batches: number): Promise<string[]> {
  const args = ['--import', 'tsx', '--conditions=source', program, url]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const written: string[] = []
  let count = 0
  for await (const line of createInterface({ input: child.stdout })) {
    written.push(...(JSON.parse(line) as string[]))
    if (++count === batches) child.kill('SIGKILL')
  }
  await ended
  return written
}

/** What is there of the runs: each once, with all that belongs to it. */
async function foundWhole(history: HistoryStore): Promise<readonly string[]> {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await history.executions({}, { limit: 1000, ...(cursor && { cursor }) })
    const whole = page.rows.filter(({ details, outcome }) => details && outcome === 'success')
    found.push(...whole.map(({ id }) => id))
    // Its row and what Java has no column for are there together, or not at all.
    if (whole.length < page.rows.length) throw new Error('a row is half')
    cursor = page.next
  } while (cursor !== undefined)
  const [sample = ''] = found
  const { chunks } = await history.log(sample)
  if (chunks.length !== 1) throw new Error('a run has lost its log')
  return found
}

describe('a process that is killed in the middle of writing', () => {
  test('SQLite: no row is half, and nothing of a finished batch is lost', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'elasticjob-history-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const url = `sqlite:${join(directory, 'history.db')}`
    const written = await writtenUntilKilled(url, 7)
    await using history = await openHistory({ url })
    expect(await foundWhole(history)).toEqual(expect.arrayContaining(written))
  })

  test.for(databaseKinds)(
    '$name: no row is half, and nothing of a finished batch is lost',
    async (kind, { skip }) => {
      if (!kind.isAvailable) skip('npm run setup:databases')
      await using server = await kind.start()
      const written = await writtenUntilKilled(server.url, 7)
      await using history = await openHistory({ url: server.url })
      expect(await foundWhole(history)).toEqual(expect.arrayContaining(written))
    },
  )
})
