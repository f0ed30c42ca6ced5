import { beforeEach, expect, it } from 'vitest'

import type { Coordination } from '../../src/job-tree/coordination.ts'
import { RegistryError } from '../../src/registry/registry-error.ts'
import { TransactionRunner } from '../../src/scheduler/transaction-runner.ts'

let now: number
let changes: number
let problems: unknown[]
let transactionRunner: TransactionRunner

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
  transactionRunner = new TransactionRunner(host as unknown as Coordination)
})

const lostRace = (): Promise<void> =>
  Promise.reject(new RegistryError('REGISTRY_BAD_VERSION', 'lost'))

it('carries out one thing at a time, and lets everybody look when it is done', async () => {
  let finish: () => void = () => {}
  transactionRunner.carryOut(new Promise((resolve) => (finish = resolve)))
  expect(transactionRunner.isFree(now)).toBe(false)
  expect(transactionRunner.freeFrom(now)).toBeUndefined()
  finish()
  await transactionRunner.settled()
  expect(transactionRunner.isFree(now)).toBe(true)
  expect(changes).toBe(1)
})

it('waits after a race that was lost, longer each time, and not for ever', async () => {
  const waits: number[] = []
  for (let failure = 0; failure < 12; failure++) {
    transactionRunner.carryOut(lostRace())
    await transactionRunner.settled()
    const freeFrom = transactionRunner.freeFrom(now) as number
    waits.push(freeFrom - now)
    expect(transactionRunner.isFree(freeFrom - 1)).toBe(false)
    expect(transactionRunner.isFree(freeFrom)).toBe(true)
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
    transactionRunner.carryOut(transaction())
    await transactionRunner.settled()
    const freeFrom = transactionRunner.freeFrom(now)
    if (freeFrom !== undefined) waits.push(freeFrom - now)
    now = freeFrom ?? now
  }
  expect(waits).toHaveLength(3)
  expect(waits[2]).toBe(waits[0])
})

it("tells of what is not the registry's: that is a mistake of ours", async () => {
  const mistake = new TypeError('mistake')
  transactionRunner.carryOut(Promise.reject(mistake))
  await transactionRunner.settled()
  expect(problems).toEqual([mistake])
  expect(changes).toBe(1)
})

it('does not wait for a time from before the clock was set back', async () => {
  transactionRunner.carryOut(lostRace())
  await transactionRunner.settled()
  now -= 3_600_000
  expect(transactionRunner.isFree(now)).toBe(true)
})
