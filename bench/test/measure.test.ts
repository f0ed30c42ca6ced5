import { describe, expect, test } from 'vitest'

import type { Settle } from '../drivers/bench-client.ts'
import { measure, percentiles, pipeline, upTo } from '../drivers/measure.ts'

/** Answers each operation in a turn of its own, and remembers how many were unanswered at most. */
function slowServer(): {
  send: (op: number, settle: Settle) => void
  mostUnanswered: () => number
} {
  let unanswered = 0
  let most = 0
  return {
    send: (_, settle) => {
      most = Math.max(most, ++unanswered)
      setImmediate(() => {
        unanswered--
        settle()
      })
    },
    mostUnanswered: () => most,
  }
}

describe('a pipeline', () => {
  test('runs every operation once, a window of them at a time', async () => {
    const server = slowServer()
    const seen: number[] = []
    const ops = await pipeline(upTo(10), 3, (op, settle) => {
      seen.push(op)
      server.send(op, settle)
    })
    expect(ops).toBe(10)
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(server.mostUnanswered()).toBe(3)
  })

  test('waits for what is unanswered when there is no more', async () => {
    const waiting: Settle[] = []
    let ended = false
    const running = pipeline(upTo(2), 5, (_, settle) => void waiting.push(settle)).then((ops) => {
      ended = true
      return ops
    })
    waiting[0]?.()
    await Promise.resolve()
    expect(ended).toBe(false)
    waiting[1]?.()
    expect(await running).toBe(2)
  })

  test('ends at once when there is nothing to do', async () => {
    expect(await pipeline(upTo(0), 3, () => expect.unreachable())).toBe(0)
  })

  test('fails with the first operation that fails', async () => {
    const failing = pipeline(upTo(5), 1, (op, settle) =>
      setImmediate(() => settle(op === 2 ? new Error('the third') : null)),
    )
    await expect(failing).rejects.toThrow('the third')
  })
})

describe('a measurement', () => {
  test('counts the operations', async () => {
    const { ops, opsPerSecond } = await measure({ ops: 50, seconds: 60 }, 4, slowServer().send)
    expect(ops).toBe(50)
    expect(opsPerSecond).toBeGreaterThan(0)
  })

  test('ends when its time is over', async () => {
    const { ops } = await measure({ ops: 1_000, seconds: 0 }, 4, slowServer().send)
    expect(ops).toBeLessThan(1_000)
  })
})

test('percentiles are of the sorted latencies, in microseconds', () => {
  const latencies = Float64Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(percentiles(latencies)).toEqual({ p50Micros: 51_000, p99Micros: 100_000 })
})
