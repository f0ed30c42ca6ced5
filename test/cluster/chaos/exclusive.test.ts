import { describe, expect, it } from 'vitest'
import { exclusiveViolations } from './exclusive.ts'
import type { Facts, Run } from './facts.ts'
import { facts, run } from './hand-written.ts'

const rulesBroken = (of: Facts): string[] =>
  exclusiveViolations(of, { abortTime: 500, losses: [] }).map(({ rule }) => rule)

it('finds nothing in runs that follow each other', () => {
  expect(rulesBroken(facts([run(1000), run(2000), run(3000)]))).toEqual([])
})

it('finds nothing in runs of two shards at once', () => {
  expect(rulesBroken(facts([run(1000), run(1000, { shard: 1 })]))).toEqual([])
})

describe('two runs of a shard at once', () => {
  const newer = run(4000, { process: 1, instance: '10.0.0.2@-@2-b' })

  it('on leases that are both valid', () => {
    expect(rulesBroken(facts([run(1000, { end: 5000 }), newer]))).toEqual(['two leases'])
  })

  it('also if the older one never ended', () => {
    expect(rulesBroken(facts([run(1000, { end: Infinity }), newer]))).toContain('two leases')
  })

  it('also if the older one stands still: its lease is not over for that', () => {
    const still: Facts['still'] = [[[1500, 9000]]]
    expect(rulesBroken(facts([run(1000, { end: 9000 }), newer], { still }))).toEqual(['two leases'])
  })

  it('but not if the lease of the older one was over, and it was told so', () => {
    const older = run(1000, { lease: [[0, 3500]], aborted: 3510, end: 4100, ticks: [3400] })
    expect(rulesBroken(facts([older, newer]))).toEqual([])
  })

  it('nor if the older one had ended in that instant', () => {
    expect(rulesBroken(facts([run(1000, { end: 4000 }), newer]))).toEqual([])
  })
})

describe('a run whose lease ends', () => {
  const told = (changes: Partial<Run>, still: Facts['still'] = []): string[] =>
    rulesBroken(facts([run(1000, { lease: [[0, 3000]], end: 9000, ...changes })], { still }))

  it('is told to stop', () => {
    expect(told({ aborted: 3001 })).toEqual([])
    expect(told({ aborted: 3499 })).toEqual([])
  })

  it('or has ended before', () => {
    expect(told({ end: 2999 })).toEqual([])
  })

  it('is told too late, or never', () => {
    expect(told({ aborted: 3501 })).toEqual(['abort'])
    expect(told({})).toEqual(['abort'])
  })

  it('is told when its process wakes', () => {
    expect(told({ aborted: 8001 }, [[[2000, 8000]]])).toEqual([])
    expect(told({ aborted: 8501 }, [[[2000, 8000]]])).toEqual(['abort'])
    // It slept before, and that excuses nothing.
    expect(told({ aborted: 8001 }, [[[1500, 2500]]])).toEqual(['abort'])
  })

  it('is told when the machine has time for it again, after one stall and the next', () => {
    expect(
      told({ aborted: 4900 }, [
        [
          [2900, 3700],
          [3720, 4800],
        ],
      ]),
    ).toEqual([])
  })

  it('is not told because of a lease that came later', () => {
    const regained: Run['lease'] = [
      [0, 3000],
      [3600, 9000],
    ]
    expect(told({ lease: regained, aborted: 3100 })).toEqual([])
    expect(told({ lease: regained })).toEqual(['abort'])
  })
})

it('finds a run that begins without a lease', () => {
  expect(rulesBroken(facts([run(1000, { lease: [] })]))).toEqual(['lease'])
  expect(rulesBroken(facts([run(1000, { lease: [[0, 1000]] })]))).toEqual(['lease'])
  expect(rulesBroken(facts([run(1000, { lease: [[1001, 9000]] })]))).toEqual(['lease'])
})

describe('work beside a newer run', () => {
  const lease: Run['lease'] = [[0, 3000]]
  const newer = run(4000, { process: 1 })
  const broken = (changes: Partial<Run>): string[] =>
    rulesBroken(
      facts([run(1000, { lease, end: 9000, ...changes }), newer], { still: [[[2000, 6000]]] }),
    )

  it('in the instant in which the process wakes no library can prevent', () => {
    expect(broken({ ticks: [1900, 6005], aborted: 6010 })).toEqual([])
  })

  it('and later it is not forgiven', () => {
    expect(broken({ ticks: [1900, 6005, 6600], aborted: 6400 })).toEqual(['work beside'])
  })

  it('nor in a process that was awake', () => {
    const awake = run(1000, { lease, aborted: 3010, end: 9000, ticks: [4100] })
    expect(rulesBroken(facts([awake, newer]))).toEqual(['work beside'])
  })
})

it('finds a token that does not grow', () => {
  expect(rulesBroken(facts([run(1000), run(2000, { token: 1000n })]))).toEqual(['token'])
  expect(rulesBroken(facts([run(1000), run(2000, { token: 7n })]))).toEqual(['token'])
  expect(rulesBroken(facts([run(1000), run(2000, { token: 7n, shard: 1 })]))).toEqual([])
})
