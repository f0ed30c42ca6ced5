import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { describe, expect, it, vi } from 'vitest'

import { ChangePump, type Cycler } from '../../src/scheduler/change-pump.ts'

describe('ChangePump', () => {
  it('lets everybody look once, however often something changed', async () => {
    const clock = new SimulatedClock()
    const pump = new ChangePump(clock, () => {})
    const [one, other] = [{ cycle: vi.fn<() => void>() }, { cycle: vi.fn<() => void>() }]
    for (let n = 0; n < 5; n++) pump.add(one)
    pump.add(other)
    expect(one.cycle).not.toHaveBeenCalled()
    expect(clock.pending).toBe(1)
    await clock.advance(0)
    expect(one.cycle).toHaveBeenCalledTimes(1)
    expect(other.cycle).toHaveBeenCalledTimes(1)
    await clock.advance(1000)
    expect(one.cycle).toHaveBeenCalledTimes(1)
  })

  it('lets who changes something while it looks look again, after the others', async () => {
    const clock = new SimulatedClock()
    const pump = new ChangePump(clock, () => {})
    const order: string[] = []
    const again: Cycler = {
      cycle: () => {
        order.push('again')
        if (order.length === 1) pump.add(again)
      },
    }
    pump.add(again)
    pump.add({ cycle: () => order.push('other') })
    await clock.advance(0)
    expect(order).toEqual(['again', 'other', 'again'])
  })

  it('I-23: one job that fails does not keep the others from looking', async () => {
    const clock = new SimulatedClock()
    const failed = vi.fn<(error: unknown) => void>()
    const pump = new ChangePump(clock, failed)
    const failure = new Error('cannot look')
    const failing: Cycler = {
      cycle: () => {
        throw failure
      },
    }
    const other = { cycle: vi.fn<() => void>() }
    pump.add(failing)
    pump.add(other)
    await clock.advance(0)
    expect(failed).toHaveBeenCalledExactlyOnceWith(failure)
    expect(other.cycle).toHaveBeenCalledTimes(1)
    pump.add(other)
    await clock.advance(0)
    expect(other.cycle).toHaveBeenCalledTimes(2)
  })
})
