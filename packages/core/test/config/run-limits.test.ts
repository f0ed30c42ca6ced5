import { describe, expect, it } from 'vitest'

import { pauseBefore, runLimitsOf, runLimitsProblemsOf } from '../../src/config/run-limits.ts'

describe('runLimitsOf', () => {
  it('has no limit and no retry by default, and three attempts by failover', () => {
    expect(runLimitsOf({})).toMatchObject({ timeout: 0, retries: 0, attempts: 3, grace: 5000 })
  })

  it('reads what the props say', () => {
    const props = {
      'timeout.milliseconds': '1',
      'retry.times': '2',
      'retry.backoff.milliseconds': '3',
      'retry.max.backoff.milliseconds': '4',
      'failover.max.attempts': '5',
      'fire.grace.milliseconds': '6',
    }
    expect(runLimitsProblemsOf(props)).toEqual([])
    expect(runLimitsOf(props)).toMatchObject({
      timeout: 1,
      retries: 2,
      backoff: 3,
      maximumBackoff: 4,
      attempts: 5,
      grace: 6,
    })
  })
})

describe('runLimitsProblemsOf', () => {
  it('names what is no number, and what is no policy', () => {
    const problems = runLimitsProblemsOf({ 'retry.times': '-1', 'catch.up': 'twice' })
    expect(problems).toEqual([
      { key: 'retry.times', message: 'must be a whole number from 0 to 1000, not "-1"' },
      { key: 'catch.up', message: 'must be one of skip, once, all, not "twice"' },
    ])
    expect(problems.map(({ messageParts }) => messageParts?.text)).toEqual(
      problems.map(({ message }) => message),
    )
  })
})

describe('pauseBefore', () => {
  const limits = { ...runLimitsOf({}), backoff: 1000, maximumBackoff: 5000 }

  it('doubles, up to its limit', () => {
    expect([1, 2, 3, 4, 50].map((retry) => pauseBefore(retry, limits, 1))).toEqual([
      1000, 2000, 4000, 5000, 5000,
    ])
  })

  it('is half of it at least', () => {
    expect(pauseBefore(2, limits, 0)).toBe(1000)
    expect(pauseBefore(2, limits, 0.5)).toBe(1500)
  })
})
