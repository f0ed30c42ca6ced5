import { describe, expect, it } from 'vitest'

import { type ItemWord, neverRun } from '../../src/job-tree/item-word.ts'
import type { Round } from '../../src/job-tree/job-word.ts'
import {
  forgottenTriggers,
  instancesOf,
  isComplete,
  itemsOfRound,
  planAdvance,
  planConversion,
  planRound,
  type RoundRequest,
} from '../../src/trigger/plan.ts'
import { java, type JobTree, jobTree, viewOf, x, y, z } from '../tree.ts'

const now = 9000

function ask(tree: JobTree, request: RoundRequest = {}, instance = x): Round {
  const { round, operations } = planRound(tree.view, tree.member(instance), request, now)
  expect(tree.apply(operations, instance)).toBe('committed')
  return round
}

describe('planRound', () => {
  it('begins a round with the next id', () => {
    const tree = jobTree({ instances: [x], word: { lastRound: 6 } })
    const round = ask(tree, { parameter: 'p', items: [0, 2] })
    expect(round).toEqual({ id: 7, asked: now, parameter: 'p', items: [0, 2] })
    expect(tree.view.word?.value).toMatchObject({ lastRound: 7, running: round })
  })

  it('I-36: one that is asked for while another runs waits for its turn, it is not dropped', () => {
    const tree = jobTree({ instances: [x] })
    const first = ask(tree)
    const second = ask(tree)
    expect(tree.view.word?.value).toMatchObject({ running: first, pending: second, lastRound: 2 })
    tree.apply(planAdvance(tree.view, tree.member(x)), x)
    expect(tree.view.word?.value).toMatchObject({ running: second, previous: first })
    expect(tree.view.word?.value.pending).toBeUndefined()
  })

  it('I-36: a third that asks for the same is the one that waits, and changes nothing', () => {
    const tree = jobTree({ instances: [x] })
    ask(tree)
    const waiting = ask(tree, { parameter: 'p', items: [1] })
    const third = planRound(tree.view, tree.member(x), { items: [1], parameter: 'p' }, now + 5)
    expect(third).toEqual({ round: waiting, operations: [] })
  })

  it('a third that asks for something else is told to come later', () => {
    const tree = jobTree({ instances: [x] })
    ask(tree)
    ask(tree, { parameter: 'p' })
    for (const request of [{}, { parameter: 'q' }, { parameter: 'p', items: [0] }]) {
      expect(() => planRound(tree.view, tree.member(x), request, now)).toThrow(
        expect.objectContaining({ code: 'JOB_TRIGGER_PENDING' }),
      )
    }
  })

  it('I-36: two that are asked for at once get ids of their own, one after the other', () => {
    const tree = jobTree({ instances: [x, y] })
    const plans = [x, y].map((me) => planRound(tree.view, tree.member(me), { parameter: me }, now))
    expect(plans.map(({ operations }) => tree.apply(operations, x))).toEqual([
      'committed',
      'BAD_VERSION',
    ])
    expect(ask(tree, { parameter: y }, y).id).toBe(2)
  })

  it('is an error without an instance that could run it', () => {
    for (const situation of [{}, { instances: [x], word: false as const }]) {
      const tree = jobTree(situation)
      expect(() => planRound(tree.view, tree.member(x), {}, now)).toThrow(
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

  it('makes no trigger for Java of what Java cannot do: some items, or another parameter', () => {
    for (const request of [{ items: [0] }, { parameter: 'p' }]) {
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

  it('none in a pure job, where the leader mends what is left', () => {
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

  it('makes one round of triggers for everybody, at once', () => {
    const tree = jobTree({ instances: [x, y], triggers: [x, y] })
    const decision = convert(tree, now)
    expect(decision).toMatchObject({ do: 'convert', round: { id: 1, asked: now } })
    expect(tree.view.word?.value.running).toEqual({ id: 1, asked: now })
    expect(tree.view.triggers.size).toBe(0)
  })

  it('waits for others that may come within a second, then makes a round of those that came', () => {
    const tree = jobTree({ instances: [x, y, z], triggers: [z, y] })
    expect(convert(tree, now + 999)).toEqual({ do: 'wait', until: now + 1000 })
    convert(tree, now + 1000)
    expect(tree.view.word?.value.running?.instances).toEqual([y, z])
  })

  it('leaves the triggers of Java to Java, and takes those of the dead away with the others', () => {
    const tree = jobTree({ instances: [x, java], triggers: [x, java, z] })
    convert(tree, now)
    expect([...tree.view.triggers.keys()]).toEqual([java])
  })

  it('I-36: waits for its turn behind a round that runs', () => {
    const running: Round = { id: 3, asked: 1 }
    const tree = jobTree({ instances: [x], triggers: [x], word: { lastRound: 3, running } })
    convert(tree)
    expect(tree.view.word?.value).toMatchObject({ running, pending: { id: 4 }, lastRound: 4 })
  })

  it('is one with a round that waits and reaches the same instances', () => {
    const word = { lastRound: 4, running: { id: 3, asked: 1 }, pending: { id: 4, asked: 2 } }
    const tree = jobTree({ instances: [x, y], triggers: [x], word })
    expect(convert(tree)).toMatchObject({ do: 'convert', round: word.pending })
    expect(tree.view.word?.value).toMatchObject(word)
    expect(tree.view.triggers.size).toBe(0)
  })

  it.each([
    ['other instances', { instances: [y] }],
    ['some items', { items: [3] }],
    ['a parameter', { parameter: 'p' }],
  ])('I-36: is not swallowed by a round that waits with %s', (_, request) => {
    const word = {
      lastRound: 4,
      running: { id: 3, asked: 1 },
      pending: { id: 4, asked: 2, ...request },
    }
    const tree = jobTree({ instances: [x, y], triggers: [x], word })
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
    expect(tree.view.word?.value.lastRound).toBe(1)
  })
})

describe('itemsOfRound', () => {
  const owners = [x, y, x, undefined]
  const round: Round = { id: 1, asked: now }

  it('are all items, those without an owner included: somebody will have them', () => {
    const view = viewOf({ instances: [x, y], owners })
    expect(itemsOfRound(view, round, 4)).toEqual([0, 1, 2, 3])
  })

  it('are those of the instances that it names', () => {
    const view = viewOf({ instances: [x, y], owners })
    expect(itemsOfRound(view, { ...round, instances: [x] }, 4)).toEqual([0, 2])
  })

  it('are those that it names', () => {
    const view = viewOf({ instances: [x, y], owners })
    expect(itemsOfRound(view, { ...round, items: [1, 3] }, 4)).toEqual([1, 3])
  })

  it('are none that is disabled, beyond the number of items, or of Java', () => {
    const view = viewOf({
      instances: [x, y, java],
      owners: [x, y, x, java],
      marks: { 1: { disabled: '' } },
    })
    expect(itemsOfRound(view, round, 4)).toEqual([0, 2])
    expect(itemsOfRound(view, round, 1)).toEqual([0])
  })

  it('F12: are reached wherever they move', () => {
    const before = viewOf({ instances: [x, y], owners: [x, y] })
    const after = viewOf({ instances: [x, y], owners: [y, x] })
    expect(itemsOfRound(after, round, 2)).toEqual(itemsOfRound(before, round, 2))
  })
})

describe('isComplete', () => {
  const round: Round = { id: 5, asked: now }

  const { view } = jobTree({ instances: [x], leaving: [y] })

  const complete = (second: Partial<ItemWord> = {}, failover = false): boolean => {
    const ran: ItemWord = { ...neverRun, round: 5 }
    const words = new Map([
      [0, { value: ran, version: 1 }],
      [1, { value: { ...ran, ...second }, version: 1 }],
    ])
    return isComplete(view, round, [0, 1], words, failover)
  }

  it('is a round that every item has run in and ended', () => {
    expect(complete()).toBe(true)
    expect(complete({ round: 6 })).toBe(true)
    expect(complete({ round: 4 })).toBe(false)
    expect(complete({ state: 'abandoned' })).toBe(true)
    expect(complete({ state: 'running', instance: x })).toBe(false)
    expect(complete({ state: 'running', instance: y })).toBe(false)
    expect(isComplete(view, round, [0], new Map(), false)).toBe(false)
  })

  it('waits for what a dead instance left only if somebody takes it over', () => {
    expect(complete({ state: 'running', instance: z }, true)).toBe(false)
    expect(complete({ state: 'crashed', instance: z }, true)).toBe(false)
    expect(complete({ state: 'running', instance: z }, false)).toBe(true)
    expect(complete({ state: 'crashed', instance: z }, false)).toBe(true)
  })

  it('is a round that reaches nothing', () => {
    expect(isComplete(view, round, [], new Map(), true)).toBe(true)
  })
})

describe('planAdvance', () => {
  it('has nothing to do without a round', () => {
    const tree = jobTree({ instances: [x] })
    expect(planAdvance(tree.view, tree.member(x))).toEqual([])
  })

  it('keeps all else that the word of the job says', () => {
    const word = {
      lastRound: 1,
      running: { id: 1, asked: 1 },
      paused: true,
      pausedServers: ['10.0.0.1'],
      schedule: { digest: 'd', since: 3 },
    }
    const tree = jobTree({ instances: [x], word })
    tree.apply(planAdvance(tree.view, tree.member(x)), x)
    const { running, ...rest } = word
    expect(tree.view.word?.value).toEqual({ ...rest, previous: running })
  })

  it('I-36: does not lose a round that was asked for meanwhile', () => {
    const tree = jobTree({ instances: [x, y] })
    ask(tree)
    const advance = planAdvance(tree.view, tree.member(x))
    const second = ask(tree, {}, y)
    expect(tree.apply(advance, x)).toBe('BAD_VERSION')
    tree.apply(planAdvance(tree.view, tree.member(x)), x)
    expect(tree.view.word?.value.running).toEqual(second)
  })

  it('I-34: the end of a round does not begin it again when the configuration changes', () => {
    const tree = jobTree({ instances: [x], config: 'a' })
    const round = ask(tree)
    tree.apply(planAdvance(tree.view, tree.member(x)), x)
    tree.server.put(tree.paths.config, 'b')
    expect(tree.view.word?.value.running).toBeUndefined()
    expect(tree.view.word?.value.previous).toEqual(round)
  })
})

describe('instancesOf', () => {
  it('I-33: are those of exactly that server', () => {
    const other = '10.0.0.12@-@1-aaaaaaaa'
    const second = '10.0.0.1@-@10-bbbbbbbb'
    const view = viewOf({ instances: [x, other, second, y] })
    expect(instancesOf(view, '10.0.0.1')).toEqual([second, x])
  })
})
