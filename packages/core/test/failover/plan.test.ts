import { describe, expect, it } from 'vitest'

import { obstacleTo, planClaim, planEnd } from '../../src/execution/plan.ts'
import {
  holdsOne,
  isCrashed,
  isDismissible,
  isRunByAnother,
  isTakeable,
  takeoverShards,
  planClearing,
  planCrash,
  planDismissal,
  planTake,
} from '../../src/failover/plan.ts'
import { type ShardState, neverRun } from '../../src/job-tree/shard-state.ts'
import type { Versioned } from '../../src/job-tree/job-view.ts'
import { instanceNumber, java, type JobTree, jobTree, type Situation, x, y, z } from '../tree.ts'

const T = 900_000
const now = 1_000_000

/** `x` has died in the middle of shard 0; `y` leads, and `z` is there. */
const crashed: Situation = {
  instances: [y, z],
  leader: y,
  owners: [x, y, z],
  marks: { 0: { running: x } },
  shardStates: {
    0: { state: 'running', run: 'first', instance: x, fireTime: T, attempt: 1, begin: T },
  },
}

function stateOf(tree: JobTree, shard: number): Versioned<ShardState> {
  const { shardState: value, stateVersion: version } = tree.owned(shard)
  if (value === undefined) throw new Error(`shard ${shard} has no state`)
  return { value, version }
}

function turnOver(tree: JobTree, shard = 0, maximumAttempts = 3): ReturnType<typeof planCrash> {
  const settings = { maximumAttempts, now }
  return planCrash(tree.view, tree.member(y), shard, stateOf(tree, shard), settings)
}

function take(tree: JobTree, instance: string, shard = 0, runId = 'second'): typeof plan {
  const settings = { now, runId, nextFireTime: T + 60_000, gone: [] }
  const plan = planTake(tree.view, tree.member(instance), shard, stateOf(tree, shard), settings)
  return plan
}

/** A tree on which the crashed run waits for somebody. */
function waiting(situation: Situation = crashed): JobTree {
  const tree = jobTree(situation)
  expect(tree.apply(turnOver(tree).operations, y)).toBe('committed')
  return tree
}

describe('isCrashed', () => {
  it('by the state and the death of its instance, whatever the marks say', () => {
    const tree = jobTree({ ...crashed, marks: {} })
    expect(isCrashed(tree.view, stateOf(tree, 0).value)).toBe(true)
  })

  it('not while the instance is leaving, for its session lives', () => {
    const tree = jobTree({ ...crashed, leaving: [x] })
    expect(isCrashed(tree.view, stateOf(tree, 0).value)).toBe(false)
  })

  it('by who ran it, not by who owns it', () => {
    const taken = { ...crashed, owners: [y, y, z] }
    expect(isCrashed(jobTree(taken).view, stateOf(jobTree(taken), 0).value)).toBe(true)
  })

  it('never after its end was committed', () => {
    const ended = {
      ...crashed,
      shardStates: { 0: { state: 'idle', run: 'first', instance: x } as const },
    }
    const tree = jobTree(ended)
    expect(isCrashed(tree.view, stateOf(tree, 0).value)).toBe(false)
    expect(isTakeable(tree.view, stateOf(tree, 0).value)).toBe(false)
  })
})

describe('planCrash', () => {
  it('makes a crashed run wait for a taker, and takes its mark away', () => {
    const tree = waiting()
    expect([...tree.view.failoverShards]).toEqual([0])
    expect(tree.view.shards.get(0)?.running).toBe(false)
    expect(tree.shardState(0)).toMatchObject({ state: 'crashed', fireTime: T, attempt: 1 })
  })

  it('of a dead taker too, beside what it owned', () => {
    const marks = { 0: { running: x }, 1: { running: x, failover: x, failovering: x } }
    const jobState = { state: 'running', run: 'r', instance: x, fireTime: T, attempt: 1 } as const
    const states = { 0: jobState, 1: { ...jobState, attempt: 2 } }
    const tree = jobTree({ ...crashed, marks, shardStates: states })
    for (const shard of [0, 1]) tree.apply(turnOver(tree, shard).operations, y)
    expect([...tree.view.failoverShards]).toEqual([0, 1])
    expect(tree.view.shards.get(1)).toMatchObject({ failover: undefined, failovering: undefined })
  })

  it('works with a mark that went with its session', () => {
    const tree = jobTree({ ...crashed, marks: {} })
    expect(tree.apply(turnOver(tree).operations, y)).toBe('committed')
    expect([...tree.view.failoverShards]).toEqual([0])
  })

  it('works where Java has said so already', () => {
    const tree = jobTree({ ...crashed, waitingForFailover: [0] })
    expect(tree.apply(turnOver(tree).operations, y)).toBe('committed')
    expect(tree.shardState(0)?.state).toBe('crashed')
  })

  it('gives a run up that was begun too often, and leaves nothing behind', () => {
    const states = { 0: { ...crashed.shardStates?.[0], attempt: 3 } }
    const marks = { 0: { running: x, failovering: x } }
    const tree = jobTree({ ...crashed, shardStates: states, marks, waitingForFailover: [0] })
    const plan = turnOver(tree)
    expect(plan.isAbandoned).toBe(true)
    expect(tree.apply(plan.operations, y)).toBe('committed')
    expect(tree.view.failoverShards.size).toBe(0)
    expect(tree.shardState(0)?.state).toBe('abandoned')
    expect(tree.view.shards.get(0)).toMatchObject({ running: false, failovering: undefined })
  })

  it('gives it up at once if nobody is to take it over', () => {
    const tree = jobTree(crashed)
    expect(tree.apply(turnOver(tree, 0, 0).operations, y)).toBe('committed')
    expect(tree.shardState(0)).toMatchObject({ state: 'abandoned', fireTime: T, end: T })
    expect(tree.view.failoverShards.size).toBe(0)
  })

  it('fails for a leader who was replaced meanwhile', () => {
    const tree = jobTree(crashed)
    const { operations } = turnOver(tree)
    tree.server.put(tree.paths.assignment, '', { version: 7 })
    expect(tree.apply(operations, y)).toBe('BAD_VERSION')
  })

  it('fails if the run was taken over, or ended, meanwhile', () => {
    const tree = waiting()
    const late = turnOver(jobTree(crashed))
    expect(tree.apply(late.operations, y)).toBe('BAD_VERSION')
  })

  it('leaves a run to Java that has taken it over, so that it is not run twice', () => {
    const marks = { 0: { running: x, failover: java, failovering: java } }
    const tree = jobTree({ ...crashed, instances: [y, z, java], marks })
    expect(tree.apply(turnOver(tree).operations, y)).toBe('committed')
    expect(tree.view.failoverShards.size).toBe(0)
    expect(tree.view.shards.get(0)).toMatchObject({ running: true, failover: java })
    // And when Java is done with it, nothing keeps the owner from its next time.
    for (const mark of ['running', 'failover', 'failovering'] as const) {
      tree.server.drop(tree.paths.mark(0, mark))
    }
    const waits = { mixed: true, failover: true }
    expect(obstacleTo(tree.view, tree.owned(0), waits)).toBeUndefined()
  })

  it('under a Java leader holds by the latch, as long as it is ours', () => {
    const tree = jobTree({ ...crashed, instances: [y, z, java], leader: java })
    const latchNode = `${tree.paths.failoverLatch}/latch-1`
    tree.server.put(latchNode, '', { session: y })
    const settings = { maximumAttempts: 3, now, latchNode }
    const { operations } = planCrash(tree.view, tree.member(y), 0, stateOf(tree, 0), settings)
    const late = tree.fork()
    late.server.drop(latchNode)
    expect(tree.apply(operations, y)).toBe('committed')
    expect(late.apply(operations, y)).toBe('NO_NODE')
  })
})

describe('a crashed run that Java has seen to', () => {
  const mixed: Situation = { ...crashed, instances: [y, z, java] }
  const stateAfter = (situation: Situation): string | undefined => {
    const tree = jobTree(situation)
    expect(tree.apply(turnOver(tree).operations, y)).toBe('committed')
    return tree.shardState(0)?.state
  }

  it('is not repeated: Java has taken its mark away, and nothing waits', () => {
    expect(stateAfter({ ...mixed, marks: {} })).toBe('abandoned')
    expect(stateAfter(mixed)).toBe('crashed')
    expect(stateAfter({ ...mixed, marks: {}, waitingForFailover: [0] })).toBe('crashed')
    expect(stateAfter({ ...mixed, marks: { 0: { failovering: java } } })).toBe('crashed')
  })

  it('without Java a mark that is gone says nothing: failover may have been off', () => {
    expect(stateAfter({ ...crashed, marks: {} })).toBe('crashed')
  })
})

describe('takeoverShards', () => {
  const many = [instanceNumber(1), instanceNumber(2), instanceNumber(3)].toSorted().toReversed()
  const shards = [0, 1, 2, 3, 4, 5]
  const fleet: Situation = {
    instances: many,
    owners: shards.map(() => x),
    waitingForFailover: shards,
  }
  const seen = new Map(shards.map((shard) => [shard, now]))
  const turnsOf = (instance: string, at: number, situation = fleet, total = 6): number[] => {
    const tree = jobTree(situation)
    return [...takeoverShards(tree.view, tree.member(instance), total, at, seen).shards]
  }

  it('deals the waiting shards out by rank, so that nobody races', () => {
    expect(many.map((instance) => turnsOf(instance, now))).toEqual([
      [0, 3],
      [1, 4],
      [2, 5],
    ])
  })

  it('lets everybody have what its instance has not taken for a while', () => {
    const tree = jobTree(fleet)
    const { until } = takeoverShards(tree.view, tree.member(many[0] as string), 6, now, seen)
    expect(until).toBeGreaterThan(now)
    expect(turnsOf(many[0] as string, until as number)).toEqual(shards)
  })

  it('never among Java, who has ways of its own', () => {
    const withJava = { ...fleet, instances: [...many, java] }
    const turns = many.flatMap((instance) => turnsOf(instance, now, withJava))
    expect(turns.toSorted((a, b) => a - b)).toEqual(shards)
  })

  it('not by a disabled server, not disabled shards, not those of a living taker', () => {
    const [first, second] = many as [string, string]
    const servers = { [first.split('@')[0] as string]: 'DISABLED' }
    expect(turnsOf(first, now + 60_000, { ...fleet, servers })).toEqual([])
    const marks = { 0: { disabled: '' }, 1: { failover: second }, 2: { failover: x } }
    expect(turnsOf(first, now + 60_000, { ...fleet, marks })).toEqual([2, 3, 4, 5])
  })

  it('gives a paused server nothing, and shares the shards among the others by their rank', () => {
    const [first, second, third] = many as [string, string, string]
    const jobState = { pausedServers: [first.split('@')[0] as string] }
    expect(turnsOf(first, now + 60_000, { ...fleet, jobState })).toEqual([])
    expect(
      [second, third].map((instance) => turnsOf(instance, now, { ...fleet, jobState })),
    ).toEqual([
      [0, 2, 4],
      [1, 3, 5],
    ])
  })

  it('leaves the shards of a paused job waiting', () => {
    const paused = { ...fleet, jobState: { paused: true } }
    expect(many.flatMap((instance) => turnsOf(instance, now + 60_000, paused))).toEqual([])
  })

  it('not what a living Java instance runs: it pays no heed to what waits', () => {
    const [first] = many as [string]
    const instances = [...many, java]
    const marks = { 0: { running: java }, 1: { running: x } }
    const turns = turnsOf(first, now + 60_000, { ...fleet, instances, marks })
    expect(turns).toEqual([1, 2, 3, 4, 5])
    const tree = jobTree({ ...fleet, instances, marks })
    expect([0, 1, 2].map((shard) => isRunByAnother(tree.view, shard))).toEqual([true, false, false])
  })

  it('not beyond the number of shards', () => {
    expect(turnsOf(many[0] as string, now + 60_000, fleet, 2)).toEqual([0, 1])
  })

  it('not by an instance that does not take part', () => {
    expect(turnsOf(z, now + 60_000)).toEqual([])
  })
})

describe('planTake', () => {
  it('one transaction takes the shard and marks it as running', () => {
    const tree = waiting()
    expect(tree.apply(take(tree, z).operations, z)).toBe('committed')
    expect(tree.view.shards.get(0)).toMatchObject({
      running: true,
      failover: z,
      failovering: z,
    })
    expect(tree.view.failoverShards.size).toBe(0)
    expect(tree.shardState(0)).toMatchObject({
      state: 'running',
      run: 'second',
      instance: z,
      fireTime: T,
      attempt: 2,
    })
  })

  it('succeeds for one of all who try', () => {
    const tree = waiting()
    const plans = [y, z].map((instance) => take(tree, instance, 0, instance).operations)
    expect(tree.apply(plans[0] ?? [], y)).toBe('committed')
    expect(tree.apply(plans[1] ?? [], z)).not.toBe('committed')
  })

  it('fails for who does not take part any more', () => {
    const tree = waiting()
    const { operations } = take(tree, z)
    tree.server.expire(z)
    expect(tree.apply(operations, z)).toBe('NO_NODE')
  })

  it('keeps the manual run, and forgets the outcome of the attempt before', () => {
    const jobState = {
      ...crashed.shardStates?.[0],
      state: 'crashed',
      outcome: 'aborted',
      error: 'E',
    } as const
    const states = { 0: { ...jobState, source: 'trigger', round: 4 } as const }
    const tree = jobTree({ ...crashed, shardStates: states, marks: {}, waitingForFailover: [0] })
    const { shardState: taken } = take(tree, z)
    expect(taken).toMatchObject({ round: 4, source: 'trigger' })
    expect(taken).not.toHaveProperty('outcome')
    expect(taken).not.toHaveProperty('error')
  })

  it('the owner waits behind it, and the taker behind the owner', () => {
    const tree = waiting({ ...crashed, owners: [y, y, z] })
    const settings = { failover: true, now, runId: 'next', nextFireTime: undefined, gone: [] }
    const due = { source: 'cron', fireTime: now } as const
    const claim = planClaim(tree.view, tree.member(y), tree.owned(0), due, settings)
    const taken = tree.fork()
    taken.apply(take(tree, z).operations, z)
    expect(obstacleTo(tree.view, tree.owned(0), { mixed: false, failover: true })).toBe(
      'waiting for failover',
    )
    expect(obstacleTo(taken.view, taken.owned(0), { mixed: false, failover: true })).toBe(
      'taken over',
    )
    expect(taken.apply(claim.operations, y)).not.toBe('committed')
    const claimed = tree.fork()
    expect(claimed.apply(claim.operations, y)).toBe('committed')
    expect(claimed.apply(take(tree, z).operations, z)).not.toBe('committed')
  })

  it('is ended with all of its marks', () => {
    const tree = waiting()
    const { shardState, operations } = take(tree, z)
    tree.apply(operations, z)
    const ending = {
      outcome: 'success',
      error: undefined,
      handOver: false,
      before: shardState,
      now,
    } as const
    const end = planEnd(tree.view, tree.member(z), { ...tree.owned(0), shardState }, ending)
    expect(tree.apply(end.operations, z)).toBe('committed')
    expect(tree.view.shards.get(0)).toMatchObject({
      running: false,
      failover: undefined,
      failovering: undefined,
    })
    expect(isTakeable(tree.view, stateOf(tree, 0).value)).toBe(false)
  })

  it('in a mixed job only while the latch is ours', () => {
    const tree = jobTree({ ...crashed, instances: [y, z, java], waitingForFailover: [0] })
    const latchNode = `${tree.paths.failoverLatch}/latch-1`
    const settings = { now, runId: 'second', nextFireTime: undefined, gone: [], latchNode }
    const { operations } = planTake(tree.view, tree.member(z), 0, stateOf(tree, 0), settings)
    expect(tree.apply(operations, z)).toBe('NO_NODE')
    tree.server.put(latchNode, '', { session: z })
    expect(holdsOne(tree.view, tree.member(z))).toBe(false)
    expect(tree.apply(operations, z)).toBe('committed')
    expect(holdsOne(tree.view, tree.member(z))).toBe(true)
    expect(holdsOne(tree.view, tree.member(y))).toBe(false)
  })
})

describe('planDismissal', () => {
  it('takes the mark away from what was completed, and nothing else', () => {
    const states = { 0: { state: 'idle', run: 'first', instance: x } as const }
    const tree = jobTree({ ...crashed, shardStates: states, waitingForFailover: [0] })
    const operations = planDismissal(tree.view, tree.member(z), 0, stateOf(tree, 0))
    expect(tree.apply(operations, z)).toBe('committed')
    expect(tree.view.failoverShards.size).toBe(0)
    expect(tree.shardState(0)).toMatchObject(states[0])
  })

  it('and from a shard that has no state, which would wait for ever behind it', () => {
    const tree = jobTree({ ...crashed, shardStates: {}, waitingForFailover: [0] })
    expect(tree.apply(planDismissal(tree.view, tree.member(z), 0, undefined), z)).toBe('committed')
    expect(tree.view.failoverShards.size).toBe(0)
  })

  it('fails if a shard that had no state has run meanwhile', () => {
    const tree = jobTree({ ...crashed, shardStates: {}, waitingForFailover: [0] })
    const operations = planDismissal(tree.view, tree.member(z), 0, undefined)
    tree.server.put(tree.paths.shardState(0), '')
    expect(tree.apply(operations, z)).toBe('NODE_EXISTS')
    expect(tree.view.failoverShards.size).toBe(1)
  })

  it('fails if the job state has changed', () => {
    const states = { 0: { state: 'idle', run: 'first', instance: x } as const }
    const tree = jobTree({ ...crashed, shardStates: states, waitingForFailover: [0] })
    const operations = planDismissal(tree.view, tree.member(z), 0, stateOf(tree, 0))
    tree.server.put(tree.paths.jobState, '', { version: 1 })
    expect(tree.apply(operations, z)).toBe('BAD_VERSION')
  })

  it('fails if the run has crashed meanwhile', () => {
    const states = { 0: { state: 'running', run: 'first', instance: z } as const }
    const tree = jobTree({ ...crashed, shardStates: states, waitingForFailover: [0] })
    const operations = planDismissal(tree.view, tree.member(y), 0, stateOf(tree, 0))
    tree.server.expire(z)
    tree.apply(turnOver(tree).operations, y)
    expect(tree.apply(operations, y)).toBe('BAD_VERSION')
  })
})

describe('isDismissible', () => {
  const { view } = jobTree({ instances: [y, z], owners: [z] })
  const shardState = (state: ShardState['state'], instance: string): ShardState => {
    return { ...neverRun, state, instance }
  }

  it('is true for a waiting shard that has not run, or has ended', () => {
    expect(isDismissible(view, undefined)).toBe(true)
    expect(isDismissible(view, shardState('idle', z))).toBe(true)
    expect(isDismissible(view, shardState('abandoned', x))).toBe(true)
  })

  it('is false while the shard runs, and for a crashed run', () => {
    expect(isDismissible(view, shardState('running', z))).toBe(false)
    expect(isDismissible(view, shardState('running', x))).toBe(false)
    expect(isDismissible(view, shardState('crashed', x))).toBe(false)
  })
})

describe('planClearing', () => {
  it('takes away all that failover has left, so that switching it on again begins afresh', () => {
    const tree = jobTree({
      ...crashed,
      marks: { 0: { failovering: x }, 1: { failover: y, failovering: y } },
      waitingForFailover: [0, 2],
    })
    expect(tree.apply(planClearing(tree.view, tree.member(y)), y)).toBe('committed')
    expect(tree.view.failoverShards.size).toBe(0)
    for (const nodes of tree.view.shards.values()) {
      expect(nodes).toMatchObject({ failover: undefined, failovering: undefined })
    }
    expect(planClearing(tree.view, tree.member(y))).toEqual([])
  })

  it('leaves what a living taker still runs: its end takes the marks along', () => {
    const tree = jobTree({
      ...crashed,
      marks: { 1: { running: z, failover: z, failovering: z } },
    })
    expect(planClearing(tree.view, tree.member(y))).toEqual([])
  })

  it("in a mixed job goes by Java's latch, whoever leads: Java leaves what it took over", () => {
    const tree = jobTree({
      ...crashed,
      instances: [java, y, z],
      leader: java,
      marks: { 1: { failover: java, failovering: java } },
      waitingForFailover: [2],
    })
    const latchNode = `${tree.member(y).paths.failoverLatch}/_c_1-latch-0000000000`
    const operations = planClearing(tree.view, tree.member(y), latchNode)
    const late = tree.fork()
    expect(late.apply(operations, y)).toBe('NO_NODE')
    tree.server.put(latchNode, '', { session: y })
    expect(tree.apply(operations, y)).toBe('committed')
    expect(tree.view.failoverShards.size).toBe(0)
    expect(tree.view.shards.get(1)).toMatchObject({ failover: undefined, failovering: undefined })
  })
})
