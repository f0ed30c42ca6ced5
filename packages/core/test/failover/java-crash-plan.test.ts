import { describe, expect, it } from 'vitest'

import { crashedInJava, planJavaCrash } from '../../src/failover/java-crash-plan.ts'
import { isTakeable } from '../../src/failover/plan.ts'
import type { ItemWord } from '../../src/job-tree/item-word.ts'
import type { Versioned } from '../../src/job-tree/job-view.ts'
import { every } from '../support/fires.ts'
import { java, type JobTree, jobTree, type Situation, x, y } from '../tree.ts'

const other = '10.0.0.8@-@88'
const gone = 905_000
const now = 910_000

/** Java has died in the middle of item 0; another one of Java's and two of ours are there. */
const crashed: Situation = {
  instances: [x, y, other],
  leader: x,
  owners: [java, x, y],
  marks: { 0: { running: java } },
  absent: { [java]: { since: gone, isFinal: true } },
}

function plan(tree: JobTree, failover = true, item = 0): ReturnType<typeof planJavaCrash> {
  const { word: value, wordVersion: version } = tree.owned(item)
  const word: Versioned<ItemWord> | undefined = value && { value, version }
  const latchNode = `${tree.paths.failoverLatch}/latch-1`
  const settings = { failover, fires: every(60_000), now, latchNode }
  return planJavaCrash(tree.view, tree.member(x), item, word, settings)
}

function carryOut(tree: JobTree, failover = true): string {
  tree.server.put(`${tree.paths.failoverLatch}/latch-1`, '', { session: x })
  return tree.apply(plan(tree, failover)?.operations ?? [], x)
}

describe('crashedInJava', () => {
  const found = (situation: Situation, failover = true): number[] =>
    crashedInJava(jobTree(situation).view, failover)

  it('finds what a dead one was running, or had taken over', () => {
    expect(found(crashed)).toEqual([0])
    expect(found({ ...crashed, marks: { 2: { failovering: java } } })).toEqual([2])
  })

  it('without failover finds only what a dead one was running', () => {
    expect(found(crashed, false)).toEqual([0])
    expect(found({ ...crashed, marks: { 2: { failovering: java } } }, false)).toEqual([])
  })

  it('waits until it is dead for good', () => {
    expect(found({ ...crashed, absent: { [java]: { since: gone, isFinal: false } } })).toEqual([])
  })

  it('leaves what somebody has seen to', () => {
    expect(found({ ...crashed, waitingForFailover: [0] })).toEqual([])
    expect(found({ ...crashed, marks: { 0: { running: java, failover: other } } })).toEqual([])
    expect(found({ ...crashed, marks: { 0: { running: other, failovering: java } } })).toEqual([])
  })

  it('takes what waits already when nobody of Java is left to take it', () => {
    const alone = { ...crashed, instances: [x, y], waitingForFailover: [0] }
    expect(found(alone)).toEqual([0])
    const tree = jobTree(alone)
    expect(carryOut(tree)).toBe('committed')
    expect(tree.itemWord(0)?.state).toBe('crashed')
  })

  it('leaves what ours have left: their words speak of it', () => {
    expect(found({ ...crashed, instances: [y, other], marks: { 0: { running: x } } })).toEqual([])
  })
})

describe('planJavaCrash', () => {
  it('without failover gives it up, and nothing silences the item', () => {
    const tree = jobTree(crashed)
    expect(carryOut(tree, false)).toBe('committed')
    expect(tree.view.failoverItems.size).toBe(0)
    expect(tree.view.items.get(0)?.running).toBe(false)
    expect(tree.itemWord(0)).toMatchObject({
      state: 'abandoned',
      instance: java,
      fireTime: 900_000,
    })
    expect(isTakeable(tree.view, tree.itemWord(0) as ItemWord)).toBe(false)
    expect(crashedInJava(tree.view, false)).toEqual([])
  })

  it('F9: makes it wait for a taker, whatever the word says of an older run', () => {
    const words = { 0: { state: 'idle', instance: x, fireTime: 60_000, attempt: 1 } as const }
    for (const tree of [jobTree(crashed), jobTree({ ...crashed, words })]) {
      expect(carryOut(tree)).toBe('committed')
      expect([...tree.view.failoverItems]).toEqual([0])
      expect(tree.view.items.get(0)?.running).toBe(false)
      expect(tree.itemWord(0)).toMatchObject({
        state: 'crashed',
        instance: java,
        fireTime: 900_000,
        attempt: 1,
      })
      expect(isTakeable(tree.view, tree.itemWord(0) as ItemWord)).toBe(true)
    }
  })

  it('says nothing of what came of an older run', () => {
    const words = {
      0: { state: 'idle', instance: x, outcome: 'aborted', error: 'E', fireTime: 60_000 } as const,
    }
    const tree = jobTree({ ...crashed, words })
    expect(carryOut(tree)).toBe('committed')
    expect(tree.itemWord(0)).not.toHaveProperty('outcome')
    expect(tree.itemWord(0)).not.toHaveProperty('error')
  })

  it('leaves a run of ours alone', () => {
    const words = { 0: { state: 'running', instance: y, run: 'r' } as const }
    expect(plan(jobTree({ ...crashed, words }))).toBeUndefined()
  })

  it('fails without the latch, and if anybody has changed the word', () => {
    const tree = jobTree(crashed)
    const operations = plan(tree)?.operations ?? []
    expect(tree.apply(operations, x)).toBe('NO_NODE')
    carryOut(tree)
    expect(tree.apply(operations, x)).toBe('NODE_EXISTS')
  })
})
