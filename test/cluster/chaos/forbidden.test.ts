import { expect, it } from 'vitest'
import type { Facts } from './facts.ts'
import { forbiddenViolations } from './forbidden.ts'
import { facts, run } from './hand-written.ts'

const rulesBroken = (of: Facts, shard?: number): string[] =>
  forbiddenViolations(of, {
    forbidden: [{ job: 'job', shard, from: 2000, to: 8000 }],
    epochOf: (time) => time,
    beginTime: 500,
  }).map(({ rule }) => rule)

it('accepts runs from before the command returned, and from after the other began', () => {
  expect(rulesBroken(facts([run(1000), run(2400), run(8000)]))).toEqual([])
})

it('finds a run that began while its job was switched off', () => {
  expect(rulesBroken(facts([run(4000)]))).toEqual(['switched off'])
})

it('accepts other jobs, other shards, and manual runs', () => {
  expect(rulesBroken(facts([run(4000, { job: 'other' })]))).toEqual([])
  expect(rulesBroken(facts([run(4000, { shard: 1 })]), 0)).toEqual([])
  expect(rulesBroken(facts([run(4000, { source: 'trigger' })]))).toEqual([])
})

it('accepts a run whose process was stopped between its claim and its begin', () => {
  expect(rulesBroken(facts([run(4000)], { still: [[[1900, 3900]]] }))).toEqual([])
})
