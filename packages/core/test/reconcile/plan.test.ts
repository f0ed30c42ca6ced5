import { describe, expect, it } from 'vitest'

import { planClaim } from '../../src/execution/plan.ts'
import { planTake } from '../../src/failover/plan.ts'
import { type ShardState, neverRun } from '../../src/job-tree/shard-state.ts'
import { isMixed, type Versioned } from '../../src/job-tree/job-view.ts'
import {
  planRepairs,
  planStateDeletion,
  type Repair,
  suspiciousShards,
} from '../../src/reconcile/plan.ts'
import { java, type JobTree, jobTree, type Situation, x, y, z } from '../tree.ts'

const ended = { state: 'idle', run: 'r', instance: x, fireTime: 1, attempt: 1 } as const
const running = { ...ended, state: 'running' } as const

const job: Situation = { instances: [y, z], leader: y, owners: [y, z, y] }

function knownStates(tree: JobTree): Map<number, Versioned<ShardState> | undefined> {
  const shardingItems = suspiciousShards(tree.view)
  return new Map(
    shardingItems.map((shardingItem) => {
      const { shardState: value, stateVersion: version } = tree.owned(shardingItem)
      return [shardingItem, value && { value, version }]
    }),
  )
}

function repairsOf(tree: JobTree, { total = 3, failover = true } = {}): Repair[] {
  return planRepairs(tree.view, tree.member(y), { total, failover }, knownStates(tree))
}

function applyRepairs(tree: JobTree, settings?: Parameters<typeof repairsOf>[1]): string[] {
  const repairs = repairsOf(tree, settings)
  for (const { operations } of repairs) expect(tree.apply(operations, y)).toBe('committed')
  return repairs.map(({ what }) => what)
}

it('finds nothing where everything is as it should be', () => {
  expect(repairsOf(jobTree(job))).toEqual([])
})

describe('marks', () => {
  it('go when no run stands behind them', () => {
    const marks = { 0: { running: x }, 1: { running: x, failover: x, failovering: x } }
    const tree = jobTree({ ...job, marks, shardStates: { 0: ended, 1: ended } })
    expect(applyRepairs(tree)).toEqual([
      'marks of shard 0 without a run: running',
      'marks of shard 1 without a run: running, failover, failovering',
    ])
    expect(suspiciousShards(tree.view)).toEqual([])
    expect(tree.shardState(0)).toMatchObject(ended)
  })

  it('stay while somebody runs the shard, and while failover has to do with it', () => {
    const marks = { 0: { running: z }, 1: { running: x, failovering: x } }
    const states = { 0: { ...running, instance: z }, 1: running }
    expect(repairsOf(jobTree({ ...job, marks, shardStates: states }))).toEqual([])
  })

  it('of a run that crashed go if nobody will take it over', () => {
    const tree = jobTree({ ...job, marks: { 1: { running: x } }, shardStates: { 1: running } })
    expect(applyRepairs(tree, { failover: false })).toEqual([
      'marks of shard 1 without a run: running',
    ])
  })

  it('of a leaving instance stay', () => {
    const tree = jobTree({
      ...job,
      leaving: [x],
      marks: { 1: { running: x } },
      shardStates: { 1: running },
    })
    expect(repairsOf(tree, { failover: false })).toEqual([])
  })

  it('of a claim that came meanwhile stay', () => {
    const tree = jobTree({ ...job, marks: { 0: { running: x } }, shardStates: { 0: ended } })
    const [repair] = repairsOf(tree)
    const due = { source: 'cron', fireTime: 5 } as const
    const settings = { failover: true, now: 6, runId: 'new', nextFireTime: undefined, gone: [] }
    const claim = planClaim(tree.view, tree.member(y), tree.owned(0), due, settings)
    expect(tree.apply(claim.operations, y)).toBe('committed')
    expect(tree.apply(repair?.operations ?? [], y)).toBe('BAD_VERSION')
  })

  it('of a shard without a state: a first claim that came meanwhile stays', () => {
    const tree = jobTree({ ...job, marks: { 0: { running: x } } })
    const [repair] = repairsOf(tree)
    const late = tree.fork()
    const due = { source: 'cron', fireTime: 5 } as const
    const settings = { failover: true, now: 6, runId: 'new', nextFireTime: undefined, gone: [] }
    const claim = planClaim(late.view, late.member(y), late.owned(0), due, settings)
    expect(late.apply(claim.operations, y)).toBe('committed')
    expect(late.apply(repair?.operations ?? [], y)).toBe('NODE_EXISTS')
    expect(tree.apply(repair?.operations ?? [], y)).toBe('committed')
    expect(tree.shardState(0)?.state).toBe('idle')
  })

  it('that a dead Java has left do not keep the job mixed for ever', () => {
    const marks = { 0: { failovering: java }, 1: { running: java } }
    const absent = { [java]: { since: 0, isFinal: true } }
    const tree = jobTree({ ...job, marks, absent })
    expect(isMixed(tree.view)).toBe(true)
    expect(applyRepairs(tree)).toHaveLength(2)
    expect(isMixed(tree.view)).toBe(false)
  })
})

describe('what nobody asks for any more', () => {
  it('a crashed run beyond the number of shards', () => {
    const tree = jobTree({ ...job, waitingForFailover: [1, 7] })
    expect(applyRepairs(tree)).toEqual(['a crashed run of shard 7, which does not exist any more'])
    expect([...tree.view.failoverShards]).toEqual([1])
  })

  it('a trigger for somebody who is gone, and no other', () => {
    const tree = jobTree({ ...job, triggers: [x, y, java] })
    expect(applyRepairs(tree)).toEqual([`a trigger for ${x}, which is gone`])
    expect([...tree.view.triggers.keys()].toSorted()).toEqual([y, java])
  })

  it('the flag of a resharding that nobody is doing', () => {
    const tree = jobTree({ ...job, processing: true })
    expect(applyRepairs(tree)).toEqual(['the flag of a resharding that nobody is doing'])
    expect(tree.view.processing).toBe(false)
  })
})

it('repairs nothing for a leader who was replaced', () => {
  const tree = jobTree({ ...job, triggers: [x] })
  const [repair] = repairsOf(tree)
  tree.server.expire(y)
  expect(tree.apply(repair?.operations ?? [], y)).toBe('NO_NODE')
})

describe('planStateDeletion', () => {
  const timeline = [{ from: 0, cron: '0 * * * * ?', total: 3 }]
  const lowered: Situation = {
    ...job,
    jobState: { timeline },
    shardStates: { 2: ended, 3: ended, 4: ended },
  }

  function deletionOf(tree: JobTree): Repair | undefined {
    const states = new Map<number, Versioned<ShardState>>()
    for (const shard of [0, 1, 2, 3, 4]) {
      const { shardState: value, stateVersion: version } = tree.owned(shard)
      if (value !== undefined) states.set(shard, { value, version })
    }
    return planStateDeletion(tree.view, tree.member(y), 3, states)
  }

  const isKept = (situation: Situation): boolean =>
    deletionOf(jobTree({ ...lowered, ...situation })) === undefined

  /** The shard count is raised: the leader gives shard 3 to an instance. */
  function raise(tree: JobTree, owner: string): void {
    tree.server.put(tree.paths.owner(3), owner)
  }

  const claimSettings = { failover: true, now: 6, runId: 'new', nextFireTime: undefined, gone: [] }

  it('deletes the states of shards beyond the shard count, and keeps the content of the job state', () => {
    const tree = jobTree(lowered)
    const before = tree.view.jobState
    const repair = deletionOf(tree)
    expect(repair?.what).toBe('states of shards beyond the shard count: 3, 4')
    expect(tree.apply(repair?.operations ?? [], y)).toBe('committed')
    expect([2, 3, 4].map((shard) => tree.shardState(shard)?.run)).toEqual([
      'r',
      undefined,
      undefined,
    ])
    expect(tree.view.jobState?.value).toEqual(before?.value)
    expect(tree.view.jobState?.version).toBe((before?.version ?? 0) + 1)
    expect(deletionOf(tree)).toBeUndefined()
  })

  it('deletes the state of a crashed or abandoned run that nobody takes over', () => {
    const states = {
      3: { ...ended, state: 'crashed' },
      4: { ...ended, state: 'abandoned' },
    } as const
    expect(deletionOf(jobTree({ ...lowered, shardStates: states }))?.what).toContain('3, 4')
    const waiting = jobTree({ ...lowered, shardStates: states, waitingForFailover: [3] })
    expect(deletionOf(waiting)?.what).toBe('states of shards beyond the shard count: 4')
  })

  it('keeps the state of a shard that runs, until the run has ended', () => {
    expect(isKept({ shardStates: { 3: { ...running, instance: z } } })).toBe(true)
    expect(isKept({ shardStates: { 3: running } })).toBe(true)
  })

  it('keeps the state of a shard whose nodes are still there', () => {
    expect(isKept({ owners: [y, z, y, z], shardStates: { 3: ended } })).toBe(true)
  })

  it('keeps states while fire times of the shards may have to be accounted for', () => {
    const before = { ...timeline[0], from: 0, total: 5 }
    expect(isKept({ jobState: { timeline: [before, { ...before, from: 9, total: 3 }] } })).toBe(
      true,
    )
    expect(isKept({ jobState: {} })).toBe(true)
    const report = [{ first: 1, last: 2, reason: 'r' }]
    expect(isKept({ shardStates: { 3: { ...ended, report } } })).toBe(true)
  })

  it('keeps states while a manual run is running or pending, and of a job that is removed', () => {
    const manualRun = { id: 1, asked: 1 }
    expect(isKept({ jobState: { timeline, running: manualRun } })).toBe(true)
    expect(isKept({ jobState: { timeline, pending: manualRun } })).toBe(true)
    expect(isKept({ jobState: { timeline, removing: true } })).toBe(true)
  })

  it('keeps states in a mixed job', () => {
    expect(isKept({ instances: [y, z, java] })).toBe(true)
  })

  it('fails if the shard count was raised, or the leader is another', () => {
    const raised = jobTree(lowered)
    const repair = deletionOf(raised)
    raised.server.put(raised.paths.assignment, '', { version: 2 })
    expect(raised.apply(repair?.operations ?? [], y)).toBe('BAD_VERSION')
  })

  it('fails if a shard has begun to run meanwhile', () => {
    const tree = jobTree(lowered)
    const repair = deletionOf(tree)
    raise(tree, z)
    const due = { source: 'cron', fireTime: 5 } as const
    const claim = planClaim(tree.view, tree.member(z), tree.owned(3), due, claimSettings)
    expect(tree.apply(claim.operations, z)).toBe('committed')
    expect(tree.apply(repair?.operations ?? [], y)).toBe('BAD_VERSION')
  })

  it('makes a claim or takeover fail that was planned before, also when the state is made again', () => {
    const tree = jobTree(lowered)
    const repair = deletionOf(tree)
    const late = tree.fork()
    raise(late, z)
    const due = { source: 'cron', fireTime: 5 } as const
    const claim = planClaim(late.view, late.member(z), late.owned(3), due, claimSettings)
    const shardState = { value: { ...neverRun, ...ended }, version: 0 }
    const take = planTake(tree.view, tree.member(z), 3, shardState, claimSettings)
    expect(tree.apply(repair?.operations ?? [], y)).toBe('committed')
    raise(tree, z)
    tree.server.put(tree.paths.shardState(3), '')
    tree.server.put(tree.paths.failoverShard(3))
    expect(tree.apply(claim.operations, z)).toBe('BAD_VERSION')
    expect(tree.apply(take.operations, z)).toBe('BAD_VERSION')
  })
})
