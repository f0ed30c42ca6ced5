import { describe, expect, it } from 'vitest'
import { type Account, accountOf, type AccountOptions } from './accounted.ts'
import type { Facts, Run } from './facts.ts'
import { event, facts, run } from './hand-written.ts'

/** One item, every two seconds: 2000, 4000, 6000 and 8000. */
const options: AccountOptions = {
  jobs: [{ job: 'job', since: [1000], period: 2000 }],
  calmFrom: 100_000,
  until: 9000,
}

const runs = (...times: readonly number[]): Run[] => times.map((time) => run(time))
const judged = (of: Facts, changes: Partial<AccountOptions> = {}): Account =>
  accountOf(of, { ...options, ...changes })
const rulesBroken = ({ violations }: Account): string[] => violations.map(({ rule }) => rule)

it('finds nothing when every time ran, late or by another attempt', () => {
  const late = run(6000, { begin: 7500 })
  const taken = run(8000, { attempt: 2, begin: 20_000, source: 'failover' })
  const account = judged(facts([...runs(2000, 4000), late, taken]))
  expect(account).toMatchObject({ violations: [], counts: { ran: 4, gone: 0 } })
})

it('finds a time that nobody says anything about', () => {
  const account = judged(facts(runs(2000, 6000, 8000)))
  expect(account.violations).toEqual([
    { rule: 'gone', text: 'job/0 at 4000 neither ran nor was missed' },
  ])
  expect(account.counts).toMatchObject({ ran: 3, gone: 1 })
})

it('finds all of an item that never ran', () => {
  const jobs = [{ job: 'job', since: [1000, 1000], period: 2000 }]
  expect(judged(facts(runs(2000, 4000, 6000, 8000)), { jobs }).counts).toMatchObject({ gone: 4 })
})

it('asks for nothing before the item was there, nor after the end', () => {
  const jobs = [{ job: 'job', since: [4000], period: 2000 }]
  expect(rulesBroken(judged(facts(runs(6000)), { jobs, until: 7999 }))).toEqual([])
})

describe('a time that came while the item ran', () => {
  const others = runs(2000, 8000)

  it('is a misfire, from the claim to the end that was written', () => {
    const long = run(2000, { written: { begin: 2010, end: 6000 } })
    const account = judged(facts([long, run(8000)]))
    expect(account).toMatchObject({ violations: [], counts: { ran: 2, misfired: 2 } })
  })

  it('is none if the run was cut short', () => {
    const cut = run(2000, { end: 7000, written: { begin: 2010, end: undefined } })
    expect(rulesBroken(judged(facts([cut, run(8000)])))).toEqual(['gone', 'gone'])
  })

  it('is none before and after', () => {
    const short = run(2000, { written: { begin: 4001, end: 5999 } })
    expect(rulesBroken(judged(facts([short, ...others.slice(1)])))).toEqual(['gone', 'gone'])
  })
})

describe('a time that was told to be missed', () => {
  it('is accounted for, alone or in a row', () => {
    const events = [event(9000, 'fire:missed', { first: 4000, fireTime: 6000 })]
    const account = judged(facts(runs(2000, 8000), { events }))
    expect(account).toMatchObject({ violations: [], counts: { missed: 2 } })
  })

  it('also if the claim of it ended with its instance', () => {
    const events = [event(9000, 'run:abandoned', { fireTime: 4000 })]
    expect(rulesBroken(judged(facts(runs(2000, 6000, 8000), { events })))).toEqual([])
  })

  it('is told of its own item', () => {
    const events = [event(9000, 'fire:missed', { first: 4000, fireTime: 6000, shardingItem: 1 })]
    expect(rulesBroken(judged(facts(runs(2000, 8000), { events })))).toEqual(['gone', 'gone'])
  })
})

describe('times before a claim whose process could tell nobody', () => {
  it('go untold, where a later attempt shows that claim', () => {
    const taken = run(6000, { attempt: 2, begin: 12_000 })
    const account = judged(facts([...runs(2000, 8000), taken]))
    expect(account).toMatchObject({ violations: [], counts: { 'claimed and cut off': 1 } })
  })

  it('go untold, where it was found to have crashed', () => {
    const events = [event(12_000, 'run:abandoned', { fireTime: 6000 })]
    const account = judged(facts(runs(2000, 8000), { events }))
    expect(account).toMatchObject({ violations: [], counts: { 'claimed and cut off': 1 } })
  })

  it('are to be told by a process that has begun its run', () => {
    const events = [event(12_000, 'run:crashed', { fireTime: 6000 })]
    const begun = [...runs(2000, 6000, 8000), run(6000, { attempt: 2, begin: 12_000 })]
    expect(rulesBroken(judged(facts(begun, { events })))).toEqual(['gone'])
  })
})

it('wants every time to run when nothing is disturbed any more', () => {
  const events = [event(9000, 'fire:missed', { first: 6000, fireTime: 6000 })]
  const of = facts(runs(2000, 4000, 8000), { events })
  expect(rulesBroken(judged(of, { calmFrom: 5000 }))).toEqual(['silent'])
  expect(rulesBroken(judged(of, { calmFrom: 7000 }))).toEqual([])
})

describe('a round that was accepted', () => {
  const jobs = [{ job: 'job', since: [1000, 1000], period: undefined }]
  const asked = [{ job: 'job', fireTime: 3456 }]

  it('runs every item', () => {
    const both = [run(3456), run(3456, { item: 1 })]
    expect(rulesBroken(judged(facts(both, { asked }), { jobs }))).toEqual([])
  })

  it('is lost for one that did not run in it', () => {
    const { violations } = judged(facts([run(3456), run(3457, { item: 1 })], { asked }), { jobs })
    expect(violations).toEqual([{ rule: 'round', text: 'job/1 did not run in the round of 3456' }])
  })
})
