import { describe, expect, it } from 'vitest'

import {
  candidates,
  leaderChecks,
  leads,
  planAbdication,
  planElection,
  planLastRequest,
  planCandidacy,
} from '../../src/election/plan.ts'
import { planResharding } from '../../src/sharding/plan.ts'
import { averageAllocation } from '../../src/sharding/strategies/average-allocation.ts'
import { java, jobTree, type Situation, viewOf, x, y, z } from '../tree.ts'

const now = 10_000

/** What an instance decides that has seen for long that there is no leader. */
function decide(situation: Situation, instance = x): ReturnType<typeof planElection> {
  const tree = jobTree(situation)
  return planElection(tree.view, tree.member(instance), now, 0, 0)
}

describe('planElection', () => {
  it('stands when there is no leader', () => {
    expect(decide({ instances: [x] })).toEqual({ do: 'stand', inLatch: false })
  })

  it('leaves a leader alone, whoever it is', () => {
    expect(decide({ instances: [x, y], leader: y })).toEqual({ do: 'nothing' })
    expect(decide({ instances: [x, java], leader: java })).toEqual({ do: 'nothing' })
    expect(decide({ instances: [x], leader: x })).toEqual({ do: 'nothing' })
  })

  it('does not stand without being registered', () => {
    expect(decide({ instances: [y], leaving: [x] })).toEqual({ do: 'nothing' })
  })

  it('takes turns by rank, 50 ms apart, so that a dead leader is not followed by a stampede', () => {
    const tree = jobTree({ instances: [z, y, x] })
    const decideAt = (instance: string, time: number): ReturnType<typeof planElection> =>
      planElection(tree.view, tree.member(instance), time, now, 0)
    expect(decideAt(x, now)).toEqual({ do: 'stand', inLatch: false })
    expect(decideAt(y, now)).toEqual({ do: 'wait', until: now + 50 })
    expect(decideAt(z, now)).toEqual({ do: 'wait', until: now + 100 })
    expect(decideAt(z, now + 100)).toEqual({ do: 'stand', inLatch: false })
  })

  it('never stands on a disabled server, and its turn goes to the next', () => {
    const situation: Situation = { instances: [x, y], servers: { '10.0.0.1': 'DISABLED' } }
    expect(decide(situation, x)).toEqual({ do: 'nothing' })
    const tree = jobTree(situation)
    expect(planElection(tree.view, tree.member(y), now, now, 0).do).toBe('stand')
  })

  it('counts a server without a node as enabled', () => {
    expect(decide({ instances: [x], servers: { '10.0.0.1': undefined } }).do).toBe('stand')
  })

  it('needs no latch that a foreign child could block, unless Java takes part', () => {
    expect(decide({ instances: [x, y] })).toEqual({ do: 'stand', inLatch: false })
    expect(decide({ instances: [x, java] })).toEqual({ do: 'stand', inLatch: true })
  })

  it('abdicates when its own server is disabled, and a follower does nothing then', () => {
    const situation: Situation = {
      instances: [x, y],
      leader: x,
      servers: { '10.0.0.1': 'DISABLED' },
    }
    expect(decide(situation, x)).toMatchObject({ do: 'abdicate', reason: 'disabled' })
    expect(decide(situation, y)).toEqual({ do: 'nothing' })
  })

  it('asks for its shards to be assigned when it is disabled: a Java successor has not heard why', () => {
    const servers = { '10.0.0.1': 'DISABLED' }
    const flagAfter = (situation: Situation): boolean => {
      const tree = jobTree({ leader: x, servers, owners: [x, x], ...situation })
      const decision = planElection(tree.view, tree.member(x), 0, 0, 0)
      if (decision.do !== 'abdicate') throw new Error(`decided to ${decision.do}`)
      expect(tree.apply(decision.operations, x)).toBe('committed')
      expect(tree.view.leader).toBeUndefined()
      return tree.view.necessary !== undefined
    }
    expect(flagAfter({ instances: [x, java] })).toBe(true)
    expect(flagAfter({ instances: [x, java], necessary: true })).toBe(true)
    expect(flagAfter({ instances: [x, y] })).toBe(false)
  })

  it('abdicates when its server is paused and somebody else could lead', () => {
    const jobState = { pausedServers: ['10.0.0.1'] }
    expect(decide({ instances: [x, y], leader: x, jobState })).toMatchObject({
      do: 'abdicate',
      reason: 'paused',
    })
    expect(decide({ instances: [x], leader: x, jobState })).toEqual({ do: 'nothing' })
  })

  it('does not abdicate again for an instance that did not stand when it could', () => {
    const tree = jobTree({
      instances: [x, y],
      leader: x,
      jobState: { pausedServers: ['10.0.0.1'] },
    })
    const after = (...declined: string[]): ReturnType<typeof planElection> =>
      planElection(tree.view, tree.member(x), now, 0, 0, new Set(declined))
    expect(after(y)).toEqual({ do: 'nothing' })
    expect(after(z)).toMatchObject({ do: 'abdicate', reason: 'paused' })
  })

  it('leaves the election to instances that are not paused for a second', () => {
    const waitOf = (pausedServers: readonly string[]): ReturnType<typeof planElection> => {
      const tree = jobTree({ instances: [x, y], jobState: { pausedServers } })
      return planElection(tree.view, tree.member(x), now, now, 0)
    }
    expect(waitOf(['10.0.0.1'])).toEqual({ do: 'wait', until: now + 1050 })
    expect(waitOf(['10.0.0.1', '10.0.0.2'])).toEqual({ do: 'stand', inLatch: false })
  })

  it('goes on leading when the whole job is paused: somebody has to', () => {
    expect(decide({ instances: [x, y], leader: x, jobState: { paused: true } })).toEqual({
      do: 'nothing',
    })
  })

  it('lets others try for as long as it abstains', () => {
    const tree = jobTree({ instances: [x, y] })
    const abstainUntil = now + 60_000
    const decision = planElection(tree.view, tree.member(x), now, 0, abstainUntil)
    expect(decision).toEqual({ do: 'wait', until: abstainUntil })
    expect(planElection(tree.view, tree.member(x), abstainUntil, 0, abstainUntil).do).toBe('stand')
    expect(planElection(tree.view, tree.member(y), now, 0, 0).do).toBe('stand')
  })
})

describe('candidates', () => {
  it('are all on enabled servers, paused ones last', () => {
    const view = viewOf({
      instances: [x, y, z],
      servers: { '10.0.0.3': 'DISABLED' },
      jobState: { pausedServers: ['10.0.0.1'] },
    })
    expect(candidates(view)).toEqual([y, x])
  })

  it('knows 10.0.0.1 from 10.0.0.12', () => {
    const other = '10.0.0.12@-@5-abcdefgh'
    const servers = { '10.0.0.1': 'DISABLED', '10.0.0.12': 'ENABLED' }
    expect(candidates(viewOf({ instances: [x, other], servers }))).toEqual([other])
  })
})

describe('planCandidacy', () => {
  it('makes the leader node with version 1, where one of Java has 0', () => {
    const tree = jobTree({ instances: [x] })
    expect(tree.apply(planCandidacy(tree.view, tree.member(x)), x)).toBe('committed')
    expect(tree.view.leader).toEqual({ instance: x, version: 1 })
    expect(leads(tree.view, x)).toBe(true)
    expect(leads(tree.view, y)).toBe(false)
  })

  it('makes a node that goes with its session', () => {
    const tree = jobTree({ instances: [x] })
    tree.apply(planCandidacy(tree.view, tree.member(x)), x)
    tree.server.expire(x)
    expect(tree.view.leader).toBeUndefined()
  })

  it('keeps what the epoch says and makes it another epoch', () => {
    const tree = jobTree({ instances: [x, y], owners: [x, y], moving: { 0: y } })
    const before = tree.view.assignment
    tree.apply(planCandidacy(tree.view, tree.member(x)), x)
    expect(tree.view.assignment?.value).toEqual(before?.value)
    expect(tree.view.assignment?.version).toBe((before?.version ?? 0) + 1)
  })

  it('makes the epoch and the folders where Java has not', () => {
    const tree = jobTree({ instances: [x] })
    tree.server.drop(tree.paths.leader)
    expect(tree.apply(planCandidacy(tree.view, tree.member(x)), x)).toBe('committed')
    expect(tree.view.assignment).toMatchObject({ value: { digest: '', owners: [] }, version: 1 })
    expect(tree.server.get(tree.paths.assignment)?.session).toBeUndefined()
  })

  it('lets one of all who stand at once become leader', () => {
    for (const order of [
      [x, y],
      [y, x],
    ] as const) {
      const tree = jobTree({ instances: [x, y] })
      const plans = order.map((instance) => planCandidacy(tree.view, tree.member(instance)))
      const outcomes = plans.map((plan, index) => tree.apply(plan, order[index] as string))
      expect(outcomes).toEqual(['committed', 'NODE_EXISTS'])
      expect(tree.view.leader?.instance).toBe(order[0])
    }
  })

  it('refuses a candidacy planned before another leader resharded', () => {
    const tree = jobTree({ instances: [x, y], owners: [z, z] })
    const late = planCandidacy(tree.view, tree.member(x))
    expect(tree.apply(planCandidacy(tree.view, tree.member(y)), y)).toBe('committed')
    const leader = tree.member(y)
    const decision = planResharding(tree.view, leader, {
      total: 2,
      strategy: averageAllocation,
      staticSharding: false,
      now,
      nextFire: undefined,
      isDue: true,
      neededSince: 0,
      lastChange: 0,
      states: new Map(),
    })
    if (decision.do !== 'commit') throw new Error(`decided to ${decision.do}`)
    for (const parts of decision.parts) expect(tree.apply(parts, y)).toBe('committed')
    expect(tree.apply(planAbdication(tree.view, leader), y)).toBe('committed')
    const { owners } = decision.assignment
    expect(owners).not.toContain(z)
    expect(tree.apply(late, x)).toBe('BAD_VERSION')
    expect(tree.view.assignment?.value.owners).toEqual(owners)
    expect(tree.view.leader).toBeUndefined()
  })

  it('fails for an instance that has gone meanwhile', () => {
    const tree = jobTree({ instances: [x, y] })
    const plan = planCandidacy(tree.view, tree.member(x))
    tree.server.drop(tree.paths.instance(x))
    expect(tree.apply(plan, x)).toBe('NO_NODE')
    expect(tree.view.leader).toBeUndefined()
  })

  it('in a mixed job fails without its child of the latch', () => {
    const tree = jobTree({ instances: [x, java] })
    const latchNode = `${tree.paths.electionLatch}/_c_1-latch-0000000001`
    tree.server.put(latchNode)
    const plan = planCandidacy(tree.view, tree.member(x), latchNode)
    expect(tree.fork().apply(plan, x)).toBe('committed')
    tree.server.drop(latchNode)
    expect(tree.apply(plan, x)).toBe('NO_NODE')
  })
})

describe('what a deposed leader has under way', () => {
  it('fails when one of ours has followed it', () => {
    const tree = jobTree({ instances: [x, y], leader: x })
    const late = leaderChecks(tree.view, tree.member(x))
    expect(tree.fork().apply(late, x)).toBe('committed')
    tree.server.drop(tree.paths.leaderInstance)
    tree.apply(planCandidacy(tree.view, tree.member(y)), y)
    expect(tree.apply(late, x)).toBe('BAD_VERSION')
  })

  it('fails when one of Java has followed it, who leaves the epoch alone', () => {
    const tree = jobTree({ instances: [x, java], leader: x })
    const late = leaderChecks(tree.view, tree.member(x))
    tree.server.drop(tree.paths.leaderInstance)
    tree.server.put(tree.paths.leaderInstance, java)
    expect(tree.apply(late, x)).toBe('BAD_VERSION')
  })

  it('fails when nobody has followed it yet', () => {
    const tree = jobTree({ instances: [x, y], leader: x })
    const late = leaderChecks(tree.view, tree.member(x))
    tree.server.drop(tree.paths.leaderInstance)
    expect(tree.apply(late, x)).toBe('NO_NODE')
  })
})

describe('planAbdication', () => {
  it('takes the leader node away', () => {
    const tree = jobTree({ instances: [x], leader: x })
    expect(tree.apply(planAbdication(tree.view, tree.member(x)), x)).toBe('committed')
    expect(tree.view.leader).toBeUndefined()
  })

  it('leaves a leader of Java alone', () => {
    const tree = jobTree({ instances: [x, java], leader: java })
    expect(tree.apply(planAbdication(tree.view, tree.member(x)), x)).toBe('BAD_VERSION')
    expect(tree.view.leader?.instance).toBe(java)
  })
})

describe('planLastRequest', () => {
  it('asks a Java successor to assign the shards of a leader whose instance node was deleted', () => {
    const tree = jobTree({ instances: [java], leaving: [x], leader: x, owners: [x, java] })
    expect(tree.apply(planLastRequest(tree.view, tree.member(x)), x)).toBe('committed')
    expect(tree.view.necessary).toBeDefined()
  })

  it('leaves it to Java where its successor sees the instance go', () => {
    const tree = jobTree({ instances: [x, java], leader: x, owners: [x, java] })
    expect(planLastRequest(tree.view, tree.member(x))).toEqual([])
  })

  it('asks nobody in a job without Java, and not twice', () => {
    const native = jobTree({ instances: [y], leaving: [x], leader: x, owners: [x, y] })
    expect(planLastRequest(native.view, native.member(x))).toEqual([])
    const asked = jobTree({ instances: [java], leaving: [x], leader: x, necessary: true })
    expect(planLastRequest(asked.view, asked.member(x))).toEqual([])
  })

  it('raises no flag when it has been replaced', () => {
    const tree = jobTree({ instances: [y, java], leaving: [x], leader: x, owners: [x, java] })
    const request = planLastRequest(tree.view, tree.member(x))
    tree.server.put(tree.paths.leaderInstance, java)
    expect(tree.apply(request, x)).toBe('BAD_VERSION')
  })
})

describe('leads', () => {
  it('does not take a leader node at the version of Java for its own', () => {
    const tree = jobTree({ instances: [x, java] })
    tree.server.put(tree.paths.leaderInstance, x)
    expect(leads(tree.view, x)).toBe(false)
  })
})
