import { expect, test } from 'vitest'

import { history, run, shardState } from './hand-made.ts'
import type { History } from './history.ts'
import { falseReports } from './reports.ts'

const text = JSON.stringify({ jobName: 'job', shardingItem: 0, first: 1000, fireTime: 3000 })
const told = [{ at: 9000, process: 'p0', name: 'fire:missed', text }]

function broken(changes: Partial<History>): string[] {
  return falseReports(history({ told, ...changes })).map((violation) => violation.text)
}

test('a fire time that is told to be missed and runs later is found', () => {
  const runs = [run({ fireTime: 3000, begin: 9500 })]
  expect(broken({ runs })).toEqual([
    'job/0 was told at 9000 to have missed 3000, which runs at 9500',
  ])
})

test('a fire time that is told to be missed and had run is found', () => {
  expect(broken({ runs: [run({ fireTime: 1000 })] })).toHaveLength(1)
})

test('other fire times, other shards and manual runs do not contradict a report', () => {
  expect(broken({ runs: [run({ fireTime: 4000 })] })).toEqual([])
  expect(broken({ runs: [run({ fireTime: 3000, shard: 1 })] })).toEqual([])
  expect(broken({ runs: [run({ fireTime: 3000, source: 'trigger' })] })).toEqual([])
  const runs = [run({ fireTime: 3000, source: 'failover', runId: 'taken over' })]
  const states = [shardState(1, 0, { run: 'taken over', source: 'trigger' })]
  expect(broken({ runs, states })).toEqual([])
})

test('what a registry has lost it does not know to have run', () => {
  const losses = [{ at: 5000, time: 5000, kind: 'restored' as const }]
  expect(broken({ runs: [run({ fireTime: 3000, begin: 3000 })], losses })).toEqual([])
  expect(broken({ runs: [run({ fireTime: 3000, begin: 9500 })], losses })).toHaveLength(1)
})
