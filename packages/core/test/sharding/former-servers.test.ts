import { describe, expect, it } from 'vitest'

import { encodeJobState, noJobState } from '../../src/job-tree/job-state.ts'
import { part } from '../../src/registry/transaction.ts'
import {
  planResharding,
  type ReshardingContext,
  type ReshardingDecision,
} from '../../src/sharding/plan.ts'
import { averageAllocation } from '../../src/sharding/strategies/average-allocation.ts'
import { type JobTree, jobTree, x, y, z } from '../tree.ts'

const now = 1_000_000

type States = ReshardingContext['states']

function decide(tree: JobTree, total: number, states: States = new Map()): ReshardingDecision {
  return planResharding(tree.view, tree.member(x), {
    total,
    strategy: averageAllocation,
    staticSharding: false,
    now,
    nextFire: undefined,
    isDue: false,
    neededSince: 0,
    lastChange: 0,
    states,
  })
}

function reshard(tree: JobTree, total: number, states?: States): void {
  const decision = decide(tree, total, states)
  if (decision.do !== 'commit') throw new Error(`decided to ${decision.do}`)
  for (const operations of decision.parts) expect(tree.apply(operations, x)).toBe('committed')
}

describe('planResharding while a server is paused', () => {
  const jobState = { pausedServers: ['10.0.0.3'] }
  const moving = { instances: [x], leader: x, owners: [z, x, y], jobState }
  const statesOf = (tree: JobTree): States =>
    new Map(
      [0, 1, 2].map((shard) => {
        const { shardState: value, stateVersion: version } = tree.owned(shard)
        return [shard, value && { value, version }]
      }),
    )

  it('asks for the states of the shards whose server changes', () => {
    expect(decide(jobTree(moving), 3)).toEqual({ do: 'read states', shards: [0, 2] })
    const sameServer = { ...moving, owners: [x.replace('-xxx', '-old'), x, x] }
    expect(decide(jobTree(sameServer), 3).do).toBe('commit')
    expect(decide(jobTree({ ...moving, jobState: {} }), 3).do).toBe('commit')
  })

  it('records the servers that they leave, beside what their states say', () => {
    const before = [{ server: '10.0.0.2', until: 500 }]
    const shardStates = { 0: { fireTime: 900, formerServers: before } }
    const tree = jobTree({ ...moving, shardStates })
    reshard(tree, 3, statesOf(tree))
    expect(tree.owned(0).shardState).toMatchObject({
      fireTime: 900,
      formerServers: [...before, { server: '10.0.0.3', until: now }],
    })
    expect(tree.owned(1).shardState).toBeUndefined()
    expect(tree.owned(2).shardState?.formerServers).toEqual([{ server: '10.0.0.2', until: now }])
  })

  it('leaves the state of a run on a live instance alone', () => {
    const shardStates = { 0: { state: 'running', instance: x } } as const
    const tree = jobTree({ ...moving, shardStates })
    reshard(tree, 3, statesOf(tree))
    expect(tree.owned(0).shardState?.formerServers).toBeUndefined()
  })
})

it('planResharding is refused after an operator has paused a server meanwhile', () => {
  const tree = jobTree({ instances: [x], leader: x, owners: [z, x] })
  const decision = decide(tree, 2)
  if (decision.do !== 'commit') throw new Error(`decided to ${decision.do}`)
  const paused = encodeJobState({ ...noJobState, pausedServers: ['10.0.0.1'] })
  expect(tree.apply([part.set(tree.paths.jobState, paused)], x)).toBe('committed')
  expect(decision.parts.map((one) => tree.apply(one, x))).toEqual(['BAD_VERSION'])
})
