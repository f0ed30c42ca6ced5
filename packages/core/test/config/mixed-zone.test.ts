import { expect, it } from 'vitest'

import { mixedZoneProblems } from '../../src/config/mixed-zone.ts'

it.each(['GMT', 'GMT+8', 'GMT-03:30', undefined])('Java takes %s', (zone) => {
  expect(mixedZoneProblems(zone)).toEqual([])
})

it.each(['UTC', 'Europe/Berlin', '+08:00'])(
  'Java does not take %s, and is told what it takes',
  (zone) => {
    const problems = mixedZoneProblems(zone)
    expect(problems[0]?.messageParts?.text).toBe(problems[0]?.message)
    expect(problems).toMatchObject([
      {
        key: 'timeZone',
        message: expect.stringMatching(`"${zone.replace('+', '\\+')}".*GMT`) as string,
      },
    ])
  },
)
