import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseCron } from '../../src/cron/cron.ts'
import { quartzAnswers } from './golden.ts'

describe('describe()', () => {
  it.each([
    ['* * * * * ?', 'every second'],
    ['0/10 * * * * ?', 'every 10 seconds'],
    ['0,10,20,30,40,50 * * * * ?', 'every 10 seconds'],
    ['3/10 * * * * ?', 'every 10 seconds from second 3 of every minute'],
    ['0/7 * * * * ?', 'every 7 seconds from second 0 to 56 of every minute'],
    ['5 * * * * ?', 'at second 5 of every minute'],
    ['1,5 * * * * ?', 'at seconds 1 and 5 of every minute'],
    ['10-20 * * * * ?', 'every second from 10 to 20 of every minute'],
    ['0 * * * * ?', 'every minute'],
    ['0 0/5 * * * ?', 'every 5 minutes'],
    ['15 0/5 * * * ?', 'every 5 minutes, at second 15'],
    ['0 3/5 * * * ?', 'every 5 minutes from minute 3 of every hour'],
    ['0 5-10 * * * ?', 'every minute from 5 to 10 of every hour'],
    ['0 15 * * * ?', 'at minute 15 of every hour'],
    ['30 15 * * * ?', 'at minute 15 and second 30 of every hour'],
    ['0 0,10 * * * ?', 'at minutes 0 and 10 of every hour'],
    ['0/10 15 * * * ?', 'every 10 seconds during minute 15 of every hour'],
    ['0/10 0/5 * * * ?', 'every 10 seconds during every 5th minute of every hour'],
    ['0/10 3,5 * * * ?', 'every 10 seconds during minutes 3 and 5 of every hour'],
    ['0/10 3-5 * * * ?', 'every 10 seconds during minutes 3 to 5 of every hour'],
    ['0/10 3/20 * * * ?', 'every 10 seconds during minutes 3, 23 and 43 of every hour'],
    ['0 0 * * * ?', 'every hour'],
    ['0 0 0/6 * * ?', 'every 6 hours'],
    ['0 15 2/6 * * ?', 'every 6 hours from 02:15:00'],
    ['0 0 0/5 * * ?', 'every 5 hours from 00:00:00 to 20:00:00'],
    ['0 0 22-2 * * ?', 'every hour from 22:00:00 to 02:00:00'],
    ['0 0/5 14 * * ?', 'every 5 minutes from 14:00 to 14:59'],
    ['0 0/5 14,18 * * ?', 'every 5 minutes from 14:00 to 14:59 and from 18:00 to 18:59'],
    ['0 0/5 1,2,5,9 * * ?', 'every 5 minutes in the hours 1, 2, 5 and 9'],
    ['0 0/5 0/2 * * ?', 'every 5 minutes in every 2nd hour'],
    ['0 0/5 1/3 * * ?', 'every 5 minutes in the hours 1, 4, 7, 10, 13, 16, 19 and 22'],
    ['* 0 12 * * ?', 'every second from 12:00:00 to 12:00:59'],
    ['0 5-20 12 * * ?', 'every minute from 12:05:00 to 12:20:00'],
    ['0 0,30 9 * * ?', 'at 09:00:00 and 09:30:00 every day'],
    ['0 15 10 * * ?', 'at 10:15:00 every day'],
    ['0 15 10 L * ?', 'at 10:15:00 on the last day of the month'],
    ['0 15 10 L-3 * ?', 'at 10:15:00 on the 4th to last day of the month'],
    ['0 15 10 LW * ?', 'at 10:15:00 on the last weekday of the month'],
    ['0 15 10 L-2W * ?', 'at 10:15:00 on the weekday nearest to the 3rd to last day of the month'],
    ['0 15 10 15W * ?', 'at 10:15:00 on the weekday nearest to the 15th of the month'],
    ['0 15 10 ? * 6L', 'at 10:15:00 on the last Friday of the month'],
    ['0 15 10 ? * 6#3', 'at 10:15:00 on the third Friday of the month'],
    ['0 0 8,12,18 ? * MON,FRI', 'at 08:00:00, 12:00:00 and 18:00:00 on Monday and Friday'],
    ['0 0/5 8-17 ? * MON-FRI', 'every 5 minutes from 08:00 to 17:59, from Monday to Friday'],
    ['0 0 12 1,15 * ?', 'at 12:00:00 on the 1st and 15th of the month'],
    ['0 0 12 1/5 * ?', 'at 12:00:00 every 5 days from the 1st to the 31st of the month'],
    ['0 0 12 22-23,21 * ?', 'at 12:00:00 from the 21st to the 23rd of the month'],
    ['0 0 0 ? NOV-FEB FRI-MON', 'at 00:00:00 from Friday to Monday, from November to February'],
    ['0 0 12 1 1/3 ?', 'at 12:00:00 on the 1st of January, April, July and October'],
    ['0 0 12 L 2 ? 2028', 'at 12:00:00 on the last day of February in 2028'],
    ['0 0 12 1 * ? 2027,2029', 'at 12:00:00 on the 1st of the month in 2027 and 2029'],
    ['0 0 12 ? * 4 2027-2030', 'at 12:00:00 on Wednesday from 2027 to 2030'],
    ['0 0 12 ? * 4 2027/2', 'at 12:00:00 on Wednesday every 2 years from 2027 on'],
    ['0 0 12 ? * 4 2027,2030-2032', 'at 12:00:00 on Wednesday in 2027 and from 2030 to 2032'],
    ['0 0 12 30 2 ?', 'never'],
  ])('%s: %s', (expression, words) => {
    expect(parseCron(expression, { timeZone: 'UTC' }).describe()).toBe(words)
  })

  it('has words for whatever can be parsed', () => {
    const expressions = quartzAnswers('quartz-cron-fires').map(({ cron }) => cron)
    fc.assert(
      fc.property(fc.constantFrom(...expressions), (expression) => {
        const words = parseCron(expression, { timeZone: 'UTC' }).describe()
        expect(words).toMatch(/^(at|every|never)\b/)
        expect(words).not.toMatch(/undefined|NaN| {2}|^ | $/)
      }),
    )
  })
})
