import { describe, expect, it } from 'vitest'

import { type Appointment, WakingLead } from '../../src/scheduler/waking-lead.ts'

const justBefore = (at: number, load = 1): Appointment => ({ at, punctuality: 'just before', load })
const aboutThen: Appointment = { at: 1000, punctuality: 'about then', load: 1 }

/** Of so many who are to be woken for the time 1000. */
function leadOf(count: number, lead = new WakingLead()): number {
  for (let n = 0; n < count; n++) lead.added(justBefore(1000))
  return 1000 - lead.wakeTimeOf(justBefore(1000))
}

/** One that has learned what it takes to wake somebody. */
function afterEffortsOf(effort: number): WakingLead {
  const lead = new WakingLead()
  for (let n = 0; n < 1000; n++) lead.woken(justBefore(0), effort)
  return lead
}

describe('WakingLead', () => {
  it('is what a timer may be late for a few', () => {
    expect([1, 5, 10].map((count) => leadOf(count))).toEqual([2, 2, 2])
  })

  it('grows with their number, in steps and up to a limit', () => {
    expect([20, 100, 200, 500, 100_000].map((count) => leadOf(count))).toEqual([
      10, 20, 40, 100, 100,
    ])
  })

  it('grows with what it takes to wake one', () => {
    expect(leadOf(1000, afterEffortsOf(0.018))).toBe(40)
    expect(leadOf(1000, afterEffortsOf(0.038))).toBe(80)
    expect(leadOf(1, afterEffortsOf(5))).toBe(10)
    expect(leadOf(1000, afterEffortsOf(0))).toBe(2)
  })

  it('is the same for one who has much to make ready as for many who have little', () => {
    const lead = new WakingLead()
    lead.added(justBefore(1000, 200))
    expect(leadOf(0, lead)).toBe(40)
    lead.removed(justBefore(1000, 200))
    expect(leadOf(0, lead)).toBe(2)
    for (let n = 0; n < 1000; n++) lead.woken(justBefore(0, 500), 9)
    expect(leadOf(1000, lead)).toBe(40)
  })

  it('counts only those who have to be ready then, and are not called off', () => {
    const lead = new WakingLead()
    for (let n = 0; n < 500; n++) lead.added(aboutThen)
    for (let n = 0; n < 500; n++) lead.added(justBefore(2000))
    expect(leadOf(1, lead)).toBe(2)
    for (let n = 0; n < 499; n++) lead.added(justBefore(1000))
    expect(leadOf(0, lead)).toBe(100)
    for (let n = 0; n < 499; n++) lead.removed(justBefore(1000))
    expect(leadOf(0, lead)).toBe(2)
    expect(2000 - lead.wakeTimeOf(justBefore(2000))).toBe(100)
    lead.clear()
    expect(2000 - lead.wakeTimeOf(justBefore(2000))).toBe(2)
  })

  it('has none for who comes about then, and learns nothing from it', () => {
    const lead = new WakingLead()
    for (let n = 0; n < 1000; n++) lead.woken(aboutThen, 50)
    expect(lead.wakeTimeOf(aboutThen)).toBe(1000)
    expect(leadOf(1, lead)).toBe(2)
  })

  it('does not become shorter once the first are woken', () => {
    const lead = new WakingLead()
    expect(leadOf(400, lead)).toBe(80)
    for (let n = 0; n < 399; n++) {
      lead.removed(justBefore(1000))
      lead.woken(justBefore(1000), 0.01)
      expect(lead.wakeTimeOf(justBefore(1000))).toBeLessThanOrEqual(920)
    }
    expect(2000 - lead.wakeTimeOf(justBefore(2000))).toBe(2)
  })
})
