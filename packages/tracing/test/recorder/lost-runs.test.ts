/** Runs of crashed processes, in a real database. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { systemClock } from '@elasticjob/core/internal'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { Recorder } from '../../src/recorder/recorder.ts'
import type { HistoryStore } from '../../src/store/history-store.ts'
import { LazyStore } from '../../src/store/lazy-store.ts'
import { openHistory } from '../../src/store/open-history.ts'
import { limitsOf } from '../../src/tracing-options.ts'
import { assignment, someCrash, someRun } from '../support/runs.ts'

let directory: string
let history: HistoryStore
let now = assignment
let ids = 0

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'elasticjob-history-'))
  history = await openHistory({ url: `sqlite:${join(directory, 'history.db')}` })
  now = assignment
})

afterEach(async () => {
  await history.close()
  rmSync(directory, { recursive: true })
})

function recorder(): Recorder {
  return new Recorder(new LazyStore(() => Promise.resolve(history)), limitsOf({}), {
    clock: systemClock,
    hostname: 'worker-1',
    newId: () => `id-${ids++}`,
    now: () => now,
    dropped: () => {},
    refused: () => {},
    failed: () => {},
    recovered: () => {},
  })
}

test('a lost run with a written start is closed by the instance that detects it', async () => {
  const [dead, finder] = [recorder(), recorder()]
  dead.started(someRun({ runId: 'gone' }))
  await dead.flush(10_000)
  now += 60_000
  finder.crashed(someCrash({ runId: 'gone' }))
  await finder.flush(10_000)
  expect(await history.run('gone')).toMatchObject({
    execution: { outcome: 'lost', isSuccess: false, startTime: assignment, completeTime: now },
  })
  const { rows } = await history.statusChanges({ states: ['TASK_LOST'] })
  expect(rows).toHaveLength(1)
})

test('a lost run without any written row is inserted', async () => {
  const taker = recorder()
  now += 60_000
  const takenOver = { runId: 'gone', instance: '10.0.1.9@-@3-xyz', claimedAt: assignment + 5 }
  const run = someRun({ runId: 'again', source: 'failover', attempt: 2, takenOver })
  taker.started(run)
  taker.completed(run, 'success', undefined, 7)
  await taker.flush(10_000)
  expect(await history.run('gone')).toMatchObject({
    execution: { outcome: 'lost', ip: '10.0.1.9', startTime: assignment + 5, completeTime: now },
    attempts: [
      { id: 'gone', details: { attempt: 1 } },
      { id: 'again', outcome: 'success', details: { attempt: 2 } },
    ],
  })
})

test('a lost run keeps a known end', async () => {
  const [slow, finder] = [recorder(), recorder()]
  const run = someRun({ runId: 'gone' })
  slow.started(run)
  slow.completed(run, 'success', undefined, 7)
  await slow.flush(10_000)
  finder.crashed(someCrash({ runId: 'gone' }))
  await finder.flush(10_000)
  expect(await history.run('gone')).toMatchObject({ execution: { outcome: 'success' } })
})

test('a lost run gets its real end if that arrives later', async () => {
  const [cutOff, finder] = [recorder(), recorder()]
  const run = someRun({ runId: 'gone' })
  cutOff.started(run)
  await cutOff.flush(10_000)
  finder.crashed(someCrash({ runId: 'gone' }))
  await finder.flush(10_000)
  cutOff.completed(run, 'failure', new Error('late'), 90_000)
  await cutOff.flush(10_000)
  expect(await history.run('gone')).toMatchObject({
    execution: { outcome: 'failure', duration: 90_000 },
  })
})
