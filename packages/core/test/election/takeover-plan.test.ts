import { describe, expect, it } from 'vitest'

import { leads } from '../../src/election/plan.ts'
import {
  planTakeover,
  planTakingOver,
  type TakeoverContext,
  type TakeoverDecision,
} from '../../src/election/takeover-plan.ts'
import { every } from '../support/fires.ts'
import { java, jobTree, type Situation, x, y } from '../tree.ts'

/** Everything in the tree was made at this time, the flag too. */
const raised = 1_000_000
const stuck: Situation = {
  instances: [x, y, java],
  leader: java,
  owners: [java, x],
  necessary: true,
}

function decide(
  after: number,
  situation: Situation = stuck,
  context: Partial<TakeoverContext> = {},
  instance = x,
): TakeoverDecision {
  const tree = jobTree(situation)
  return planTakeover(tree.view, tree.member(instance), {
    now: raised + after,
    fires: every(1000),
    monitorExecution: true,
    ...context,
  })
}

describe('a Java leader that does not assign', () => {
  it('is replaced after a minute of fires', () => {
    expect(decide(60_999)).toEqual({ do: 'wait', until: raised + 61_000 })
    expect(decide(61_000)).toEqual({ do: 'take over' })
  })

  it('gets three whole periods from its first fire on, however long they are', () => {
    const fires = every(3_600_000)
    const first = fires.nextAfter(raised) as number
    const until = first + 3 * 3_600_000
    expect(decide(60_000, stuck, { fires })).toEqual({ do: 'wait', until })
    expect(decide(until - raised, stuck, { fires })).toEqual({ do: 'take over' })
  })

  it('is replaced by one of ours after the other', () => {
    expect(decide(61_000, stuck, {}, y)).toEqual({ do: 'wait', until: raised + 62_000 })
    expect(decide(62_000, stuck, {}, y)).toEqual({ do: 'take over' })
  })

  it('may wait as long as something runs', () => {
    const busy = { ...stuck, marks: { 1: { running: x } } }
    expect(decide(600_000, busy)).toEqual({ do: 'nothing' })
  })

  it('is left alone where nobody can know whether something runs', () => {
    expect(decide(600_000, stuck, { monitorExecution: false })).toEqual({ do: 'nothing' })
  })

  it('is left alone while the flag is down', () => {
    expect(decide(600_000, { ...stuck, necessary: false })).toEqual({ do: 'nothing' })
  })

  it('is not one of ours, and nobody takes over who may not lead', () => {
    expect(decide(600_000, { ...stuck, leader: y })).toEqual({ do: 'nothing' })
    const servers = { '10.0.0.1': 'DISABLED' }
    expect(decide(600_000, { ...stuck, servers })).toEqual({ do: 'nothing' })
  })

  it('has nothing to assign for in a job without a schedule, until somebody asks for a manual run', () => {
    expect(decide(600_000, stuck, { fires: undefined })).toEqual({ do: 'nothing' })
    const manualRun = { id: 1, asked: raised + 100_000 }
    const asked = { ...stuck, jobState: { running: manualRun } }
    const until = manualRun.asked + 60_000
    expect(decide(100_001, asked, { fires: undefined })).toEqual({ do: 'wait', until })
    expect(decide(160_000, asked, { fires: undefined })).toEqual({ do: 'take over' })
  })
})

describe('taking over', () => {
  const latch = '/ns/job/leader/election/latch/_c_1-latch-0000000001'

  it('is one transaction: the leader of Java goes, ours comes, the epoch is ours', () => {
    const tree = jobTree(stuck)
    tree.server.put(latch)
    expect(tree.apply(planTakingOver(tree.view, tree.member(x), latch), x)).toBe('committed')
    expect(leads(tree.view, x)).toBe(true)
    expect(tree.view.assignment?.version).toBe(2)
  })

  it('fails when we do not hold the latch, and when the leader woke up and assigned', () => {
    const tree = jobTree(stuck)
    const plan = planTakingOver(tree.view, tree.member(x), latch)
    expect(tree.fork().apply(plan, x)).toBe('NO_NODE')
    tree.server.put(latch)
    const woken = tree.fork()
    woken.server.drop(tree.paths.necessary)
    expect(woken.apply(plan, x)).toBe('NO_NODE')
    expect(tree.apply(plan, x)).toBe('committed')
  })

  it('fails when one of ours was quicker', () => {
    const tree = jobTree(stuck)
    tree.server.put(latch)
    const mine = planTakingOver(tree.view, tree.member(x), latch)
    expect(tree.apply(planTakingOver(tree.view, tree.member(y), latch), y)).toBe('committed')
    expect(tree.apply(mine, x)).toBe('BAD_VERSION')
  })
})
