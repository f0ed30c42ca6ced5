import { beforeEach, describe, expect, test } from 'vitest'

import { type Fire, Fires } from '../../src/dev/fires.ts'
import type { RunReport } from '../../src/dev/messages.ts'

let shown: Fire[]
let fires: Fires

beforeEach(() => {
  shown = []
  fires = new Fires(
    (jobName) => (jobName === 'unknown' ? undefined : 2),
    (fire) => shown.push(fire),
  )
})

function run(shard: number, fireTime: number, more: Partial<RunReport> = {}): RunReport {
  return { jobName: 'sync-orders', shard, fireTime, source: 'cron', ...more }
}

describe('a fire is shown', () => {
  test('when all its shards have run, once', () => {
    fires.ran('w1', run(0, 1000))
    expect(shown).toEqual([])
    fires.ran('w2', run(1, 1000))
    expect(shown).toHaveLength(1)
    fires.ran('w1', run(1, 1000))
    expect(shown).toHaveLength(1)
  })

  test('when the next one of its job begins', () => {
    fires.ran('w1', run(0, 1000))
    fires.ran('w1', run(0, 1000, { jobName: 'another' }))
    expect(shown).toEqual([])
    fires.ran('w1', run(0, 2000))
    expect(shown.map(({ time }) => time)).toEqual([1000])
  })

  test('of a job whose shards nobody has counted yet, too', () => {
    fires.ran('w1', run(0, 1000, { jobName: 'unknown' }))
    fires.ran('w1', run(0, 2000, { jobName: 'unknown' }))
    expect(shown).toHaveLength(1)
    expect(fires.summary()).toMatchObject({ fires: 1, twice: [], missing: [] })
  })
})

describe('the summary', () => {
  test('has nothing to say of what is well, and of what the end has interrupted', () => {
    fires.ran('w1', run(0, 1000))
    fires.ran('w2', run(1, 1000))
    fires.ran('w2', run(1, 2000))
    expect(fires.summary()).toEqual({
      fires: 1,
      runs: new Map([
        ['w1', 1],
        ['w2', 2],
      ]),
      twice: [],
      missing: [],
    })
  })

  test('tells what ran twice, and what did not run', () => {
    for (const [shard, time] of [
      [0, 1000],
      [0, 1000],
      [1, 1000],
      [0, 2000],
      [0, 3000],
      [1, 3000],
    ] as const) {
      fires.ran('w1', run(shard, time))
    }
    expect(fires.summary()).toMatchObject({
      twice: ['sync-orders, 1970-01-01T00:00:01.000Z: shard 0 ran 2 times'],
      missing: ['sync-orders, 1970-01-01T00:00:02.000Z: shard 1 did not run'],
    })
  })

  test('a run that is late is not missing', () => {
    fires.ran('w1', run(0, 1000))
    fires.ran('w1', run(0, 2000))
    fires.ran('w1', run(1, 1000))
    fires.ran('w1', run(1, 2000))
    expect(fires.summary()).toMatchObject({ fires: 2, missing: [] })
  })

  test('a trigger may be for some shards', () => {
    fires.ran('w1', run(0, 1234, { source: 'trigger' }))
    fires.ran('w1', run(0, 2000))
    fires.ran('w1', run(1, 2000))
    expect(fires.summary()).toMatchObject({ fires: 2, missing: [] })
  })

  test('does not forget what was long ago', () => {
    for (let time = 1; time <= 30; time++) fires.ran('w1', run(0, time * 1000))
    const { fires: count, missing } = fires.summary()
    expect([count, missing.length]).toEqual([29, 29])
  })
})
