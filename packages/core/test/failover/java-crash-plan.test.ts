import { describe, expect, it } from 'vitest'

import { crashedInJava, planJavaCrash } from '../../src/failover/java-crash-plan.ts'
import { isTakeable } from '../../src/failover/plan.ts'
import type { ShardState } from '../../src/job-tree/shard-state.ts'
import type { Versioned } from '../../src/job-tree/job-view.ts'
import { every } from '../support/fires.ts'
import { java, type JobTree, jobTree, type Situation, x, y } from '../tree.ts'

const other = '10.0.0.8@-@88'
const gone = 905_000
const now = 910_000

/** Java has died in the middle of shard 0; another one of Java's and two of ours are there. */
const crashed: Situation = {
  instances: [x, y, other],
  leader: x,
  owners: [java, x, y],
  marks: { 0: { running: java } },
  absent: { [java]: { since: gone, isFinal: true } },
}

function plan(tree: JobTree, failover = true, shard = 0): ReturnType<typeof planJavaCrash> {
  const { shardState: value, stateVersion: version } = tree.owned(shard)
  const shardState: Versioned<ShardState> | undefined = value && { value, version }
  const latchNode = `${tree.paths.failoverLatch}/latch-1`
  const settings = { failover, fires: every(60_000), now, latchNode }
  return planJavaCrash(tree.view, tree.member(x), shard, shardState, settings)
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
    expect(tree.shardState(0)?.state).toBe('crashed')
  })

  it('leaves what ours have left: their states speak of it', () => {
    expect(found({ ...crashed, instances: [y, other], marks: { 0: { running: x } } })).toEqual([])
  })
})

describe('planJavaCrash', () => {
  it('without failover gives it up, and nothing silences the shard', () => {
    const tree = jobTree(crashed)
    expect(carryOut(tree, false)).toBe('committed')
    expect(tree.view.failoverShards.size).toBe(0)
    expect(tree.view.shards.get(0)?.running).toBe(false)
    expect(tree.shardState(0)).toMatchObject({
      state: 'abandoned',
      instance: java,
      fireTime: 900_000,
    })
    expect(isTakeable(tree.view, tree.shardState(0) as ShardState)).toBe(false)
    expect(crashedInJava(tree.view, false)).toEqual([])
  })

  it('makes it wait for a taker, whatever the state says of an older run', () => {
    const states = { 0: { state: 'idle', instance: x, fireTime: 60_000, attempt: 1 } as const }
    for (const tree of [jobTree(crashed), jobTree({ ...crashed, shardStates: states })]) {
      expect(carryOut(tree)).toBe('committed')
      expect([...tree.view.failoverShards]).toEqual([0])
      expect(tree.view.shards.get(0)?.running).toBe(false)
      expect(tree.shardState(0)).toMatchObject({
        state: 'crashed',
        instance: java,
        fireTime: 900_000,
        attempt: 1,
      })
      expect(isTakeable(tree.view, tree.shardState(0) as ShardState)).toBe(true)
    }
  })

  it('says nothing of what came of an older run', () => {
    const states = {
      0: { state: 'idle', instance: x, outcome: 'aborted', error: 'E', fireTime: 60_000 } as const,
    }
    const tree = jobTree({ ...crashed, shardStates: states })
    expect(carryOut(tree)).toBe('committed')
    expect(tree.shardState(0)).not.toHaveProperty('outcome')
    expect(tree.shardState(0)).not.toHaveProperty('error')
  })

  it('leaves a run of ours alone', () => {
    const states = { 0: { state: 'running', instance: y, run: 'r' } as const }
    expect(plan(jobTree({ ...crashed, shardStates: states }))).toBeUndefined()
  })

  it('fails without the latch, and if anybody has changed the state', () => {
    const tree = jobTree(crashed)
    const operations = plan(tree)?.operations ?? []
    expect(tree.apply(operations, x)).toBe('NO_NODE')
    carryOut(tree)
    expect(tree.apply(operations, x)).toBe('NODE_EXISTS')
  })
})
