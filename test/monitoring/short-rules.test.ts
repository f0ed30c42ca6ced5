import { expect, it } from 'vitest'
import { shortRules } from './short-rules.ts'

it('only the times of a rule are other ones', () => {
  const rules = [
    '- alert: Slow',
    '  expr: rate(x_bucket{le="10"}[10m]) > 5',
    '  for: 5m',
    "  summary: 'waits for: 5m'",
  ]
  expect(shortRules(rules.join('\n'), { range: '20s', hold: '1s' }).split('\n')).toEqual([
    '- alert: Slow',
    '  expr: rate(x_bucket{le="10"}[20s]) > 5',
    '  for: 1s',
    "  summary: 'waits for: 5m'",
  ])
})
