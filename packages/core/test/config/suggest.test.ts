import { expect, it } from 'vitest'

import { suggest } from '../../src/config/suggest.ts'

const known = ['cron', 'jobName', 'shardingTotalCount', 'misfire']

it.each([
  ['corn', 'cron'],
  ['jobname', 'jobName'],
  ['shardingCount', 'shardingTotalCount'],
  ['misFired', 'misfire'],
])('for %s it suggests %s', (name, wanted) => {
  expect(suggest(name, known)).toBe(` (did you mean "${wanted}"?)`)
})

it('suggests nothing when nothing comes close', () => {
  expect(suggest('elephant', known)).toBe('')
})
