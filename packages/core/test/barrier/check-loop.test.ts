import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { beforeEach, describe, expect, it } from 'vitest'

import { CheckLoop } from '../../src/barrier/check-loop.ts'

let clock: SimulatedClock
/** How to end the looks that were begun, in their order. */
let looks: (() => void)[]
let checkLoop: CheckLoop

beforeEach(() => {
  clock = new SimulatedClock()
  looks = []
  checkLoop = new CheckLoop(clock, () => new Promise((resolve) => looks.push(resolve)))
})

describe('a lookout', () => {
  it('looks once for all who ask while it looks, and once they have asked', async () => {
    const first = checkLoop.now()
    await clock.advance(0)
    const second = checkLoop.now()
    const third = checkLoop.now()
    await clock.advance(0)
    expect(looks).toHaveLength(1)
    looks[0]?.()
    await first
    await clock.advance(0)
    expect(looks).toHaveLength(2)
    looks[1]?.()
    await Promise.all([second, third])
    await clock.advance(0)
    expect(looks).toHaveLength(2)
  })

  it('looks soon, once for many reasons', async () => {
    checkLoop.soon()
    await clock.advance(500)
    checkLoop.soon()
    await clock.advance(400)
    expect(looks).toHaveLength(0)
    await clock.advance(100)
    expect(looks).toHaveLength(1)
    await clock.advance(5_000)
    expect(looks).toHaveLength(1)
  })

  it('does not look soon what it has looked at meanwhile, nor when it was stopped', async () => {
    checkLoop.soon()
    void checkLoop.now()
    await clock.advance(5_000)
    expect(looks).toHaveLength(1)
    checkLoop.soon()
    checkLoop.stop()
    await clock.advance(5_000)
    expect(looks).toHaveLength(1)
  })
})
