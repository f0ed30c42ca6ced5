import { describe, expect, it } from 'vitest'

import { type ShardState, neverRun } from '../../src/job-tree/shard-state.ts'
import type { ManualRun } from '../../src/job-tree/job-state.ts'
import {
  forgottenTriggers,
  isComplete,
  shardsOfManualRun,
  planAdvance,
  planConversion,
  planManualRun,
  type ManualRunRequest,
} from '../../src/trigger/plan.ts'
import { java, type JobTree, jobTree, viewOf, x, y, z } from '../tree.ts'

const now = 9000

function ask(tree: JobTree, request: ManualRunRequest = {}, instance = x): ManualRun {
  const { manualRun, operations } = planManualRun(tree.view, tree.member(instance), request, now)
  expect(tree.apply(operations, instance)).toBe('committed')
  return manualRun
}

describe('planManualRun', () => {
  it('begins a manual run with the next id', () => {
    const tree = jobTree({ instances: [x], jobState: { lastRound: 6 } })
    const manualRun = ask(tree, { parameter: 'p', shards: [0, 2] })
    expect(manualRun).toEqual({ id: 7, asked: now, parameter: 'p', shards: [0, 2] })
    expect(tree.view.jobState?.value).toMatchObject({ lastRound: 7, running: manualRun })
  })

  it('one that is asked for while another runs waits for its turn, it is not dropped', () => {
    const tree = jobTree({ instances: [x] })
    const first = ask(tree)
    const second = ask(tree)
    expect(tree.view.jobState?.value).toMatchObject({
      running: first,
      pending: second,
      lastRound: 2,
    })
    tree.apply(planAdvance(tree.view, tree.member(x)), x)
    expect(tree.view.jobState?.value).toMatchObject({ running: second, previous: first })
    expect(tree.view.jobState?.value.pending).toBeUndefined()
  })

  it('a third that asks for the same is the one that waits, and changes nothing', () => {
    const tree = jobTree({ instances: [x] })
    ask(tree)
    const waiting = ask(tree, { parameter: 'p', shards: [1] })
    const third = planManualRun(tree.view, tree.member(x), { shards: [1], parameter: 'p' }, now + 5)
    expect(third).toEqual({ manualRun: waiting, operations: [] })
  })

  it('a third that asks for something else is told to come later', () => {
    const tree = jobTree({ instances: [x] })
    ask(tree)
    ask(tree, { parameter: 'p' })
    for (const request of [{}, { parameter: 'q' }, { parameter: 'p', shards: [0] }]) {
      expect(() => planManualRun(tree.view, tree.member(x), request, now)).toThrow(
        expect.objectContaining({ code: 'JOB_TRIGGER_PENDING' }),
      )
    }
  })

  it('two that are asked for at once get ids of their own, one after the other', () => {
    const tree = jobTree({ instances: [x, y] })
    const plans = [x, y].map((me) =>
      planManualRun(tree.view, tree.member(me), { parameter: me }, now),
    )
    expect(plans.map(({ operations }) => tree.apply(operations, x))).toEqual([
      'committed',
      'BAD_VERSION',
    ])
    expect(ask(tree, { parameter: y }, y).id).toBe(2)
  })

  it('is an error without an instance that could run it', () => {
    for (const situation of [{}, { instances: [x], jobState: false as const }]) {
      const tree = jobTree(situation)
      expect(() => planManualRun(tree.view, tree.member(x), {}, now)).toThrow(
        expect.objectContaining({ code: 'JOB_NO_INSTANCE' }),
      )
    }
  })

  it('makes the triggers of Java, for whom the node is the trigger, and none for ours', () => {
    const tree = jobTree({ instances: [x, java] })
    ask(tree)
    expect([...tree.view.triggers.keys()]).toEqual([java])
    ask(tree)
    expect([...tree.view.triggers.keys()]).toEqual([java])
  })

  it('makes no trigger for Java of what Java cannot do: some shards, or another parameter', () => {
    for (const request of [{ shards: [0] }, { parameter: 'p' }]) {
      const tree = jobTree({ instances: [x, java] })
      ask(tree, request)
      expect(tree.view.triggers.size).toBe(0)
    }
  })

  it('makes no trigger for an instance of Java that is not asked', () => {
    const tree = jobTree({ instances: [x, java] })
    ask(tree, { instances: [x] })
    expect(tree.view.triggers.size).toBe(0)
  })
})

describe('forgottenTriggers', () => {
  const triggers = [x, y, java]

  it('those for the dead of ours, in a job that is shared with Java', () => {
    expect(forgottenTriggers(viewOf({ instances: [x, java], triggers }))).toEqual([y])
    expect(forgottenTriggers(viewOf({ instances: [x, java], leaving: [y], triggers }))).toEqual([])
  })

  it('none in a job without Java instances, where the leader repairs what is left', () => {
    expect(forgottenTriggers(viewOf({ instances: [x], triggers: [x, y] }))).toEqual([])
  })
})

describe('planConversion', () => {
  function convert(tree: JobTree, at = now + 1000): ReturnType<typeof planConversion> {
    const decision = planConversion(tree.view, tree.member(x), at, now)
    const outcome = decision.do === 'convert' ? tree.apply(decision.operations, x) : 'committed'
    expect(outcome).toBe('committed')
    return decision
  }

  it('has nothing to do without triggers, nor with those of Java or of the dead alone', () => {
    for (const triggers of [[], [java], [z]]) {
      const tree = jobTree({ instances: [x, java], triggers })
      expect(convert(tree)).toEqual({ do: 'nothing' })
    }
  })

  it('makes one manual run for everybody, at once', () => {
    const tree = jobTree({ instances: [x, y], triggers: [x, y] })
    const decision = convert(tree, now)
    expect(decision).toMatchObject({ do: 'convert', round: { id: 1, asked: now } })
    expect(tree.view.jobState?.value.running).toEqual({ id: 1, asked: now })
    expect(tree.view.triggers.size).toBe(0)
  })

  it('waits for others that may come within a second, then makes a manual run of those that came', () => {
    const tree = jobTree({ instances: [x, y, z], triggers: [z, y] })
    expect(convert(tree, now + 999)).toEqual({ do: 'wait', until: now + 1000 })
    convert(tree, now + 1000)
    expect(tree.view.jobState?.value.running?.instances).toEqual([y, z])
  })

  it('leaves the triggers of Java to Java, and takes those of the dead away with the others', () => {
    const tree = jobTree({ instances: [x, java], triggers: [x, java, z] })
    convert(tree, now)
    expect([...tree.view.triggers.keys()]).toEqual([java])
  })

  it('waits for its turn behind a manual run that runs', () => {
    const running: ManualRun = { id: 3, asked: 1 }
    const tree = jobTree({ instances: [x], triggers: [x], jobState: { lastRound: 3, running } })
    convert(tree)
    expect(tree.view.jobState?.value).toMatchObject({ running, pending: { id: 4 }, lastRound: 4 })
  })

  it('is one with a manual run that waits and reaches the same instances', () => {
    const jobState = { lastRound: 4, running: { id: 3, asked: 1 }, pending: { id: 4, asked: 2 } }
    const tree = jobTree({ instances: [x, y], triggers: [x], jobState })
    expect(convert(tree)).toMatchObject({ do: 'convert', round: jobState.pending })
    expect(tree.view.jobState?.value).toMatchObject(jobState)
    expect(tree.view.triggers.size).toBe(0)
  })

  it.each([
    ['other instances', { instances: [y] }],
    ['some shards', { shards: [3] }],
    ['a parameter', { parameter: 'p' }],
  ])('is not swallowed by a manual run that waits with %s', (_, request) => {
    const jobState = {
      lastRound: 4,
      running: { id: 3, asked: 1 },
      pending: { id: 4, asked: 2, ...request },
    }
    const tree = jobTree({ instances: [x, y], triggers: [x], jobState })
    expect(convert(tree)).toEqual({ do: 'nothing' })
    expect([...tree.view.triggers.keys()]).toEqual([x])
    tree.apply(planAdvance(tree.view, tree.member(x)), x)
    expect(convert(tree)).toMatchObject({ do: 'convert', round: { id: 5, instances: [x] } })
  })

  it('happens once, however many of ours see the triggers', () => {
    const tree = jobTree({ instances: [x, y], triggers: [x, y] })
    const plans = [x, y].map((me) => planConversion(tree.view, tree.member(me), now, now))
    const outcomes = plans.map((plan) =>
      plan.do === 'convert' ? tree.apply(plan.operations, x) : plan.do,
    )
    expect(outcomes).toEqual(['committed', 'BAD_VERSION'])
    expect(tree.view.jobState?.value.lastRound).toBe(1)
  })
})

describe('shardsOfManualRun', () => {
  const owners = [x, y, x, undefined]
  const manualRun: ManualRun = { id: 1, asked: now }

  it('are all shards, those without an owner included: somebody will have them', () => {
    const view = viewOf({ instances: [x, y], owners })
    expect(shardsOfManualRun(view, manualRun, 4)).toEqual([0, 1, 2, 3])
  })

  it('are those of the instances that it names', () => {
    const view = viewOf({ instances: [x, y], owners })
    expect(shardsOfManualRun(view, { ...manualRun, instances: [x] }, 4)).toEqual([0, 2])
  })

  it('are those that it names', () => {
    const view = viewOf({ instances: [x, y], owners })
    expect(shardsOfManualRun(view, { ...manualRun, shards: [1, 3] }, 4)).toEqual([1, 3])
  })

  it('are none that is disabled, beyond the number of shards, or of Java', () => {
    const view = viewOf({
      instances: [x, y, java],
      owners: [x, y, x, java],
      marks: { 1: { disabled: '' } },
    })
    expect(shardsOfManualRun(view, manualRun, 4)).toEqual([0, 2])
    expect(shardsOfManualRun(view, manualRun, 1)).toEqual([0])
  })

  it('are reached wherever they move', () => {
    const before = viewOf({ instances: [x, y], owners: [x, y] })
    const after = viewOf({ instances: [x, y], owners: [y, x] })
    expect(shardsOfManualRun(after, manualRun, 2)).toEqual(shardsOfManualRun(before, manualRun, 2))
  })
})

describe('isComplete', () => {
  const manualRun: ManualRun = { id: 5, asked: now }

  const { view } = jobTree({ instances: [x], leaving: [y] })

  const complete = (second: Partial<ShardState> = {}, failover = false): boolean => {
    const ran: ShardState = { ...neverRun, round: 5 }
    const shardStates = new Map([
      [0, { value: ran, version: 1 }],
      [1, { value: { ...ran, ...second }, version: 1 }],
    ])
    return isComplete(view, manualRun, [0, 1], shardStates, failover)
  }

  it('is a manual run that every shard has run in and ended', () => {
    expect(complete()).toBe(true)
    expect(complete({ round: 6 })).toBe(true)
    expect(complete({ round: 4 })).toBe(false)
    expect(complete({ state: 'abandoned' })).toBe(true)
    expect(complete({ state: 'running', instance: x })).toBe(false)
    expect(complete({ state: 'running', instance: y })).toBe(false)
    expect(isComplete(view, manualRun, [0], new Map(), false)).toBe(false)
  })

  it('waits for what a dead instance left only if somebody takes it over', () => {
    expect(complete({ state: 'running', instance: z }, true)).toBe(false)
    expect(complete({ state: 'crashed', instance: z }, true)).toBe(false)
    expect(complete({ state: 'running', instance: z }, false)).toBe(true)
    expect(complete({ state: 'crashed', instance: z }, false)).toBe(true)
  })

  it('is a manual run that reaches nothing', () => {
    expect(isComplete(view, manualRun, [], new Map(), true)).toBe(true)
  })
})

describe('planAdvance', () => {
  it('has nothing to do without a manual run', () => {
    const tree = jobTree({ instances: [x] })
    expect(planAdvance(tree.view, tree.member(x))).toEqual([])
  })

  it('keeps all else that the state of the job says', () => {
    const jobState = {
      lastRound: 1,
      running: { id: 1, asked: 1 },
      paused: true,
      pausedServers: ['10.0.0.1'],
      schedule: { digest: 'd', since: 3 },
    }
    const tree = jobTree({ instances: [x], jobState })
    tree.apply(planAdvance(tree.view, tree.member(x)), x)
    const { running, ...rest } = jobState
    expect(tree.view.jobState?.value).toEqual({ ...rest, previous: running })
  })

  it('does not lose a manual run that was asked for meanwhile', () => {
    const tree = jobTree({ instances: [x, y] })
    ask(tree)
    const advance = planAdvance(tree.view, tree.member(x))
    const second = ask(tree, {}, y)
    expect(tree.apply(advance, x)).toBe('BAD_VERSION')
    tree.apply(planAdvance(tree.view, tree.member(x)), x)
    expect(tree.view.jobState?.value.running).toEqual(second)
  })

  it('the end of a manual run does not begin it again when the configuration changes', () => {
    const tree = jobTree({ instances: [x], config: 'a' })
    const manualRun = ask(tree)
    tree.apply(planAdvance(tree.view, tree.member(x)), x)
    tree.server.put(tree.paths.config, 'b')
    expect(tree.view.jobState?.value.running).toBeUndefined()
    expect(tree.view.jobState?.value.previous).toEqual(manualRun)
  })
})
