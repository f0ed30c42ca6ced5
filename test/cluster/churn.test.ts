import { expect, it } from 'vitest'
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import {
  applied,
  type Change,
  Churn,
  enabledOf,
  type FleetState,
  fleetSizes,
  sizeOf,
} from './churn.ts'

interface Step {
  readonly before: FleetState
  readonly change: Change
  readonly after: FleetState
}

function steps(seed: number, count: number): Step[] {
  const churn = new Churn(new SeededRandom(seed))
  let state: FleetState = { running: new Set([1]), disabled: new Set() }
  return Array.from({ length: count }, () => {
    const before = state
    const change = churn.next(before)
    state = applied(before, change)
    return { before, change, after: state }
  })
}

it('says the same for the same seed, and something else for another', () => {
  expect(steps(1, 50)).toEqual(steps(1, 50))
  expect(steps(1, 50)).not.toEqual(steps(2, 50))
})

it('always leaves one who is enabled before and after', () => {
  for (const { before, change, after } of steps(3, 500)) {
    const stay = new Set(enabledOf(after))
    expect(enabledOf(before).some((worker) => stay.has(worker))).toBe(true)
    expect(sizeOf(change)).toBeGreaterThan(0)
  }
})

it('starts who does not run, stops who does, and disables who is enabled', () => {
  for (const { before, change } of steps(4, 500)) {
    expect(change.start.every((worker) => !before.running.has(worker))).toBe(true)
    expect(change.stop.every((worker) => before.running.has(worker))).toBe(true)
    expect(change.disable.every((worker) => enabledOf(before).includes(worker))).toBe(true)
    expect(change.enable.every((worker) => before.disabled.has(worker))).toBe(true)
  }
})

it('comes to every size within a short run', () => {
  const sizes = new Set(steps(5, 30).map(({ after }) => after.running.size))
  for (const size of fleetSizes) expect(sizes).toContain(size)
})
