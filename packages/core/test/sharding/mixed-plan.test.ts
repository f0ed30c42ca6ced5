import { describe, expect, it } from 'vitest'

import { maximumBytes, bytesOf } from '../../src/registry/committer.ts'
import { type MixedContext, planMixedResharding } from '../../src/sharding/mixed-plan.ts'
import type { ReshardingDecision } from '../../src/sharding/plan.ts'
import { averageAllocation } from '../../src/sharding/strategies/average-allocation.ts'
import { singleShardingBalance } from '../../src/sharding/strategies/single-sharding-balance.ts'
import { every } from '../support/fires.ts'
import { java, type JobTree, jobTree, type Situation, x, y } from '../tree.ts'

/** Everything in the tree was made at this time, the flag too. */
const made = 1_000_000
const settled = made + 2000

function decide(tree: JobTree, changed: Partial<MixedContext> = {}): ReshardingDecision {
  const now = changed.now ?? settled
  return planMixedResharding(tree.view, tree.member(x), {
    total: tree.view.shards.size,
    strategy: averageAllocation,
    staticSharding: false,
    now,
    nextFire: now + 10_000,
    lastFire: now - 20_000,
    isDue: false,
    neededSince: now,
    lastChange: now,
    fires: every(30_000),
    window: 60_000,
    states: new Map(),
    ...changed,
  })
}

function commit(tree: JobTree, decision: ReshardingDecision): void {
  if (decision.do !== 'commit') throw new Error(`decided to ${decision.do}`)
  for (const parts of decision.parts) expect(tree.apply(parts, x)).toBe('committed')
}

/** Another one of Java's. */
const other = '10.0.0.8@-@98'

/** One of Java's has joined a job of ours. */
const joined: Situation = {
  instances: [x, java],
  leader: x,
  owners: [x, x],
  epoch: { among: [x] },
}
const flagged: Situation = { ...joined, necessary: true }

describe('the flag', () => {
  it('goes up when something has to be assigned, by the leader alone', () => {
    const tree = jobTree(joined)
    const decision = decide(tree)
    expect(decision.do).toBe('flag')
    if (decision.do !== 'flag') return
    const deposed = tree.fork()
    deposed.server.put(tree.paths.leaderInstance, java, { session: java })
    expect(deposed.apply(decision.operations, x)).toBe('BAD_VERSION')
    expect(tree.apply(decision.operations, x)).toBe('committed')
    expect(tree.view.necessary).toBeDefined()
  })

  it('stays down where nothing has to be assigned', () => {
    expect(decide(jobTree({ ...joined, owners: [java, x], epoch: {} }))).toEqual({ do: 'nothing' })
  })

  it('one that a deposed leader of Java has left is taken away', () => {
    const tree = jobTree({ ...joined, owners: [java, x], epoch: {}, processing: true })
    const decision = decide(tree)
    if (decision.do !== 'flag') throw new Error(`decided to ${decision.do}`)
    expect(tree.apply(decision.operations, x)).toBe('committed')
    expect(tree.view.processing).toBe(false)
    expect(tree.view.necessary).toBeUndefined()
  })

  it('goes up when a deposed leader of Java has assigned, and the epoch is put right', () => {
    const tree = jobTree({ ...joined, owners: [java, x], epoch: {} })
    tree.server.put(tree.paths.owner(0), x)
    tree.server.put(tree.paths.owner(1), java)
    expect(decide(tree).do).toBe('flag')
    tree.server.put(tree.paths.necessary)
    commit(tree, decide(tree))
    expect(tree.view.assignment?.value.owners).toEqual([x, java])
    expect(tree.ownerNodes).toEqual([x, java])
    expect(decide(tree)).toEqual({ do: 'nothing' })
  })

  it('does not go up right after a fire, if the period leaves the time', () => {
    const tree = jobTree(joined)
    const lastFire = settled - 500
    expect(decide(tree, { lastFire, nextFire: lastFire + 5000 })).toEqual({
      do: 'wait',
      until: lastFire + 2000,
    })
    expect(decide(tree, { lastFire, nextFire: lastFire + 3000 }).do).toBe('flag')
  })

  it('stays down while an instance of Java is away for a moment', () => {
    const situation: Situation = {
      instances: [x],
      leader: x,
      owners: [java, x],
      epoch: { among: [x, java] },
    }
    const absent = { [java]: { since: made, isFinal: false } }
    expect(decide(jobTree({ ...situation, absent }))).toEqual({ do: 'nothing' })
    const dead = { [java]: { since: made, isFinal: true } }
    expect(decide(jobTree({ ...situation, absent: dead })).do).toBe('flag')
  })

  describe('before a fire, while an owner is away', () => {
    const absent = { [java]: { since: settled - 100, isFinal: false } }
    const away: Situation = {
      instances: [x, other],
      leader: x,
      owners: [java, x, other],
      epoch: { among: [x, java, other] },
      absent,
    }

    it('goes up if another of Java is there: after the fire it would never run what it gets', () => {
      const nextFire = settled + 1500
      expect(decide(jobTree(away), { nextFire })).toEqual({ do: 'wait', until: nextFire - 1000 })
      const tree = jobTree(away)
      const decision = decide(tree, { nextFire, now: nextFire - 1000 })
      if (decision.do !== 'flag') throw new Error(`decided to ${decision.do}`)
      expect(tree.apply(decision.operations, x)).toBe('committed')
      expect(tree.view.necessary).toBeDefined()
    })

    it('stays down if only ours can get the shards: they run what has been due', () => {
      const alone = { ...away, instances: [x], owners: [java, x], epoch: { among: [x, java] } }
      expect(decide(jobTree(alone), { nextFire: settled + 500 })).toEqual({ do: 'nothing' })
    })

    it('stays down if who is away owns nothing', () => {
      const idle = { ...away, owners: [x, other] }
      expect(decide(jobTree(idle), { nextFire: settled + 500 })).toEqual({ do: 'nothing' })
    })
  })
})

describe('while the flag is up', () => {
  it('nothing is assigned for two seconds: a Java instance may have looked just before', () => {
    expect(decide(jobTree(flagged), { now: settled - 1 })).toEqual({ do: 'wait', until: settled })
  })

  it('then all is assigned, and both flags come down, in one transaction', () => {
    const tree = jobTree({ ...flagged, processing: true })
    const decision = decide(tree)
    commit(tree, decision)
    expect(decision).toMatchObject({ do: 'commit', moved: 1 })
    expect(tree.ownerNodes).toEqual([java, x])
    expect(tree.view.assignment?.value.owners).toEqual([java, x])
    expect(tree.view.necessary).toBeUndefined()
    expect(tree.view.processing).toBe(false)
  })

  it('where none of Java is left it is assigned at once', () => {
    const absent = { [java]: { since: made - 3000, isFinal: true } }
    const tree = jobTree({ ...flagged, instances: [x], owners: [java, x], absent })
    const states = new Map([[0, undefined]])
    commit(tree, decide(tree, { now: made + 1, states }))
    expect(tree.ownerNodes).toEqual([x, x])
  })

  it('comes down at once when the absent instance is back, whatever runs', () => {
    const marks = { 0: { running: java } }
    const tree = jobTree({ ...flagged, owners: [java, x], epoch: {}, marks })
    commit(tree, decide(tree, { now: made + 1 }))
    expect(tree.ownerNodes).toEqual([java, x])
    expect(tree.view.necessary).toBeUndefined()
  })

  it('nothing is assigned while a shard runs that would move', () => {
    const running = { ...flagged, marks: { 0: { running: x } } }
    expect(decide(jobTree(running))).toEqual({ do: 'nothing' })
  })

  it('one that runs and stays holds nobody up', () => {
    const tree = jobTree({ ...flagged, marks: { 1: { running: x } } })
    commit(tree, decide(tree))
    expect(tree.ownerNodes).toEqual([java, x])
  })

  it('nothing is assigned while a shard runs on Java, whether it moves or not', () => {
    const owners = [java, x]
    const owned = { ...flagged, owners, marks: { 0: { running: java } } }
    expect(decide(jobTree(owned))).toEqual({ do: 'nothing' })
    const taken = { ...flagged, owners, marks: { 1: { running: java } } }
    expect(decide(jobTree(taken))).toEqual({ do: 'nothing' })
  })

  it('nothing is assigned while an instance of Java is away: it is back or dead in a moment', () => {
    const situation: Situation = { ...flagged, instances: [x], owners: [x, java] }
    const away = { [java]: { since: made, isFinal: false } }
    expect(decide(jobTree({ ...situation, absent: away }))).toEqual({ do: 'nothing' })
    const dead = { [java]: { since: made, isFinal: true } }
    const tree = jobTree({ ...situation, absent: dead })
    expect(decide(tree).do).toBe('read states')
    commit(tree, decide(tree, { states: new Map([[1, undefined]]) }))
    expect(tree.ownerNodes).toEqual([x, x])
  })

  it('the mark of an instance that is dead holds nobody up', () => {
    const absent = { [java]: { since: made, isFinal: true } }
    const marks = { 0: { running: java } }
    const tree = jobTree({ ...flagged, instances: [x], owners: [java, x], absent, marks })
    expect(decide(tree, { states: new Map([[0, undefined]]) }).do).toBe('commit')
  })
})

describe('shards that leave Java', () => {
  const leaving: Situation = {
    instances: [x, y, java],
    leader: x,
    owners: [java, java, java],
    epoch: { among: [java] },
    necessary: true,
    shardStates: { 1: { fireTime: 5 } },
  }

  it('have their words read first', () => {
    expect(decide(jobTree(leaving))).toEqual({ do: 'read states', shards: [1, 2] })
    expect(decide(jobTree(leaving), { states: new Map([[1, undefined]]) })).toEqual({
      do: 'read states',
      shards: [1, 2],
    })
  })

  it('are stamped in the transaction that moves them, by the versions that were read', () => {
    const tree = jobTree(leaving)
    const value = tree.shardState(1)
    if (value === undefined) throw new Error('there is a state')
    const shardStates = new Map([
      [1, { value, version: 0 }],
      [2, undefined],
    ])
    const decision = decide(tree, { states: shardStates })
    const overtaken = tree.fork()
    overtaken.server.put(tree.paths.shardState(1), '', { version: 1 })
    if (decision.do !== 'commit') throw new Error(`decided to ${decision.do}`)
    expect(decision.parts).toHaveLength(1)
    expect(overtaken.apply(decision.parts[0] ?? [], x)).toBe('BAD_VERSION')
    commit(tree, decision)
    expect(tree.ownerNodes).toEqual([java, y, x])
    expect(tree.shardState(1)?.fireTime).toBe(990_000)
    expect(tree.shardState(2)?.fireTime).toBe(990_000)
    expect(tree.shardState(0)).toBeUndefined()
  })

  it('lose the mark of a misfire with it: Java would run them once more if it has just ended', () => {
    const marks = { 0: { misfire: '' }, 1: { misfire: '' } }
    const tree = jobTree({ ...leaving, shardStates: {}, marks })
    const decision = decide(tree, { states: new Map([1, 2].map((shard) => [shard, undefined])) })
    commit(tree, decision)
    expect(tree.ownerNodes).toEqual([java, y, x])
    expect(tree.view.shards.get(1)?.misfire).toBe(false)
    expect(tree.view.shards.get(0)?.misfire).toBe(true)
  })

  it('are stamped before they move where one transaction does not hold them all', () => {
    const total = 4000
    const owners = Array.from({ length: total }, () => java)
    const tree = jobTree({ ...leaving, jobName: 'j'.repeat(60), owners, shardStates: {} })
    const states = new Map(owners.map((_, shard) => [shard, undefined]))
    const decision = decide(tree, { states })
    if (decision.do !== 'commit') throw new Error(`decided to ${decision.do}`)
    expect(decision.parts.length).toBeGreaterThan(1)
    for (const parts of decision.parts) {
      expect(bytesOf(parts)).toBeLessThanOrEqual(maximumBytes)
      expect(tree.apply(parts, x)).toBe('committed')
      const left = [...tree.ownerNodes.entries()].filter(([, owner]) => owner !== java)
      expect(left.filter(([shard]) => tree.shardState(shard)?.fireTime !== 990_000)).toEqual([])
    }
    expect(tree.view.necessary).toBeUndefined()
  })
})

describe('one shard that goes by turns', () => {
  const turning: Situation = {
    instances: [x, java],
    leader: x,
    owners: [x],
    epoch: false,
    necessary: true,
    turn: '10.0.0.9',
  }
  const context = { strategy: { ...averageAllocation, type: singleShardingBalance.type } }

  it('is stamped whoever owned it, and nobody is named any more', () => {
    const tree = jobTree({ ...turning, owners: [java] })
    const alone = { ...context, strategy: onlyTo(x) }
    expect(decide(tree, alone)).toEqual({ do: 'read states', shards: [0] })
    commit(tree, decide(tree, { ...alone, states: new Map([[0, undefined]]) }))
    expect(tree.ownerNodes).toEqual([x])
    expect(tree.shardState(0)?.fireTime).toBe(990_000)
    expect(tree.view.turn).toBeUndefined()
  })

  it('is stamped also if it stays where it is', () => {
    const tree = jobTree(turning)
    const alone = { ...context, strategy: onlyTo(x), states: new Map([[0, undefined]]) }
    commit(tree, decide(tree, alone))
    expect(tree.shardState(0)?.fireTime).toBe(990_000)
  })

  it('needs no stamp if it is for Java', () => {
    const tree = jobTree(turning)
    commit(tree, decide(tree, context))
    expect(tree.ownerNodes).toEqual([java])
    expect(tree.shardState(0)).toBeUndefined()
  })

  function onlyTo(instance: string): typeof singleShardingBalance {
    return { type: singleShardingBalance.type, shard: () => new Map([[instance, [0]]]) }
  }
})
