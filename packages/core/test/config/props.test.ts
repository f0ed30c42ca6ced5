import { expect, test } from 'vitest'

import { integerOf, type IntegerProp, problemsOfInteger } from '../../src/config/props.ts'

const prop: IntegerProp = { key: 'count', least: 1, byDefault: 7 }

test.for([
  [{}, 7],
  [{ count: '' }, 7],
  [{ count: '12' }, 12],
  [{ count: ' 12 ' }, 12],
] as const)('%j is understood', ([props, value]) => {
  expect(problemsOfInteger(props, prop)).toEqual([])
  expect(integerOf(props, prop)).toBe(value)
})

test.for(['0', '-1', '1.5', '1e3', '0x10', 'many', '2147483648'])('%j is a problem', (count) => {
  const message = `must be a whole number from 1 to 2147483647, not "${count}"`
  const problems = problemsOfInteger({ count }, prop)
  expect(problems).toEqual([{ key: 'count', message }])
  expect(problems[0]?.messageParts?.text).toBe(message)
})
