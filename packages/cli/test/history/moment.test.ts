import { expect, test } from 'vitest'

import { momentOf } from '../../src/history/moment.ts'

const now = Date.parse('2026-11-15T12:00:00Z')

test.for([
  ['30s', now - 30_000],
  ['10min', now - 600_000],
  ['2h', now - 7_200_000],
  ['7d', now - 604_800_000],
  ['2026-11-15T08:00:00Z', Date.parse('2026-11-15T08:00:00Z')],
] as const)('%s', ([text, time]) => {
  expect(momentOf(text)(now)).toBe(time)
})

test.for(['yesterday', '', '-2h', '2w'])('"%s" is no time', (text) => {
  expect(() => momentOf(text)).toThrow(/Write it as/)
})
