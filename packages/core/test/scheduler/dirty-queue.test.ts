import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { describe, expect, it, vi } from 'vitest'

import { DirtyQueue, type Reconcilable } from '../../src/scheduler/dirty-queue.ts'

describe('DirtyQueue', () => {
  it('lets everybody look once, however often something changed', async () => {
    const clock = new SimulatedClock()
    const dirtyQueue = new DirtyQueue(clock, () => {})
    const [one, other] = [{ reconcile: vi.fn<() => void>() }, { reconcile: vi.fn<() => void>() }]
    for (let n = 0; n < 5; n++) dirtyQueue.add(one)
    dirtyQueue.add(other)
    expect(one.reconcile).not.toHaveBeenCalled()
    expect(clock.pending).toBe(1)
    await clock.advance(0)
    expect(one.reconcile).toHaveBeenCalledTimes(1)
    expect(other.reconcile).toHaveBeenCalledTimes(1)
    await clock.advance(1000)
    expect(one.reconcile).toHaveBeenCalledTimes(1)
  })

  it('lets who changes something while it looks look again, after the others', async () => {
    const clock = new SimulatedClock()
    const dirtyQueue = new DirtyQueue(clock, () => {})
    const order: string[] = []
    const again: Reconcilable = {
      reconcile: () => {
        order.push('again')
        if (order.length === 1) dirtyQueue.add(again)
      },
    }
    dirtyQueue.add(again)
    dirtyQueue.add({ reconcile: () => order.push('other') })
    await clock.advance(0)
    expect(order).toEqual(['again', 'other', 'again'])
  })

  it('one job that fails does not keep the others from looking', async () => {
    const clock = new SimulatedClock()
    const failed = vi.fn<(error: unknown) => void>()
    const dirtyQueue = new DirtyQueue(clock, failed)
    const failure = new Error('cannot look')
    const failing: Reconcilable = {
      reconcile: () => {
        throw failure
      },
    }
    const other = { reconcile: vi.fn<() => void>() }
    dirtyQueue.add(failing)
    dirtyQueue.add(other)
    await clock.advance(0)
    expect(failed).toHaveBeenCalledExactlyOnceWith(failure)
    expect(other.reconcile).toHaveBeenCalledTimes(1)
    dirtyQueue.add(other)
    await clock.advance(0)
    expect(other.reconcile).toHaveBeenCalledTimes(2)
  })
})
