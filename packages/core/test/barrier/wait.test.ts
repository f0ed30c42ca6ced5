import { SimulatedClock } from '@elasticjob/zookeeper-server/testing'
import { beforeEach, describe, expect, it } from 'vitest'

import { expire, Wait } from '../../src/barrier/wait.ts'
import type { BarrierPhase } from '../../src/index.ts'

let clock: SimulatedClock
let aborts: AbortController[]
let late: Wait[]
let told: unknown[]

beforeEach(() => {
  clock = new SimulatedClock()
  aborts = [new AbortController(), new AbortController()]
  late = []
  told = []
})

function waitFor(phase: BarrierPhase): Wait {
  const signals = aborts.map(({ signal }) => signal)
  const arrival = { time: 60_000, manualRun: undefined, shards: [0, 1], signals }
  const call = { timeout: 5_000, act: undefined }
  return new Wait(arrival, phase, call, clock, (wait) => late.push(wait))
}

const emit = (name: string, payload: unknown): void => void told.push([name, payload])

describe('a wait', () => {
  it('ends when it is released, and is never late then', async () => {
    const wait = waitFor('started')
    wait.release()
    await wait.over
    await clock.advance(10_000)
    expect([wait.isOver, late]).toEqual([true, []])
  })

  it('ends when the last of its runs is aborted', async () => {
    const wait = waitFor('started')
    aborts[0]?.abort()
    expect(wait.isOver).toBe(false)
    aborts[1]?.abort()
    await wait.over
    expect(wait.isOver).toBe(true)
  })

  it('has ended before it began if they were', () => {
    for (const abort of aborts) abort.abort()
    expect(waitFor('started').isOver).toBe(true)
    // What has ended waits for the others whatever becomes of its own signals.
    expect(waitFor('completed').isOver).toBe(false)
  })

  it('says when it is late', async () => {
    const wait = waitFor('started')
    await clock.advance(4_999)
    expect(late).toEqual([])
    await clock.advance(1)
    expect([wait.isLate, late]).toEqual([true, [wait]])
  })

  it('expires with an error and an event, once', async () => {
    const wait = waitFor('started')
    wait.missing = [2]
    expire('job', emit, wait)
    expire('job', emit, wait)
    await expect(wait.over).rejects.toMatchObject({ code: 'JOB_BARRIER_BROKEN' })
    expect(told).toEqual([
      [
        'barrier:timed-out',
        {
          jobName: 'job',
          phase: 'started',
          fireTime: 60_000,
          manualRun: undefined,
          timeout: 5_000,
          missing: [2],
        },
      ],
    ])
  })

  it('for an end expires without an error: nothing was kept from going on', async () => {
    const wait = waitFor('completed')
    expire('job', emit, wait)
    await wait.over
    expect(told).toHaveLength(1)
  })
})
