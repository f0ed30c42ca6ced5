import { describe, expect, it } from 'vitest'

import { planClaim } from '../../src/execution/plan.ts'
import type { ItemWord } from '../../src/job-tree/item-word.ts'
import { isMixed, type Versioned } from '../../src/job-tree/job-view.ts'
import { planRepairs, type Repair, suspiciousItems } from '../../src/reconcile/plan.ts'
import { java, type JobTree, jobTree, type Situation, x, y, z } from '../tree.ts'

const ended = { state: 'idle', run: 'r', instance: x, fireTime: 1, attempt: 1 } as const
const running = { ...ended, state: 'running' } as const

const job: Situation = { instances: [y, z], leader: y, owners: [y, z, y] }

function knownWords(tree: JobTree): Map<number, Versioned<ItemWord> | undefined> {
  const items = suspiciousItems(tree.view)
  return new Map(
    items.map((item) => {
      const { word: value, wordVersion: version } = tree.owned(item)
      return [item, value && { value, version }]
    }),
  )
}

function repairsOf(tree: JobTree, { total = 3, failover = true } = {}): Repair[] {
  return planRepairs(tree.view, tree.member(y), { total, failover }, knownWords(tree))
}

function mend(tree: JobTree, settings?: Parameters<typeof repairsOf>[1]): string[] {
  const repairs = repairsOf(tree, settings)
  for (const { operations } of repairs) expect(tree.apply(operations, y)).toBe('committed')
  return repairs.map(({ what }) => what)
}

it('finds nothing where everything is as it should be', () => {
  expect(repairsOf(jobTree(job))).toEqual([])
})

describe('marks', () => {
  it('I-13: go when no run stands behind them', () => {
    const marks = { 0: { running: x }, 1: { running: x, failover: x, failovering: x } }
    const tree = jobTree({ ...job, marks, words: { 0: ended, 1: ended } })
    expect(mend(tree)).toEqual([
      'marks of item 0 without a run: running',
      'marks of item 1 without a run: running, failover, failovering',
    ])
    expect(suspiciousItems(tree.view)).toEqual([])
    expect(tree.itemWord(0)).toMatchObject(ended)
  })

  it('stay while somebody runs the item, and while failover has to do with it', () => {
    const marks = { 0: { running: z }, 1: { running: x, failovering: x } }
    const words = { 0: { ...running, instance: z }, 1: running }
    expect(repairsOf(jobTree({ ...job, marks, words }))).toEqual([])
  })

  it('of a run that crashed go if nobody will take it over', () => {
    const tree = jobTree({ ...job, marks: { 1: { running: x } }, words: { 1: running } })
    expect(mend(tree, { failover: false })).toEqual(['marks of item 1 without a run: running'])
  })

  it('F5: of a leaving instance stay', () => {
    const tree = jobTree({
      ...job,
      leaving: [x],
      marks: { 1: { running: x } },
      words: { 1: running },
    })
    expect(repairsOf(tree, { failover: false })).toEqual([])
  })

  it('of a claim that came meanwhile stay', () => {
    const tree = jobTree({ ...job, marks: { 0: { running: x } }, words: { 0: ended } })
    const [repair] = repairsOf(tree)
    const due = { source: 'cron', fireTime: 5 } as const
    const settings = { failover: true, now: 6, runId: 'new', nextFireTime: undefined, gone: [] }
    const claim = planClaim(tree.view, tree.member(y), tree.owned(0), due, settings)
    expect(tree.apply(claim.operations, y)).toBe('committed')
    expect(tree.apply(repair?.operations ?? [], y)).toBe('BAD_VERSION')
  })

  it('of an item without a word: a first claim that came meanwhile stays', () => {
    const tree = jobTree({ ...job, marks: { 0: { running: x } } })
    const [repair] = repairsOf(tree)
    const late = tree.fork()
    const due = { source: 'cron', fireTime: 5 } as const
    const settings = { failover: true, now: 6, runId: 'new', nextFireTime: undefined, gone: [] }
    const claim = planClaim(late.view, late.member(y), late.owned(0), due, settings)
    expect(late.apply(claim.operations, y)).toBe('committed')
    expect(late.apply(repair?.operations ?? [], y)).toBe('NODE_EXISTS')
    expect(tree.apply(repair?.operations ?? [], y)).toBe('committed')
    expect(tree.itemWord(0)?.state).toBe('idle')
  })

  it('that a dead Java has left do not keep the job mixed for ever', () => {
    const marks = { 0: { failovering: java }, 1: { running: java } }
    const absent = { [java]: { since: 0, isFinal: true } }
    const tree = jobTree({ ...job, marks, absent })
    expect(isMixed(tree.view)).toBe(true)
    expect(mend(tree)).toHaveLength(2)
    expect(isMixed(tree.view)).toBe(false)
  })
})

describe('what nobody asks for any more', () => {
  it('F19: a crashed run beyond the number of items', () => {
    const tree = jobTree({ ...job, waitingForFailover: [1, 7] })
    expect(mend(tree)).toEqual(['a crashed run of item 7, which does not exist any more'])
    expect([...tree.view.failoverItems]).toEqual([1])
  })

  it('F19: a trigger for somebody who is gone, and no other', () => {
    const tree = jobTree({ ...job, triggers: [x, y, java] })
    expect(mend(tree)).toEqual([`a trigger for ${x}, which is gone`])
    expect([...tree.view.triggers.keys()].toSorted()).toEqual([y, java])
  })

  it('F19: the flag of a resharding that nobody is doing', () => {
    const tree = jobTree({ ...job, processing: true })
    expect(mend(tree)).toEqual(['the flag of a resharding that nobody is doing'])
    expect(tree.view.processing).toBe(false)
  })
})

it('mends nothing for a leader who was replaced', () => {
  const tree = jobTree({ ...job, triggers: [x] })
  const [repair] = repairsOf(tree)
  tree.server.expire(y)
  expect(tree.apply(repair?.operations ?? [], y)).toBe('NO_NODE')
})
