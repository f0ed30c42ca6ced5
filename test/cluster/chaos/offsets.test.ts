import { expect, it } from 'vitest'
import type { Facts } from './facts.ts'
import { event, facts, run } from './hand-written.ts'
import { offsetViolations } from './offsets.ts'

const rulesBroken = (of: Facts, losses: Parameters<typeof offsetViolations>[1] = []): string[] =>
  offsetViolations(of, losses).map(({ rule }) => rule)

const saves = (...offsets: readonly number[]): { at: number; offset: number }[] =>
  offsets.map((offset, index) => ({ at: 1100 + index * 100, offset }))

it('accepts a run that begins with the last saved offset, or a later one', () => {
  const first = run(1000, { saved: saves(1, 2, 3) })
  expect(rulesBroken(facts([first, run(3000, { offset: 3 })]))).toEqual([])
  expect(rulesBroken(facts([first, run(3000, { offset: 4 })]))).toEqual([])
})

it('finds an offset that the next run was not given, also an attempt of the same fire time', () => {
  const first = run(1000, { saved: saves(1, 2, 3) })
  expect(rulesBroken(facts([first, run(3000, { offset: 2 })]))).toEqual(['offset lost'])
  const taken = run(1000, { attempt: 2, begin: 9000, source: 'failover' })
  expect(rulesBroken(facts([first, taken]))).toEqual(['offset lost'])
})

it('asks nothing of offsets that were saved after the run began, or for another shard', () => {
  const first = run(1000, { saved: [{ at: 3100, offset: 7 }] })
  expect(rulesBroken(facts([first, run(3000)]))).toEqual([])
  expect(rulesBroken(facts([run(1000, { saved: saves(1) }), run(3000, { shard: 1 })]))).toEqual([])
})

it('asks nothing across a loss of the registry', () => {
  const of = facts([run(1000, { saved: saves(1) }), run(3000)])
  expect(rulesBroken(of, [{ since: 1500, at: 2000, until: 2500 }])).toEqual([])
})

it('finds an offset that was refused, or that the context does not show', () => {
  const events = [event(1, 'offset:refused', {}), event(2, 'offset:stale', {})]
  expect(rulesBroken(facts([], { events }))).toEqual(['offset:refused', 'offset:stale'])
})
