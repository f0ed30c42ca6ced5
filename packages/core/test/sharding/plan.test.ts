import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { planCandidacy } from '../../src/election/plan.ts'
import { obstacleTo, planClaim, planEnd } from '../../src/execution/plan.ts'
import { neverRun } from '../../src/job-tree/shard-state.ts'
import { serverOf } from '../../src/job-tree/instance-id.ts'
import { availableInstances } from '../../src/job-tree/job-view.ts'
import { bytesOf, maximumBytes } from '../../src/registry/committer.ts'
import { needOf, ownerOf } from '../../src/sharding/needs.ts'
import {
  planResharding,
  type ReshardingContext,
  type ReshardingDecision,
} from '../../src/sharding/plan.ts'
import { averageAllocation } from '../../src/sharding/strategies/average-allocation.ts'
import { StrategyRegistry } from '../../src/sharding/strategies/strategy-registry.ts'
import { instanceNumber, type JobTree, jobTree, type Situation, x, y, z } from '../tree.ts'

const now = 1_000_000
const strategies = new StrategyRegistry()

type Commit = ReshardingDecision & { do: 'commit' }

/** Long after everything has settled, and long before the next fire. */
function contextFor(total: number, changes: Partial<ReshardingContext> = {}): ReshardingContext {
  return {
    total,
    strategy: averageAllocation,
    staticSharding: false,
    now,
    nextFire: undefined,
    isDue: false,
    neededSince: 0,
    lastChange: 0,
    states: new Map(),
    ...changes,
  }
}

function decide(
  tree: JobTree,
  total: number,
  changes: Partial<ReshardingContext> = {},
): ReshardingDecision {
  const leader = tree.view.leader?.instance ?? x
  return planResharding(tree.view, tree.member(leader), contextFor(total, changes))
}

function planned(tree: JobTree, total: number, changes: Partial<ReshardingContext> = {}): Commit {
  const decision = decide(tree, total, changes)
  if (decision.do !== 'commit') throw new Error(`decided to ${decision.do}`)
  return decision
}

/** Reshards, and expects that nothing is left to do. */
function reshard(tree: JobTree, total: number, changes: Partial<ReshardingContext> = {}): Commit {
  const decision = planned(tree, total, changes)
  const leader = tree.view.leader?.instance ?? x
  for (const part of decision.parts) expect(tree.apply(part, leader)).toBe('committed')
  expect(tree.view.assignment?.value).toEqual(decision.assignment)
  const { strategy } = { strategy: averageAllocation, ...changes }
  expect(needOf(tree.view, { total, strategy: strategy.type })).toBeUndefined()
  return decision
}

/** A shard claimed by an instance, for a scheduled time. */
function claim(
  tree: JobTree,
  instance: string,
  shard: number,
  fireTime = 5000,
): ReturnType<typeof planClaim> {
  const due = { source: 'cron', fireTime } as const
  const settings = {
    failover: false,
    now: fireTime,
    runId: `run of ${instance}`,
    nextFireTime: undefined,
    gone: [],
  }
  return planClaim(tree.view, tree.member(instance), tree.owned(shard), due, settings)
}

describe('the commit of a resharding', () => {
  it('makes the shards of a new job with their owners', () => {
    const tree = jobTree({ instances: [x, y], leader: x, epoch: false })
    const { reason, moved } = reshard(tree, 3)
    expect([reason, moved]).toEqual(['instances changed', 3])
    expect(tree.ownerNodes).toEqual([y, x, y])
    expect(tree.view.assignment?.value.owners).toEqual([y, x, y])
  })

  it('makes the folder of the shards where it is missing', () => {
    const tree = jobTree({ instances: [x], leader: x, epoch: false })
    tree.server.drop(tree.paths.shards)
    reshard(tree, 1)
    expect(tree.ownerNodes).toEqual([x])
  })

  it('writes nothing about shards that stay where they are', () => {
    const tree = jobTree({ instances: [x, y], leader: x, owners: [y, x, y], epoch: { among: [x] } })
    const { parts, moved } = reshard(tree, 3)
    expect(moved).toBe(0)
    expect(parts.flat().map(({ path }) => path)).toEqual([
      tree.paths.leaderInstance,
      tree.paths.jobState,
      tree.paths.assignment,
    ])
  })

  it('grows: new shards are added, those that stay are left alone', () => {
    const tree = jobTree({ instances: [x], leader: x, owners: [x, x] })
    const { reason, moved } = reshard(tree, 4)
    expect([reason, moved]).toEqual(['settings changed', 2])
    expect(tree.ownerNodes).toEqual([x, x, x, x])
  })

  it('shrinks: the nodes of surplus shards go with all their marks', () => {
    const marks = { 3: { disabled: '', misfire: '', failover: z, failovering: z } }
    const tree = jobTree({ instances: [x], leader: x, owners: [x, x, x, x], marks })
    reshard(tree, 2)
    expect([...tree.view.shards.keys()]).toEqual([0, 1])
  })

  it('shrinks by number, also where shards are missing in between', () => {
    const owners = Array.from({ length: 12 }, () => x)
    const tree = jobTree({ instances: [x], leader: x, owners })
    tree.server.drop(tree.paths.shard(4))
    tree.server.drop(tree.paths.shard(10))
    reshard(tree, 10)
    const shards = [...tree.view.shards.keys()].toSorted((a, b) => a - b)
    expect(shards).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('a shard that runs keeps its nodes and its owner until it ends, however few shards there are', () => {
    const marks = { 2: { running: x } }
    const tree = jobTree({ instances: [x], leader: x, owners: [x, x, x], marks })
    reshard(tree, 1)
    expect(tree.view.shards.get(2)?.running).toBe(true)
    expect(ownerOf(tree.view, 2)).toBe(x)
    tree.server.drop(tree.paths.mark(2, 'running'))
    expect(reshard(tree, 1).reason).toBe('surplus shard')
    expect([...tree.view.shards.keys()]).toEqual([0])
  })

  it('repairs what a deposed leader of Java has wiped, without moving anything', () => {
    const tree = jobTree({ instances: [x, y], leader: x, owners: [y, x, y], processing: true })
    for (const shard of [0, 1, 2]) tree.server.drop(tree.paths.owner(shard))
    expect(reshard(tree, 3).reason).toBe('shard without owner')
    expect(tree.ownerNodes).toEqual([y, x, y])
  })

  it('takes the flags of Java down in the same transaction', () => {
    const tree = jobTree({
      instances: [x],
      leader: x,
      owners: [x],
      necessary: true,
      processing: true,
    })
    expect(reshard(tree, 1).parts).toHaveLength(1)
    expect(tree.view.necessary).toBeUndefined()
    expect(tree.view.processing).toBe(false)
  })

  it('a flag that went up again, or an instance that came meanwhile, is not lost', () => {
    const tree = jobTree({ instances: [x], leader: x, owners: [x], epoch: false, necessary: true })
    const { parts } = planned(tree, 1)
    tree.join(y)
    for (const part of parts) expect(tree.apply(part, x)).toBe('committed')
    expect(decide(tree, 1).do).toBe('commit')
    reshard(tree, 1)
    tree.server.put(tree.paths.necessary)
    expect(reshard(tree, 1).reason).toBe('requested')
  })

  it('one that loses a race leaves nothing behind and is needed again', () => {
    const tree = jobTree({ instances: [x, y], leader: x, epoch: false })
    const { parts } = planned(tree, 2)
    tree.server.put(tree.paths.owner(1), y)
    const before = tree.server.paths
    expect(tree.apply(parts.flat(), x)).toBe('NODE_EXISTS')
    expect(tree.server.paths).toEqual(before)
    reshard(tree, 2)
    expect(tree.ownerNodes).toEqual([y, x])
  })

  it('gives shards of a disabled server to the others', () => {
    const tree = jobTree({ instances: [x, y], leader: x, owners: [y, x, y] })
    tree.server.put(tree.paths.server('10.0.0.2'), 'DISABLED')
    reshard(tree, 3)
    expect(tree.ownerNodes).toEqual([x, x, x])
  })

  it('leaves everything as it is while nobody is available', () => {
    const tree = jobTree({ leader: x, owners: [x, y] })
    expect(decide(tree, 2)).toEqual({ do: 'nothing' })
  })

  it('static sharding: who joins moves nothing, nor who leaves without having had any', () => {
    const tree = jobTree({ instances: [x], leader: x, owners: [x, x] })
    tree.join(y)
    expect(reshard(tree, 4, { staticSharding: true }).moved).toBe(2)
    expect(tree.ownerNodes).toEqual([x, x, x, x])
    tree.join(z)
    expect(reshard(tree, 4, { staticSharding: true }).moved).toBe(0)
    tree.server.expire(z)
    expect(reshard(tree, 4, { staticSharding: true }).moved).toBe(0)
  })

  it('disabled shards have owners as all others', () => {
    const marks = { 0: { disabled: '' } }
    const tree = jobTree({
      instances: [x, y],
      leader: x,
      owners: [x, x],
      marks,
      epoch: { among: [x] },
    })
    reshard(tree, 2)
    expect(tree.ownerNodes).toEqual([y, x])
  })

  it('writes nothing about the next instance of a balanced single shard', () => {
    const strategy = strategies.get('SINGLE_SHARDING_BALANCE')
    const tree = jobTree({ instances: [x, y, z], leader: x, epoch: false })
    const { parts } = reshard(tree, 1, { strategy })
    expect(parts.flat().map(({ path }) => path)).not.toContain(tree.paths.nextInstanceIp)
    expect(decide(tree, 1, { strategy, now: now + 1 })).toEqual({ do: 'nothing' })
  })
})

describe('a shard that runs', () => {
  const situation: Situation = {
    instances: [x, y],
    leader: x,
    owners: [x, x],
    marks: { 0: { running: x } },
    epoch: { among: [x] },
  }

  it('stays in a native job while the others move without any flag, and moves when it has ended', () => {
    const tree = jobTree(situation)
    const first = reshard(tree, 2)
    expect(first.parts.flat().map(({ path }) => path)).not.toContain(tree.paths.necessary)
    expect(tree.ownerNodes).toEqual([x, x])
    expect([...first.assignment.moving]).toEqual([[0, y]])
    tree.server.drop(tree.paths.mark(0, 'running'))
    expect(reshard(tree, 2).reason).toBe('shard moves on')
    expect(tree.ownerNodes).toEqual([y, x])
  })

  it('goes elsewhere when the one it was to go to has left meanwhile', () => {
    const tree = jobTree({ ...situation, instances: [x, y, z] })
    reshard(tree, 2)
    expect(tree.view.assignment?.value.moving.get(0)).toBe(z)
    tree.server.expire(z)
    reshard(tree, 2)
    expect(tree.view.assignment?.value.moving.get(0)).toBe(y)
  })
})

describe('when it is acted on', () => {
  const joined: Situation = { instances: [x, y], leader: x, owners: [x, x], epoch: { among: [x] } }

  it('never while everything is as it should be', () => {
    const tree = jobTree({ instances: [x, y, z], leader: x, owners: [z] })
    expect(decide(tree, 1)).toEqual({ do: 'nothing' })
  })

  it('waits for a second without further changes', () => {
    const times = { neededSince: now - 100, lastChange: now - 100 }
    expect(decide(jobTree(joined), 2, times)).toEqual({ do: 'wait', until: now + 900 })
    expect(decide(jobTree(joined), 2, { ...times, lastChange: now - 1000 }).do).toBe('commit')
  })

  it('waits no longer than five seconds, however many come and go', () => {
    const times = { neededSince: now - 4500, lastChange: now }
    expect(decide(jobTree(joined), 2, times)).toEqual({ do: 'wait', until: now + 500 })
    expect(decide(jobTree(joined), 2, { ...times, neededSince: now - 5000 }).do).toBe('commit')
  })

  it('is done half a second before the next fire', () => {
    const times = { neededSince: now, lastChange: now }
    const soon = { ...times, nextFire: now + 900 }
    expect(decide(jobTree(joined), 2, soon)).toEqual({ do: 'wait', until: now + 400 })
    expect(decide(jobTree(joined), 2, { ...times, nextFire: now + 500 }).do).toBe('commit')
  })

  it('waits for a fire that was nearer than that when somebody came', () => {
    const near = { neededSince: now - 5000, lastChange: now, nextFire: now + 499 }
    expect(decide(jobTree(joined), 2, near)).toEqual({ do: 'wait', until: now + 499 })
  })

  it('is done before the fire although the timer for it was a moment late', () => {
    const late = { neededSince: now - 10, lastChange: now - 10, nextFire: now + 490 }
    expect(decide(jobTree(joined), 2, late).do).toBe('commit')
  })

  it('is done at once when a shard without an owner is due, now or within a second', () => {
    const left: Situation = { instances: [x], leader: x, owners: [x, y], epoch: { among: [x, y] } }
    const times = { neededSince: now, lastChange: now }
    expect(decide(jobTree(left), 2, { ...times, nextFire: now + 60_000 }).do).toBe('wait')
    expect(decide(jobTree(left), 2, { ...times, nextFire: now + 1000 }).do).toBe('commit')
    expect(decide(jobTree(left), 2, { ...times, isDue: true }).do).toBe('commit')
    expect(decide(jobTree(joined), 2, { ...times, isDue: true }).do).toBe('wait')
  })

  it('does not wait for what nobody else can change: settings, flags, wiped shards', () => {
    const times = { neededSince: now, lastChange: now }
    const settled: Situation = { instances: [x, y], leader: x, owners: [y, x] }
    expect(decide(jobTree(settled), 3, times).do).toBe('commit')
    expect(decide(jobTree({ ...settled, necessary: true }), 2, times).do).toBe('commit')
    const tree = jobTree(settled)
    tree.server.drop(tree.paths.owner(0))
    expect(decide(tree, 2, times).do).toBe('commit')
  })

  it('200 instances that join one after the other within seconds are a few reshardings', () => {
    const tree = jobTree({
      instances: [x],
      leader: x,
      owners: Array.from({ length: 200 }, () => x),
    })
    const apart = 40
    let time = now
    let neededSince: number | undefined
    let lastChange = now
    let commits = 0
    const look = (): void => {
      if (needOf(tree.view, { total: 200, strategy: averageAllocation.type }) === undefined) return
      neededSince ??= time
      const decision = decide(tree, 200, { now: time, neededSince, lastChange })
      if (decision.do !== 'commit') return
      for (const part of decision.parts) expect(tree.apply(part, x)).toBe('committed')
      commits += 1
      neededSince = undefined
    }
    for (let n = 0; n < 199; n++) {
      tree.join(instanceNumber(n))
      lastChange = time
      look()
      time += apart
    }
    time += 1000
    look()
    expect(needOf(tree.view, { total: 200, strategy: averageAllocation.type })).toBeUndefined()
    expect(new Set(tree.ownerNodes).size).toBe(200)
    // Everybody within 8 seconds, one for each 5 of them: not one for each of the 199.
    expect(commits).toBe(2)
  })
})

describe('two leaders', () => {
  it('of ours exclude each other, in whatever order their transactions arrive', () => {
    const situation: Situation = {
      instances: [x, y],
      leader: x,
      owners: [x, x],
      epoch: { among: [x] },
    }
    const tree = jobTree(situation)
    const late = planned(tree, 2)
    tree.server.drop(tree.paths.leaderInstance)
    tree.apply(planCandidacy(tree.view, tree.member(y)), y)
    tree.server.drop(tree.paths.instance(x))
    reshard(tree, 2)
    const owners = tree.ownerNodes
    for (const part of late.parts) expect(tree.apply(part, x)).toBe('BAD_VERSION')
    expect(tree.ownerNodes).toEqual(owners)
  })

  it('the plan of a leader that one of Java has followed fails', () => {
    const tree = jobTree({ instances: [x, y], leader: x, owners: [x, x], epoch: { among: [x] } })
    const late = planned(tree, 2)
    tree.server.drop(tree.paths.leaderInstance)
    tree.server.put(tree.paths.leaderInstance, '10.0.0.9@-@99')
    for (const part of late.parts) expect(tree.apply(part, x)).toBe('BAD_VERSION')
  })

  it('the same plan is carried out once', () => {
    const tree = jobTree({ instances: [x], leader: x, epoch: false })
    const { parts } = planned(tree, 1)
    expect(tree.apply(parts.flat(), x)).toBe('committed')
    expect(tree.apply(parts.flat(), x)).toBe('BAD_VERSION')
  })
})

describe('a resharding and a claim', () => {
  const situation: Situation = {
    instances: [x, y],
    leader: x,
    owners: [x, x],
    epoch: { among: [x] },
  }

  it('the claim of a former owner that arrives after the move fails', () => {
    const tree = jobTree(situation)
    const late = claim(tree, x, 0)
    reshard(tree, 2)
    expect(tree.ownerNodes).toEqual([y, x])
    expect(tree.apply(late.operations, x)).toBe('BAD_VERSION')
    expect(tree.apply(claim(tree, y, 0).operations, y)).toBe('committed')
  })

  it('a move that arrives after the claim leaves the run its own, and the next owner waits for it', () => {
    const tree = jobTree(situation)
    const late = planned(tree, 2)
    const hasty = claim(tree, y, 0)
    const run = claim(tree, x, 0)
    tree.apply(run.operations, x)
    for (const part of late.parts) expect(tree.apply(part, x)).toBe('committed')
    const settings = { mixed: false, failover: false }
    expect(obstacleTo(tree.view, tree.owned(0), settings)).toBe('running')
    expect(tree.apply(hasty.operations, y)).not.toBe('committed')
    const owned = { ...tree.owned(0), shardState: run.shardState }
    const ending = {
      outcome: 'success',
      error: undefined,
      handOver: false,
      before: neverRun,
      now: 6000,
    } as const
    const end = planEnd(tree.view, tree.member(x), owned, ending)
    expect(tree.apply(end.operations, x)).toBe('committed')
    expect(obstacleTo(tree.view, tree.owned(0), settings)).toBeUndefined()
    expect(needOf(tree.view, { total: 2, strategy: averageAllocation.type })).toBeUndefined()
    expect(tree.apply(claim(tree, y, 0, 7000).operations, y)).toBe('committed')
  })

  it('10 shards, then 5, then 10: a late claim for the shard that was made again excludes the new one', () => {
    for (const lateFirst of [true, false]) {
      const owners = Array.from({ length: 10 }, () => x)
      const tree = jobTree({
        instances: [x],
        leader: x,
        owners,
        shardStates: { 7: { fireTime: 4000 } },
      })
      const late = claim(tree, x, 7)
      reshard(tree, 5)
      tree.join(y)
      reshard(tree, 10)
      expect(tree.ownerNodes[7]).toBe(x)
      tree.server.put(tree.paths.owner(7), y)
      const fresh = claim(tree, y, 7)
      const order = lateFirst ? [late, fresh] : [fresh, late]
      const outcomes = order.map(({ operations, shardState }) =>
        tree.apply(operations, shardState.instance),
      )
      expect(outcomes[0]).toBe('committed')
      expect(outcomes[1]).not.toBe('committed')
    }
  })

  it('10 shards, then 5, then 10: the state remembers what was run before', () => {
    const owners = Array.from({ length: 10 }, () => x)
    const tree = jobTree({
      instances: [x],
      leader: x,
      owners,
      shardStates: { 7: { fireTime: 4000 } },
    })
    reshard(tree, 5)
    expect(tree.view.shards.has(7)).toBe(false)
    reshard(tree, 10)
    expect(tree.view.shards.has(7)).toBe(true)
    expect(tree.shardState(7)?.fireTime).toBe(4000)
  })
})

describe('more than fits into one transaction', () => {
  const total = 5000
  const many = (): JobTree => jobTree({ instances: [x, y], leader: x, epoch: false })

  it('goes out in parts, each of them small enough', () => {
    const tree = many()
    const { parts } = reshard(tree, total)
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) expect(bytesOf(part)).toBeLessThanOrEqual(maximumBytes)
    expect(new Set(tree.ownerNodes)).toEqual(new Set([x, y]))
    expect(tree.ownerNodes).toHaveLength(total)
  })

  it('one that was cut short is needed again, and is then done', () => {
    const tree = many()
    const [first] = planned(tree, total).parts
    expect(tree.apply(first ?? [], x)).toBe('committed')
    expect(needOf(tree.view, { total, strategy: averageAllocation.type })).toBeDefined()
    reshard(tree, total)
    expect(tree.ownerNodes).toHaveLength(total)
  })

  it('every part fails for a leader that was deposed in between', () => {
    const tree = many()
    const [first, ...others] = planned(tree, total).parts
    tree.apply(first ?? [], x)
    tree.server.drop(tree.paths.leaderInstance)
    tree.apply(planCandidacy(tree.view, tree.member(y)), y)
    expect(others.length).toBeGreaterThan(0)
    for (const part of others) expect(tree.apply(part, x)).toBe('BAD_VERSION')
  })

  it('one that was cut short is put right also when who came has gone again', () => {
    const owners = Array.from({ length: 2 * total }, () => x)
    const tree = jobTree({ instances: [x], leader: x, owners })
    tree.join(y)
    const { parts } = planned(tree, owners.length)
    expect(parts.length).toBeGreaterThan(1)
    expect(tree.apply(parts[0] ?? [], x)).toBe('committed')
    tree.server.expire(y)
    expect(tree.ownerNodes).toContain(y)
    expect(
      needOf(tree.view, { total: owners.length, strategy: averageAllocation.type }),
    ).toBeDefined()
    reshard(tree, owners.length)
    expect(tree.ownerNodes).toEqual(owners)
  })
})

describe('any resharding', () => {
  const everybody = [x, y, z, instanceNumber(1), instanceNumber(2)]
  const somebody = fc.constantFrom(...everybody)
  const shard = fc.integer({ min: 0, max: 11 })
  const situations = fc.record({
    instances: fc.subarray(everybody, { minLength: 1 }),
    leaving: fc.subarray(everybody),
    disabled: fc.subarray(everybody),
    owners: fc.array(fc.option(somebody, { nil: undefined }), { maxLength: 12 }),
    runs: fc.dictionary(shard.map(String), somebody, { maxKeys: 6 }),
    wiped: fc.array(shard, { maxLength: 4 }),
    moving: fc.dictionary(shard.map(String), somebody, { maxKeys: 3 }),
    assignedAmong: fc.subarray(everybody),
    necessary: fc.boolean(),
    total: fc.integer({ min: 1, max: 12 }),
    strategy: fc.constantFrom(...strategies.names),
    staticSharding: fc.boolean(),
  })

  it('leaves nothing to be done, and each shard one available owner unless it runs where it is', () => {
    fc.assert(
      fc.property(situations, (given) => {
        const { total, staticSharding, owners, moving } = given
        const servers = Object.fromEntries(
          given.disabled.map((instance) => [serverOf(instance), 'DISABLED'] as const),
        )
        const leaving = given.leaving.filter((instance) => !given.instances.includes(instance))
        const marks = Object.fromEntries(
          Object.entries(given.runs)
            .filter(([number]) => owners[Number(number)] !== undefined)
            .map(([number]) => [number, { running: owners[Number(number)] as string }]),
        )
        const tree = jobTree({
          ...given,
          leaving,
          servers,
          marks,
          moving,
          epoch: { among: given.assignedAmong },
          leader: given.instances[0] as string,
        })
        for (const number of given.wiped) tree.server.drop(tree.paths.owner(number))
        const before = tree.view
        const available = availableInstances(before)
        if (available.length === 0) return
        const strategy = strategies.get(given.strategy)
        if (decide(tree, total, { strategy }).do === 'nothing') return
        const { assignment } = reshard(tree, total, { strategy, staticSharding })
        for (let number = 0; number < total; number++) {
          const owner = assignment.owners[number] as string
          expect(tree.ownerNodes[number]).toBe(owner)
          const keeps =
            before.shards.get(number)?.running === true && owner === ownerOf(before, number)
          expect(keeps || available.includes(owner)).toBe(true)
        }
        const surplus = [...tree.view.shards].filter(([number]) => number >= total)
        expect(surplus.every(([, { running }]) => running)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
