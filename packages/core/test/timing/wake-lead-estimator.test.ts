import { describe, expect, it } from 'vitest'

import { type WakeRequest, WakeLeadEstimator } from '../../src/timing/wake-lead-estimator.ts'

const justBefore = (at: number, load = 1): WakeRequest => ({ at, precision: 'just before', load })
const aboutThen: WakeRequest = { at: 1000, precision: 'about then', load: 1 }

/** Of so many who are to be woken for the time 1000. */
function leadOf(count: number, lead = new WakeLeadEstimator()): number {
  for (let n = 0; n < count; n++) lead.added(justBefore(1000))
  return 1000 - lead.wakeTimeOf(justBefore(1000))
}

/** Whoever was woken for so much was ready after so many milliseconds, so many times. */
function learn(
  lead: WakeLeadEstimator,
  load: number,
  took: number,
  times = 300,
): WakeLeadEstimator {
  for (let at = -times; at < 0; at++) {
    lead.added(justBefore(at, load))
    lead.waking(justBefore(at, load), 5000)
    lead.removed(justBefore(at, load))
    lead.ready(at, 5000 + took)
  }
  // What it took is known once others are woken.
  lead.waking(justBefore(1), 5000)
  return lead
}

describe('WakeLeadEstimator', () => {
  it('grows with the number of those who are woken, up to a limit, as long as nothing is known', () => {
    expect([1, 10, 100, 500, 1000, 100_000].map((count) => leadOf(count))).toEqual([
      5, 7, 21, 69, 100, 100,
    ])
  })

  it('is what it took the last times, a timer that is late, and a reserve', () => {
    expect(leadOf(1, learn(new WakeLeadEstimator(), 1, 4))).toBe(7)
    expect(leadOf(1000, learn(new WakeLeadEstimator(), 1000, 59))).toBe(76)
    expect(leadOf(1, learn(new WakeLeadEstimator(), 1, 0))).toBe(3)
  })

  it('is soon longer if it was too short, and becomes shorter by and by', () => {
    const lead = learn(new WakeLeadEstimator(), 1, 4)
    learn(lead, 1, 40, 2)
    const longer = leadOf(1, lead)
    expect(longer).toBeGreaterThan(20)
    learn(lead, 1, 4, 2)
    const shorter = leadOf(0, lead)
    expect(shorter).toBeLessThan(longer)
    expect(shorter).toBeGreaterThan(15)
  })

  it('forgets a time that nobody will ever need again', () => {
    const lead = learn(new WakeLeadEstimator(), 1, 100_000)
    expect(leadOf(1, lead)).toBe(100)
    expect(leadOf(0, learn(lead, 1, 3.9))).toBe(7)
  })

  it('is another for much than for little, whoever has it to make ready', () => {
    const lead = learn(learn(new WakeLeadEstimator(), 1000, 50), 1, 2)
    expect(leadOf(1, lead)).toBe(5)
    lead.added(justBefore(1000, 999))
    expect(leadOf(0, lead)).toBe(65)
    lead.removed(justBefore(1000, 999))
    expect(leadOf(0, lead)).toBe(5)
  })

  it('counts only those who have to be ready then, and are not called off', () => {
    const lead = new WakeLeadEstimator()
    for (let n = 0; n < 500; n++) lead.added(aboutThen)
    for (let n = 0; n < 500; n++) lead.added(justBefore(2000))
    expect(leadOf(1, lead)).toBe(5)
    for (let n = 0; n < 499; n++) lead.added(justBefore(1000))
    expect(leadOf(0, lead)).toBe(69)
    for (let n = 0; n < 499; n++) lead.removed(justBefore(1000))
    expect(leadOf(0, lead)).toBe(5)
    expect(2000 - lead.wakeTimeOf(justBefore(2000))).toBe(69)
    lead.clear()
    expect(2000 - lead.wakeTimeOf(justBefore(2000))).toBe(5)
  })

  it('has none for who comes about then, and learns nothing from it', () => {
    const lead = new WakeLeadEstimator()
    for (let n = 0; n < 1000; n++) {
      lead.waking(aboutThen, n)
      lead.ready(aboutThen.at, n + 50)
    }
    expect(lead.wakeTimeOf(aboutThen)).toBe(1000)
    expect(leadOf(1, lead)).toBe(5)
  })

  it('learns nothing from who had nothing to make ready', () => {
    const lead = new WakeLeadEstimator()
    for (let at = 0; at < 100; at++) lead.waking(justBefore(at), 5000)
    expect(leadOf(1, lead)).toBe(5)
  })

  it('does not become shorter once the first are woken', () => {
    const lead = new WakeLeadEstimator()
    expect(leadOf(400, lead)).toBe(69)
    for (let n = 0; n < 399; n++) {
      lead.waking(justBefore(1000), n)
      lead.removed(justBefore(1000))
      expect(lead.wakeTimeOf(justBefore(1000))).toBeLessThanOrEqual(931)
    }
    expect(2000 - lead.wakeTimeOf(justBefore(2000))).toBe(5)
  })

  it('learns from the last who is ready, and from all who were to be woken', () => {
    const lead = new WakeLeadEstimator()
    for (let at = 0; at < 200; at++) {
      for (let n = 0; n < 4; n++) lead.added(justBefore(at))
      for (let n = 0; n < 4; n++) {
        lead.waking(justBefore(at), n)
        lead.removed(justBefore(at))
      }
      for (let n = 0; n < 4; n++) lead.ready(at, 10 * (n + 1))
    }
    expect(leadOf(4, lead)).toBe(52)
    expect(leadOf(0, new WakeLeadEstimator())).toBe(5)
  })
})
