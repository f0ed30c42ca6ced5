import { describe, expect, it } from 'vitest'
import { type Account, accountOf, type AccountOptions } from './accounted.ts'
import type { Facts, Run } from './facts.ts'
import { event, facts, run } from './hand-written.ts'

/** One shard, every two seconds: 2000, 4000, 6000 and 8000. Machine time is the time since 1970. */
const options: AccountOptions = {
  spans: [{ job: 'job', shard: 0, from: 1000, to: 9000, period: 2000 }],
  triggered: new Map([['triggered', 2]]),
  losses: [],
  reportTime: 500,
  epochOf: (time) => time,
  calmFrom: 100_000,
  until: 9000,
}

const runs = (...times: readonly number[]): Run[] => times.map((time) => run(time))
const judged = (of: Facts, changes: Partial<AccountOptions> = {}): Account =>
  accountOf(of, { ...options, ...changes })
const rulesBroken = ({ violations }: Account): string[] => violations.map(({ rule }) => rule)

it('accepts fire times that ran, late or by another attempt', () => {
  const late = run(6000, { begin: 7500 })
  const taken = run(8000, { attempt: 2, begin: 20_000, source: 'failover' })
  const account = judged(facts([...runs(2000, 4000), late, taken]))
  expect(account).toMatchObject({ violations: [], counts: { ran: 4, silent: 0 } })
})

it('finds a fire time that neither ran nor was reported', () => {
  const account = judged(facts(runs(2000, 6000, 8000)))
  expect(account.violations).toEqual([
    { rule: 'silent', text: 'job/0 at 4000 neither ran nor was missed' },
  ])
  expect(account.counts).toMatchObject({ ran: 3, silent: 1 })
})

it('finds every fire time of a shard that never ran', () => {
  const spans = [...options.spans, { job: 'job', shard: 1, from: 1000, to: 9000, period: 2000 }]
  expect(judged(facts(runs(2000, 4000, 6000, 8000)), { spans }).counts).toMatchObject({ silent: 4 })
})

it('expects fire times of each span with its own period, and none between spans', () => {
  const spans = [
    { job: 'job', shard: 0, from: 1000, to: 4000, period: 2000 },
    { job: 'job', shard: 0, from: 6000, to: 9000, period: 3000 },
  ]
  const account = judged(facts(runs(2000, 4000, 9000)), { spans })
  expect(account).toMatchObject({ violations: [], counts: { ran: 3 } })
  expect(judged(facts(runs(2000, 9000)), { spans }).counts).toMatchObject({ silent: 1 })
})

it('expects no fire time after the end', () => {
  expect(rulesBroken(judged(facts(runs(2000, 4000, 6000)), { until: 7999 }))).toEqual([])
})

describe('a fire time that came while the shard ran', () => {
  const long = run(2000, { end: 7000, written: { begin: 2010, end: 7000 } })

  it('is merged into the misfire run that follows', () => {
    const misfire = run(6000, { begin: 7010, source: 'misfire' })
    const account = judged(facts([long, misfire, run(8000)]))
    expect(account).toMatchObject({ violations: [], counts: { ran: 3, merged: 1 } })
  })

  it('is silent when the next run is not a misfire run', () => {
    expect(rulesBroken(judged(facts([long, run(8000)])))).toEqual(['silent', 'silent'])
  })

  it('is silent when the misfire run is for an earlier fire time', () => {
    const misfire = run(4000, { begin: 7010, source: 'misfire' })
    expect(rulesBroken(judged(facts([long, misfire, run(8000)])))).toEqual(['silent'])
  })

  it('is not merged when it came before the run', () => {
    const late = run(4000, { begin: 6500, end: 7000 })
    const misfire = run(8000, { begin: 9000, source: 'misfire' })
    expect(rulesBroken(judged(facts([...runs(2000), late, misfire])))).toEqual(['silent'])
  })

  it('is merged when it came between the claim of a run and the begin of its code', () => {
    const delayed = run(4000, { claimedAt: 4100, begin: 6500, end: 7000 })
    const misfire = run(8000, { begin: 9000, source: 'misfire' })
    const account = judged(facts([...runs(2000), delayed, misfire]))
    expect(account).toMatchObject({ violations: [], counts: { ran: 3, merged: 1 } })
  })

  it('is skipped when that was reported', () => {
    const events = [event(8000, 'fire:skipped', { first: 4000, fireTime: 6000 })]
    const account = judged(facts([long, run(8000)], { events }))
    expect(account).toMatchObject({ violations: [], counts: { ran: 2, skipped: 2 } })
  })
})

describe('a fire time that was reported', () => {
  it('is accounted for, alone or in a row', () => {
    const events = [event(9000, 'fire:missed', { first: 4000, fireTime: 6000 })]
    const account = judged(facts(runs(2000, 8000), { events }))
    expect(account).toMatchObject({ violations: [], counts: { missed: 2 } })
  })

  it('is accounted for when its claim was abandoned, whether its code had begun or not', () => {
    const events = [event(9000, 'run:abandoned', { fireTime: 4000 })]
    expect(rulesBroken(judged(facts(runs(2000, 6000, 8000), { events })))).toEqual([])
    expect(rulesBroken(judged(facts(runs(2000, 4000, 6000, 8000), { events })))).toEqual([])
  })

  it('counts for its own shard only', () => {
    const events = [event(9000, 'fire:missed', { first: 4000, fireTime: 6000, shardingItem: 1 })]
    expect(rulesBroken(judged(facts(runs(2000, 8000), { events })))).toEqual(['silent', 'silent'])
  })

  it('is falsely reported when it ran, before or after the report', () => {
    const events = [event(5000, 'fire:missed', { first: 4000, fireTime: 6000 })]
    const account = judged(facts(runs(2000, 4000, 8000), { events }))
    expect(rulesBroken(account)).toEqual(['false report'])
    const skipped = [event(5000, 'fire:skipped', { first: 4000, fireTime: 6000 })]
    expect(rulesBroken(judged(facts(runs(2000, 4000, 8000), { events: skipped })))).toEqual([
      'false report',
    ])
  })
})

it('wants every fire time to run when nothing is disturbed any more', () => {
  const events = [event(9000, 'fire:missed', { first: 6000, fireTime: 6000 })]
  const of = facts(runs(2000, 4000, 8000), { events })
  expect(rulesBroken(judged(of, { calmFrom: 5000 }))).toEqual(['not run'])
  expect(rulesBroken(judged(of, { calmFrom: 7000 }))).toEqual([])
})

describe('when the registry has lost its data', () => {
  const losses = [{ since: 3000, at: 4400, until: 6500 }]

  it('expects nothing from shortly before the loss until everything runs again', () => {
    expect(rulesBroken(judged(facts(runs(2000, 8000)), { losses }))).toEqual([])
    expect(rulesBroken(judged(facts(runs(2000)), { losses }))).toEqual(['silent'])
  })

  it('accepts reports of what the registry has forgotten', () => {
    const events = [event(9000, 'fire:missed', { first: 4000, fireTime: 4000 })]
    const of = facts(runs(2000, 4000, 6000, 8000), { events })
    expect(rulesBroken(judged(of, { losses }))).toEqual([])
    expect(rulesBroken(judged(of))).toEqual(['false report'])
  })

  it('accepts reports of a fire time before the backup that was claimed after it', () => {
    const events = [event(9000, 'fire:missed', { first: 2000, fireTime: 2000 })]
    const of = (claimedAt: number) =>
      facts([run(2000, { claimedAt }), ...runs(4000, 6000, 8000)], { events })
    expect(rulesBroken(judged(of(3100), { losses }))).toEqual([])
    expect(rulesBroken(judged(of(2100), { losses }))).toEqual(['false report'])
  })
})

describe('a manual run that was accepted', () => {
  const asked = [{ job: 'triggered', fireTime: 3456 }]
  const spans: AccountOptions['spans'] = []
  const of = (shard: number, fireTime = 3456): Run => run(fireTime, { job: 'triggered', shard })

  it('runs every shard', () => {
    expect(rulesBroken(judged(facts([of(0), of(1)], { asked }), { spans }))).toEqual([])
  })

  it('is lost for a shard that did not run in it', () => {
    const { violations } = judged(facts([of(0), of(1, 3457)], { asked }), { spans })
    expect(violations).toEqual([
      { rule: 'round', text: 'triggered/1 did not run in the manual run of 3456' },
    ])
  })
})
