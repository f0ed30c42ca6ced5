import { expect, test } from 'vitest'

import { coverageKey, sumOfCoverage, tableOf } from './coverage.ts'

const crash = coverageKey('crash', { shard: 'running', leader: 'none' })

test('what many simulations have covered is one table', () => {
  const both = sumOfCoverage({ [crash]: 2 }, { [crash]: 1, 'cut idle/settled': 5 })
  expect(both).toEqual({ [crash]: 3, 'cut idle/settled': 5 })
  const lines = tableOf(both).split('\n')
  expect(lines[0]).toBe('coverage: 2 of 40 combinations of fault, shard state and leader phase')
  expect(lines.find((line) => line.startsWith('crash'))).toMatch(/^crash(\s+0){8}\s+3(\s+0){11}$/)
})
