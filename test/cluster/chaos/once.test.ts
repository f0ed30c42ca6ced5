import { expect, it } from 'vitest'
import type { Facts } from './facts.ts'
import { event, facts, run } from './hand-written.ts'
import { onceViolations } from './once.ts'

const rulesBroken = (of: Facts, losses: Parameters<typeof onceViolations>[1] = []): string[] =>
  onceViolations(of, losses).map(({ rule }) => rule)

const recorded = (at: number, runId: string, changes: object = {}): Facts['events'][0] =>
  event(at, 'run:recorded', { fireTime: 1000, runId, outcome: 'success', ...changes })

const first = run(1000)
const second = run(1000, { attempt: 2, begin: 5000 })

it('finds nothing in a crashed run that was taken over, nor in other times and shards', () => {
  expect(rulesBroken(facts([first, second, run(2000), run(1000, { shard: 1 })]))).toEqual([])
})

it('finds two runs that are the same attempt at the same time', () => {
  expect(rulesBroken(facts([first, run(1000, { begin: 5000 })]))).toEqual(['started twice'])
})

it('finds a run that begins after its time was done', () => {
  const of = facts([first, second], { events: [recorded(2000, first.run)] })
  expect(rulesBroken(of)).toEqual(['repeated'])
  const failed = facts([first, second], {
    events: [recorded(2000, first.run, { outcome: 'failure' })],
  })
  expect(rulesBroken(failed)).toEqual(['repeated'])
})

it('allows what was cut short to be repeated', () => {
  const of = facts([first, second], {
    events: [recorded(2000, first.run, { outcome: 'aborted' }), recorded(6000, second.run)],
  })
  expect(rulesBroken(of)).toEqual([])
})

it('allows another shard, and another time', () => {
  const of = facts([run(2000), run(1000, { shard: 1, begin: 5000 })], {
    events: [recorded(1500, 'another')],
  })
  expect(rulesBroken(of)).toEqual([])
})

it('finds two ends of one time', () => {
  const of = facts([], { events: [recorded(2000, 'one'), recorded(6000, 'another')] })
  expect(rulesBroken(of)).toEqual(['ended twice'])
  const same = facts([], { events: [recorded(2000, 'one'), recorded(6000, 'one')] })
  expect(rulesBroken(same)).toEqual([])
})

it('asks nothing across a loss of the registry', () => {
  const again = run(1000, { begin: 5000 })
  const losses = [{ since: 2500, at: 3000, until: 4000 }]
  expect(rulesBroken(facts([first, again]))).toEqual(['started twice'])
  expect(rulesBroken(facts([first, again]), losses)).toEqual([])
  const events = [recorded(2000, first.run)]
  expect(rulesBroken(facts([first, second], { events }))).toEqual(['repeated'])
  expect(rulesBroken(facts([first, second], { events }), losses)).toEqual([])
})
