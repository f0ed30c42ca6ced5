import { ZooKeeperError } from '@elasticjob/zookeeper'
import { beforeEach, expect, it } from 'vitest'

import type { Coordination } from '../../src/job-tree/coordination.ts'
import { Carrier } from '../../src/scheduler/carrier.ts'

let now: number
let changes: number
let problems: unknown[]
let carrier: Carrier

beforeEach(() => {
  now = 1_000_000
  changes = 0
  problems = []
  const host = {
    jobName: 'job',
    session: { now: () => now },
    emit: (_: string, { error }: { error: unknown }) => problems.push(error),
    changed: () => (changes += 1),
  }
  carrier = new Carrier(host as unknown as Coordination)
})

const lostRace = (): Promise<void> => Promise.reject(new ZooKeeperError('ZK_BAD_VERSION', 'lost'))

it('carries out one thing at a time, and lets everybody look when it is done', async () => {
  let finish: () => void = () => {}
  carrier.carryOut(new Promise((resolve) => (finish = resolve)))
  expect(carrier.isFree(now)).toBe(false)
  expect(carrier.freeFrom(now)).toBeUndefined()
  finish()
  await carrier.settled()
  expect(carrier.isFree(now)).toBe(true)
  expect(changes).toBe(1)
})

it('waits after a race that was lost, longer each time, and not for ever', async () => {
  const waits: number[] = []
  for (let failure = 0; failure < 12; failure++) {
    carrier.carryOut(lostRace())
    await carrier.settled()
    const freeFrom = carrier.freeFrom(now) as number
    waits.push(freeFrom - now)
    expect(carrier.isFree(freeFrom - 1)).toBe(false)
    expect(carrier.isFree(freeFrom)).toBe(true)
    now = freeFrom
  }
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect(waits[1]).toBeGreaterThan(waits[0] as number)
  expect(waits.at(-1)).toBe(waits.at(-2))
  expect(changes).toBe(12)
  expect(problems).toEqual([])
})

it('begins afresh after a success', async () => {
  const waits: number[] = []
  for (const transaction of [lostRace, lostRace, () => Promise.resolve(), lostRace]) {
    carrier.carryOut(transaction())
    await carrier.settled()
    const freeFrom = carrier.freeFrom(now)
    if (freeFrom !== undefined) waits.push(freeFrom - now)
    now = freeFrom ?? now
  }
  expect(waits).toHaveLength(3)
  expect(waits[2]).toBe(waits[0])
})

it("tells of what is not the registry's: that is a mistake of ours", async () => {
  const mistake = new TypeError('mistake')
  carrier.carryOut(Promise.reject(mistake))
  await carrier.settled()
  expect(problems).toEqual([mistake])
  expect(changes).toBe(1)
})

it('does not wait for a time from before the clock was set back', async () => {
  carrier.carryOut(lostRace())
  await carrier.settled()
  now -= 3_600_000
  expect(carrier.isFree(now)).toBe(true)
})
