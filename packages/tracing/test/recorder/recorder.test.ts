import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { beforeEach, describe, expect, test } from 'vitest'

import type { DroppedRows } from '../../src/recorder/figures.ts'
import { Recorder, type RecorderLimits } from '../../src/recorder/recorder.ts'
import { LazyStore } from '../../src/store/lazy-store.ts'
import { MemoryStore } from '../support/memory-store.ts'
import { someCrash, someRun } from '../support/runs.ts'

const limits = (queue: Partial<RecorderLimits['queue']> = {}): RecorderLimits => ({
  intake: { calm: 100, patience: 1000, notes: 1000, characters: 100_000 },
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

/** A run that begins and ends at once. */
function shortRun(to: Recorder, run = someRun()): string {
  to.started(run)
  to.completed(run, 'success', undefined, 1)
  return run.runId
}

describe('what runs do', () => {
  test('is written in the sequence that Java writes', async () => {
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

  test('of a short run is one row that is written once', async () => {
    const history = recorder()
    shortRun(history)
    await clock.advance(1000)
    expect(store.batches).toHaveLength(1)
    expect(store.batches[0]?.executions).toHaveLength(1)
    expect(store.batches[0]?.statuses).toHaveLength(3)
  })

  test('counts how often its code was begun again', async () => {
    const history = recorder()
    const run = someRun()
    history.started(run)
    history.retried(run)
    history.retried(run)
    history.completed(run, 'success', undefined, 1)
    await clock.advance(1000)
    expect(store.runs.get(run.runId)).toMatchObject({ retries: 2, outcome: 'success' })
  })

  test('that was never begun is written by its end alone', async () => {
    const history = recorder()
    const run = someRun()
    history.completed(run, 'not-started', undefined, 0)
    await clock.advance(1000)
    expect(store.runs.get(run.runId)).toMatchObject({ outcome: 'not-started' })
    expect(store.statuses).toMatchObject([{ state: 'TASK_ERROR' }])
  })

  test('is written in batches, a full one without waiting for more', async () => {
    const history = recorder()
    for (let index = 0; index < 25; index++) shortRun(history)
    await clock.advance(200)
    expect(store.batches.map(({ executions }) => executions.length)).toEqual([10, 10])
    await clock.advance(1000)
    expect(store.batches.map(({ executions }) => executions.length)).toEqual([10, 10, 5])
    expect(history.figures).toMatchObject({
      written: { executions: 25, statuses: 75 },
      queued: { entries: 0, bytes: 0 },
      batches: 3,
    })
  })

  test('is written when no more of them begin, and not in their midst', async () => {
    const history = recorder()
    for (let begun = 0; begun < 9; begun++) {
      for (let index = 0; index < 25; index++) shortRun(history)
      await clock.advance(50)
      expect(store.batches).toEqual([])
    }
    await clock.advance(200)
    expect(store.executed.size).toBe(220)
  })

  test('is written after a second also if runs never cease to begin', async () => {
    const history = recorder()
    for (let begun = 0; begun < 21; begun++) {
      for (let index = 0; index < 25; index++) shortRun(history)
      await clock.advance(50)
    }
    expect(store.executed.size).toBeGreaterThan(400)
  })

  test('that was due while others begin is written right after them', async () => {
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

  test('of a job that no table can take is refused, once aloud', async () => {
    const history = recorder()
    const jobName = 'j'.repeat(101)
    shortRun(history, someRun({ jobName }))
    shortRun(history, someRun({ jobName }))
    const kept = shortRun(history)
    await clock.advance(1000)
    expect([...store.executed.keys()]).toEqual([kept])
    expect(told.refused).toEqual([`${jobName}: jobName has 101 characters, more than 100`])
    // The beginning and the end of each.
    expect(history.figures.refused).toBe(4)
  })
})

describe('a run that a dead instance has left', () => {
  test('is closed by whoever finds it, with a last status, and again by whoever takes it over', async () => {
    const history = recorder()
    history.crashed(someCrash())
    const takenOver = { runId: 'gone', instance: '10.0.1.9@-@3-xyz', claimedAt: clock.now() }
    history.started(someRun({ source: 'failover', attempt: 2, takenOver }))
    await clock.advance(1000)
    expect(store.lost.map(({ runId }) => runId)).toEqual(['gone', 'gone'])
    expect(store.statuses.filter(({ state }) => state === 'TASK_LOST')).toHaveLength(1)
  })
})

describe('what a run writes', () => {
  test('is kept in numbered pieces, while it runs', async () => {
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

  test('is cut where it is too long, a line and in all, and says so', async () => {
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

  test('after its end is not kept', async () => {
    const history = recorder()
    const run = someRun()
    history.started(run)
    history.completed(run, 'success', undefined, 1)
    history.logged(run, 'info', 'late')
    await clock.advance(1000)
    expect(store.logs).toEqual([])
  })
})

describe('a database that is down', () => {
  test('is tried again after ever longer pauses, and gets everything when it is back', async () => {
    store.down()
    const history = recorder()
    const ids = Array.from({ length: 30 }, () => shortRun(history))
    await clock.advance(60_000)
    const attempts = store.attempts
    expect(attempts).toBeGreaterThan(5)
    expect(attempts).toBeLessThan(20)
    expect(history.figures.failures).toEqual({ inARow: attempts, total: attempts })
    expect(history.figures.lastError).toMatchObject({ code: 'HISTORY_UNREACHABLE' })
    store.recover()
    await clock.advance(6_000)
    expect([...store.executed.keys()].toSorted()).toEqual(ids.toSorted())
    expect(told.recovered).toEqual([attempts])
    expect(history.figures.failures).toEqual({ inARow: 0, total: attempts })
  })

  test('keeps no more than the bound, and what is dropped is right to the row', async () => {
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
      expect(history.figures.queued.entries).toBeLessThanOrEqual(100)
    }
    for (const run of long) history.completed(run, 'success', undefined, 60_000)
    await clock.advance(10_000)
    store.recover()
    await clock.advance(20_000)
    const { dropped, written, queued } = history.figures
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

  test('is bounded in bytes, too', () => {
    store.down()
    const history = recorder(limits({ bytes: 50_000 }))
    const run = someRun()
    history.started(run)
    for (let index = 0; index < 200; index++) {
      const failed = someRun()
      history.started(failed)
      history.completed(failed, 'failure', 'x'.repeat(10_000), 1)
      expect(history.figures.queued.bytes).toBeLessThanOrEqual(50_000)
    }
    expect(history.figures.dropped.executions).toBeGreaterThan(190)
  })

  test('a run whose beginning was dropped is there when its end is', async () => {
    store.down()
    const history = recorder(limits({ entries: 10 }))
    const run = someRun()
    history.started(run)
    for (let index = 0; index < 30; index++) shortRun(history)
    store.recover()
    history.completed(run, 'success', undefined, 5)
    await clock.advance(10_000)
    expect(store.executed.get(run.runId)).toMatchObject({ isSuccess: true })
    expect(store.executed.size).toBe(31 - history.figures.dropped.executions)
  })

  test('that loses its answers gets nothing twice', async () => {
    const history = recorder()
    store.loseAnswers()
    shortRun(history)
    await clock.advance(3000)
    store.recover()
    await clock.advance(10_000)
    expect(store.attempts).toBeGreaterThan(2)
    expect(store.batches).toHaveLength(1)
    expect(store.statuses).toHaveLength(3)
    expect(history.figures.written).toMatchObject({ executions: 1, statuses: 3 })
  })

  test('one record that it cannot take does not hold up the others', async () => {
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
    expect(history.figures).toMatchObject({ refused: 1, queued: { entries: 0, bytes: 0 } })
  })
})

describe('the end', () => {
  test('writes what waits, without waiting for more', async () => {
    const history = recorder()
    for (let index = 0; index < 35; index++) shortRun(history)
    await clock.until(history.close(1000))
    expect(store.executed.size).toBe(35)
    expect(clock.pending).toBe(0)
  })

  test('does not wait longer than it may, and counts what is left', async () => {
    const history = recorder()
    store.hang()
    for (let index = 0; index < 35; index++) shortRun(history)
    await clock.until(history.close(2000), 2000)
    expect(history.figures).toMatchObject({
      dropped: { executions: 35, statuses: 105 },
      queued: { entries: 0, bytes: 0 },
    })
    expect(told.dropped.at(-1)).toMatchObject({ executions: 35 })
    expect(clock.pending).toBe(0)
  })

  test('tries again while there is time', async () => {
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
