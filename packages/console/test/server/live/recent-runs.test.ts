import { expect, it } from 'vitest'

import type { RecentRun } from '../../../src/contract/jobs.ts'
import { RecentRuns } from '../../../src/server/live/recent-runs.ts'

function run(runId: string, begin: number, end?: number): RecentRun {
  return { runId, shard: 0, begin, end, outcome: end === undefined ? 'running' : 'success' }
}

it('keeps the last twenty in the order in which they began', () => {
  const runs = new RecentRuns()
  for (let begin = 30; begin > 0; begin--) runs.add('job', [run(`r${begin}`, begin, begin + 1)])
  expect(runs.of('job').map(({ begin }) => begin)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 11),
  )
})

it('takes no end back that it knows', () => {
  const runs = new RecentRuns()
  runs.add('job', [run('a', 1)])
  runs.add('job', [run('a', 1, 2)])
  runs.add('job', [run('a', 1)])
  expect(runs.of('job')).toEqual([run('a', 1, 2)])
})
