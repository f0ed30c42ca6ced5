import { describe, expect, it } from 'vitest'

import { parseCron } from '../../src/cron/cron.ts'
import { CronError } from '../../src/cron/cron-error.ts'
import { type QuartzAnswer, quartzAnswers } from './golden.ts'

/** What we answer to a question to Quartz, in its words. */
function answerTo({
  cron,
  tz,
  after,
  fires = [],
  ends = false,
}: QuartzAnswer): Partial<QuartzAnswer> {
  const ours = parseCron(cron, { timeZone: tz, strict: true })
  const count = fires.length + (ends ? 1 : 0)
  const times = ours.preview(new Date(after), count).map((time) => time.getTime())
  return { fires: times, ...(times.length < count ? { ends: true } : {}) }
}

function differences(all: readonly QuartzAnswer[]): unknown[] {
  return all.flatMap((golden) => {
    const { fires, ends } = golden
    const [theirs, ours] = [{ fires, ...(ends === true ? { ends } : {}) }, answerTo(golden)]
    return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ golden, ours }]
  })
}

describe('strict, beside Quartz', () => {
  it('fires at the same times for 3,000 random expressions', () => {
    const all = quartzAnswers('quartz-cron-fires')
    expect(all).toHaveLength(3000)
    expect(differences(all)).toEqual([])
  })

  it('fires at the same times around changes of the clock', () => {
    const all = quartzAnswers('quartz-cron-dst')
    expect(all.length).toBeGreaterThan(600)
    expect(differences(all)).toEqual([])
  })

  it('reads odd expressions in the same way', () => {
    const all = quartzAnswers('quartz-cron-odd').filter(({ fires }) => fires !== undefined)
    expect(all.length).toBeGreaterThan(100)
    expect(differences(all)).toEqual([])
  })

  it('takes and refuses the same expressions', () => {
    const wrong = [...quartzAnswers('quartz-cron-valid'), ...quartzAnswers('quartz-cron-odd')]
      .map(({ cron, valid, fires }) => ({ cron, isTaken: valid ?? fires !== undefined }))
      .filter(({ cron, isTaken }) => takes(cron) !== isTaken)
    expect(wrong).toEqual([])
  })
})

function takes(cron: string): boolean {
  try {
    parseCron(cron, { timeZone: 'UTC', strict: true })
    return true
  } catch (error) {
    if (error instanceof CronError) return false
    throw error
  }
}

describe('an expression that never fires', () => {
  it.each(['0 0 0 30 2 ?', '0 0 0 31 4,6 ?', '0 0 0 L-30 2 ?', '0 0 0 ? * 9#1', '0 0 0 31W 2 ?'])(
    '%s is found out',
    (cron) => {
      expect(parseCron(cron, { timeZone: 'Europe/Berlin' }).next(new Date(0))).toBeNull()
    },
  )

  it.each(['0 0 0 29 2 ? 2027/4', '0 0 0 ? 2 1#5 2027', '0 0 0 1 1 ? 2500', '* * * * * ? 5'])(
    '%s ends with its years',
    (cron) => {
      expect(parseCron(cron, { timeZone: 'Europe/Berlin' }).next(new Date(0))).toBeNull()
    },
  )

  it.each(['0 0 0 L-30W 4 ?', '0 0 0 L-28W 2 ?', '0 0 0 L-29W * ?'])(
    '%s, for which Quartz searches for ever, has an answer',
    (cron) => {
      const next = parseCron(cron, { timeZone: 'UTC', strict: true }).nextAfter(0)
      expect(next ?? Infinity).toBeGreaterThan(0)
    },
  )
})
