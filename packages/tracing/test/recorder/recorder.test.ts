import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { beforeEach, describe, expect, test } from 'vitest'

import type { DroppedRows } from '../../src/recorder/metrics.ts'
import { Recorder, type RecorderLimits } from '../../src/recorder/recorder.ts'
import { LazyStore } from '../../src/store/lazy-store.ts'
import { MemoryStore } from '../support/memory-store.ts'
import { someCrash, someRun } from '../support/runs.ts'

const limits = (queue: Partial<RecorderLimits['queue']> = {}): RecorderLimits => ({
  intake: { calm: 100, timeout: 1000, notes: 1000, characters: 100_000 },
  queue: { entries: 1000, bytes: 10_000_000, ...queue },
  writer: {
    batchEntries: 10,
    batchBytes: 1_000_000,
    interval: 1000,
    firstPause: 100,
    longestPause: 5000,
  },
  log: { runCharacters: 1000, lineCharacters: 100 },
})

let made = 0
let clock: SimulatedClock
let store: MemoryStore
let told: { dropped: DroppedRows[]; refused: string[]; failures: number[]; recovered: number[] }

beforeEach(() => {
  clock = new SimulatedClock()
  store = new MemoryStore()
  told = { dropped: [], refused: [], failures: [], recovered: [] }
})

function recorder(own: RecorderLimits = limits()): Recorder {
  return new Recorder(new LazyStore(() => Promise.resolve(store)), own, {
    clock,
    hostname: 'worker-1',
    newId: () => `id-${made++}`,
    now: () => clock.now(),
    dropped: (rows) => told.dropped.push(rows),
    refused: (jobName, reason) => told.refused.push(`${jobName}: ${reason}`),
    failed: (_, inARow) => told.failures.push(inARow),
    recovered: (failures) => told.recovered.push(failures),
  })
}

/** A run that starts and ends at once. */
function shortRun(to: Recorder, run = someRun()): string {
  to.started(run)
  to.completed(run, 'success', undefined, 1)
  return run.runId
}

describe('Recorder: runs', () => {
  test('are written in the sequence that Java writes', async () => {
    const history = recorder()
    const run = someRun()
    history.started(run)
    await clock.advance(1000)
    expect(store.executed.get(run.runId)).toMatchObject({ completeTime: undefined })
    history.completed(run, 'success', undefined, 1500)
    await clock.advance(1000)
    expect(store.executed.get(run.runId)).toMatchObject({ isSuccess: true })
    expect(store.statuses.map(({ state }) => state)).toEqual([
      'TASK_STAGING',
      'TASK_RUNNING',
      'TASK_FINISHED',
    ])
  })

  test('that are short are one row that is written once', async () => {
    const history = recorder()
    shortRun(history)
    await clock.advance(1000)
    expect(store.batches).toHaveLength(1)
    expect(store.batches[0]?.executions).toHaveLength(1)
    expect(store.batches[0]?.statuses).toHaveLength(3)
  })

  test('contain the number of retries', async () => {
    const history = recorder()
    const run = someRun()
    history.started(run)
    history.retried(run)
    history.retried(run)
    history.completed(run, 'success', undefined, 1)
    await clock.advance(1000)
    expect(store.runs.get(run.runId)).toMatchObject({ retries: 2, outcome: 'success' })
  })

  test('that never started are written by their end alone', async () => {
    const history = recorder()
    const run = someRun()
    history.completed(run, 'not-started', undefined, 0)
    await clock.advance(1000)
    expect(store.runs.get(run.runId)).toMatchObject({ outcome: 'not-started' })
    expect(store.statuses).toMatchObject([{ state: 'TASK_ERROR' }])
  })

  test('are written in batches, a full batch without waiting', async () => {
    const history = recorder()
    for (let index = 0; index < 25; index++) shortRun(history)
    await clock.advance(200)
    expect(store.batches.map(({ executions }) => executions.length)).toEqual([10, 10])
    await clock.advance(1000)
    expect(store.batches.map(({ executions }) => executions.length)).toEqual([10, 10, 5])
    expect(history.metrics).toMatchObject({
      written: { executions: 25, statuses: 75 },
      queued: { entries: 0, bytes: 0 },
      batches: 3,
    })
  })

  test('are written after a burst of starts, not during it', async () => {
    const history = recorder()
    for (let begun = 0; begun < 9; begun++) {
      for (let index = 0; index < 25; index++) shortRun(history)
      await clock.advance(50)
      expect(store.batches).toEqual([])
    }
    await clock.advance(200)
    expect(store.executed.size).toBe(220)
  })

  test('are written after a second even if runs keep starting', async () => {
    const history = recorder()
    for (let begun = 0; begun < 21; begun++) {
      for (let index = 0; index < 25; index++) shortRun(history)
      await clock.advance(50)
    }
    expect(store.executed.size).toBeGreaterThan(400)
  })

  test('that were due during a burst are written right after it', async () => {
    const history = recorder()
    shortRun(history)
    await clock.advance(950)
    for (let begun = 0; begun < 4; begun++) {
      shortRun(history)
      await clock.advance(50)
    }
    expect(store.batches).toEqual([])
    await clock.advance(100)
    expect(store.executed.size).toBe(5)
  })

  test('of a job that no table can store are refused, and reported once', async () => {
    const history = recorder()
    const jobName = 'j'.repeat(101)
    shortRun(history, someRun({ jobName }))
    shortRun(history, someRun({ jobName }))
    const kept = shortRun(history)
    await clock.advance(1000)
    expect([...store.executed.keys()]).toEqual([kept])
    expect(told.refused).toEqual([`${jobName}: jobName has 101 characters, the limit is 100`])
    // The start and the end of each.
    expect(history.metrics.refused).toBe(4)
  })
})

describe('Recorder: a run of a dead instance', () => {
  test('is closed by the instance that detects it, with a last status, and again by the one that takes it over', async () => {
    const history = recorder()
    history.crashed(someCrash())
    const takenOver = { runId: 'gone', instance: '10.0.1.9@-@3-xyz', claimedAt: clock.now() }
    history.started(someRun({ source: 'failover', attempt: 2, takenOver }))
    await clock.advance(1000)
    expect(store.lost.map(({ runId }) => runId)).toEqual(['gone', 'gone'])
    expect(store.statuses.filter(({ state }) => state === 'TASK_LOST')).toHaveLength(1)
  })
})

describe('Recorder: the output of a run', () => {
  test('is stored in numbered chunks while it runs', async () => {
    const history = recorder()
    const run = someRun()
    history.started(run)
    history.logged(run, 'info', 'one')
    history.logged(run, 'info', 'two')
    history.logged(run, 'warn', 'three')
    await clock.advance(1000)
    history.logged(run, 'warn', 'four')
    await clock.advance(1000)
    expect(store.logs.map(({ sequence, stream, text }) => [sequence, stream, text])).toEqual([
      [0, 'info', 'one\ntwo'],
      [1, 'warn', 'three'],
      [2, 'warn', 'four'],
    ])
  })

  test('is truncated per line and in total, with a note', async () => {
    const history = recorder()
    const run = someRun()
    history.started(run)
    for (let line = 0; line < 50; line++) history.logged(run, 'info', `${line} ${'x'.repeat(300)}`)
    await clock.advance(1000)
    const text = store.logs.map((piece) => piece.text).join('\n')
    const lines = text.split('\n')
    expect(lines).toHaveLength(10)
    expect(lines.slice(0, -1).every((line) => line.length === 100)).toBe(true)
    expect(lines.at(-1)).toMatch(/more than 1000 characters/)
  })

  test('after the end of the run is not stored', async () => {
    const history = recorder()
    const run = someRun()
    history.started(run)
    history.completed(run, 'success', undefined, 1)
    history.logged(run, 'info', 'late')
    await clock.advance(1000)
    expect(store.logs).toEqual([])
  })
})

describe('Recorder: an unreachable database', () => {
  test('is retried after increasing pauses, and receives everything when it is back', async () => {
    store.down()
    const history = recorder()
    const ids = Array.from({ length: 30 }, () => shortRun(history))
    await clock.advance(60_000)
    const attempts = store.attempts
    expect(attempts).toBeGreaterThan(5)
    expect(attempts).toBeLessThan(20)
    expect(history.metrics.failures).toEqual({ inARow: attempts, total: attempts })
    expect(history.metrics.lastError).toMatchObject({ code: 'HISTORY_UNREACHABLE' })
    store.recover()
    await clock.advance(6_000)
    expect([...store.executed.keys()].toSorted()).toEqual(ids.toSorted())
    expect(told.recovered).toEqual([attempts])
    expect(history.metrics.failures).toEqual({ inARow: 0, total: attempts })
  })

  test('keeps no more than the limit, and counts the dropped rows exactly', async () => {
    store.down()
    const history = recorder(limits({ entries: 100 }))
    const long = Array.from({ length: 5 }, () => someRun())
    store.recover()
    for (const run of long) history.started(run)
    await clock.advance(1000)
    store.down()
    const ids: string[] = []
    for (let index = 0; index < 500; index++) {
      ids.push(shortRun(history))
      expect(history.metrics.queued.entries).toBeLessThanOrEqual(100)
    }
    for (const run of long) history.completed(run, 'success', undefined, 60_000)
    await clock.advance(10_000)
    store.recover()
    await clock.advance(20_000)
    const { dropped, written, queued } = history.metrics
    expect(queued).toEqual({ entries: 0, bytes: 0 })
    expect(store.executed.size).toBe(505 - dropped.executions)
    expect(store.statuses).toHaveLength(505 * 3 - dropped.statuses)
    expect(written.statuses).toBe(store.statuses.length)
    expect(dropped.executions).toBeGreaterThanOrEqual(400)
    expect(told.dropped.at(-1)).toEqual(dropped)
    // The newest are there, the oldest are not, and no row is left open.
    expect(store.executed.has(ids.at(-1) as string)).toBe(true)
    expect(dropped.ends).toBe(0)
    expect([...store.executed.values()].filter(({ completeTime }) => !completeTime)).toEqual([])
  })

  test('is bounded in bytes as well', () => {
    store.down()
    const history = recorder(limits({ bytes: 50_000 }))
    const run = someRun()
    history.started(run)
    for (let index = 0; index < 200; index++) {
      const failed = someRun()
      history.started(failed)
      history.completed(failed, 'failure', 'x'.repeat(10_000), 1)
      expect(history.metrics.queued.bytes).toBeLessThanOrEqual(50_000)
    }
    expect(history.metrics.dropped.executions).toBeGreaterThan(190)
  })

  test('a run whose start was dropped is written with its end', async () => {
    store.down()
    const history = recorder(limits({ entries: 10 }))
    const run = someRun()
    history.started(run)
    for (let index = 0; index < 30; index++) shortRun(history)
    store.recover()
    history.completed(run, 'success', undefined, 5)
    await clock.advance(10_000)
    expect(store.executed.get(run.runId)).toMatchObject({ isSuccess: true })
    expect(store.executed.size).toBe(31 - history.metrics.dropped.executions)
  })

  test('that loses its answers receives nothing twice', async () => {
    const history = recorder()
    store.loseAnswers()
    shortRun(history)
    await clock.advance(3000)
    store.recover()
    await clock.advance(10_000)
    expect(store.attempts).toBeGreaterThan(2)
    expect(store.batches).toHaveLength(1)
    expect(store.statuses).toHaveLength(3)
    expect(history.metrics.written).toMatchObject({ executions: 1, statuses: 3 })
  })

  test('an invalid record does not block the others', async () => {
    const history = recorder()
    const run = someRun()
    history.started(run)
    history.logged(run, 'info', 'poison')
    history.logged(run, 'warn', 'fine')
    for (let index = 0; index < 7; index++) shortRun(history)
    await clock.advance(1000)
    expect(store.executed.size).toBe(8)
    expect(store.logs).toMatchObject([{ text: 'fine' }])
    expect(told.refused).toEqual(['undefined: there is poison in it'])
    expect(history.metrics).toMatchObject({ refused: 1, queued: { entries: 0, bytes: 0 } })
  })
})

describe('Recorder.close', () => {
  test('writes pending entries without waiting for more', async () => {
    const history = recorder()
    for (let index = 0; index < 35; index++) shortRun(history)
    await clock.until(history.close(1000))
    expect(store.executed.size).toBe(35)
    expect(clock.pending).toBe(0)
  })

  test('does not exceed its limit, and counts the rest as dropped', async () => {
    const history = recorder()
    store.hang()
    for (let index = 0; index < 35; index++) shortRun(history)
    await clock.until(history.close(2000), 2000)
    expect(history.metrics).toMatchObject({
      dropped: { executions: 35, statuses: 105 },
      queued: { entries: 0, bytes: 0 },
    })
    expect(told.dropped.at(-1)).toMatchObject({ executions: 35 })
    expect(clock.pending).toBe(0)
  })

  test('retries within its limit', async () => {
    const history = recorder()
    store.down()
    shortRun(history)
    const closed = history.close(2000)
    await clock.advance(1000)
    store.recover()
    await clock.until(closed)
    expect(store.executed.size).toBe(1)
  })
})
