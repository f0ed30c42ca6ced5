import { describe, expect, it } from 'vitest'
import { inLanes, ticks } from '../../ui/src/components/lanes.ts'
import { visibleRows } from '../../ui/src/components/visible-rows.ts'
import { appendLog, applyChanges } from '../../ui/src/live/apply.ts'
import { backoff } from '../../ui/src/live/backoff.ts'
import { changesOf, planOf } from '../../ui/src/pages/job/draft.ts'
import { chosenJobs, countByState } from '../../ui/src/pages/jobs-order.ts'
import { configuration, jobEntry } from './support/examples.ts'

describe('the rows of a long list', () => {
  it('are all drawn while there are few', () => {
    expect(visibleRows(20, 44, { top: -9999, height: 800 })).toEqual({ first: 0, last: 20 })
  })

  it('are only those in view, and some around them, of thousands', () => {
    const { first, last } = visibleRows(10_000, 44, { top: -44_000, height: 880 })
    expect(first).toBeLessThan(1000)
    expect(last).toBeGreaterThan(1020)
    expect(last - first).toBeLessThan(60)
  })

  it('end with the list, however far it was scrolled before it became shorter', () => {
    const { first, last } = visibleRows(100, 44, { top: -1_000_000, height: 880 })
    expect(last).toBe(100)
    expect(first).toBeLessThan(100)
  })
})

describe('what the stream tells', () => {
  const keyOf = ({ id }: { id: string }): string => id

  it('changes what is known', () => {
    const known = new Map([['a', { id: 'a', n: 1 }]])
    const changed = [
      { id: 'a', n: 2 },
      { id: 'b', n: 1 },
    ]
    const next = applyChanges(known, { reset: false, changed, removed: [] }, keyOf)
    expect([...next.values()]).toEqual(changed)
    expect(known.size).toBe(1)
  })

  it('removes, and forgets everything with a reset', () => {
    const known = new Map([['a', { id: 'a' }]])
    expect(applyChanges(known, { reset: false, changed: [], removed: ['a'] }, keyOf).size).toBe(0)
    const reset = { reset: true, changed: [{ id: 'b' }], removed: [] }
    expect([...applyChanges(known, reset, keyOf).keys()]).toEqual(['b'])
  })

  it('adds pieces of a log once, though they come twice', () => {
    const known = [{ sequence: 0 }, { sequence: 1 }]
    expect(appendLog(known, [{ sequence: 1 }, { sequence: 2 }])).toEqual([
      { sequence: 0 },
      { sequence: 1 },
      { sequence: 2 },
    ])
    expect(appendLog(known, [{ sequence: 0 }])).toBe(known)
  })

  it('is asked for again after longer and longer waits, up to a limit', () => {
    const waits = [0, 1, 2, 20].map((attempt) => backoff(attempt, () => 1))
    expect(waits).toEqual([500, 1000, 2000, 10_000])
    expect(backoff(0, () => 0)).toBe(250)
  })
})

describe('runs in lanes', () => {
  it('get a row of their own where they overlap', () => {
    const spans = [
      { id: '1', lane: 'a', from: 0, to: 10 },
      { id: '2', lane: 'a', from: 5, to: 8 },
      { id: '3', lane: 'a', from: 10, to: 12 },
      { id: '4', lane: 'b', from: 0, to: 1 },
    ]
    const [a, b] = inLanes(spans)
    expect(a?.rows).toBe(2)
    expect(a?.spans.map(({ span, row }) => [span.id, row])).toEqual([
      ['1', 0],
      ['2', 1],
      ['3', 0],
    ])
    expect(b?.rows).toBe(1)
  })

  it('have manual run moments below them', () => {
    expect(ticks(1500, 62_000, 7)).toEqual([10_000, 20_000, 30_000, 40_000, 50_000, 60_000])
  })
})

describe('a list of jobs', () => {
  const jobs = [
    jobEntry({ jobName: 'job-10', state: 'ok', nextFireTime: 5 }),
    jobEntry({ jobName: 'job-2', state: 'crashed', description: 'Invoices' }),
    jobEntry({ jobName: 'other', state: 'paused', nextFireTime: 3 }),
  ]
  const names = (
    key: string,
    order: 'asc' | 'desc',
    search = '',
    states: string[] = [],
  ): string[] => chosenJobs(jobs, search, states, { key, order }).map(({ jobName }) => jobName)

  it('is in the order of people: 2 before 10', () => {
    expect(names('jobName', 'asc')).toEqual(['job-2', 'job-10', 'other'])
  })

  it('has what needs somebody first', () => {
    expect(names('state', 'asc')).toEqual(['job-2', 'other', 'job-10'])
  })

  it('has jobs without a next fire last', () => {
    expect(names('nextFireTime', 'asc')).toEqual(['other', 'job-10', 'job-2'])
  })

  it('is searched in names and descriptions, and filtered by state', () => {
    expect(names('jobName', 'asc', 'invoices')).toEqual(['job-2'])
    expect(names('jobName', 'asc', '', ['ok', 'paused'])).toEqual(['job-10', 'other'])
  })

  it('is counted by state', () => {
    expect(countByState(jobs).get('crashed')).toBe(1)
  })
})

describe('a configuration while it is edited', () => {
  it('changes nothing as long as nothing is typed', () => {
    expect(changesOf(planOf(configuration), configuration)).toEqual({})
  })

  it('tells only what is different, and null for what was emptied', () => {
    const actionPlan = planOf(configuration)
    const edited = {
      ...actionPlan,
      texts: { ...actionPlan.texts, cron: '', shardingTotalCount: '5', description: '' },
      flags: { ...actionPlan.flags, failover: true },
      listeners: 'one, two',
      props: [{ key: 'a', value: '1' }],
    }
    expect(changesOf(edited, configuration)).toEqual({
      cron: null,
      shardingTotalCount: 5,
      description: '',
      failover: true,
      jobListenerTypes: ['one', 'two'],
      props: { a: '1' },
    })
  })
})
