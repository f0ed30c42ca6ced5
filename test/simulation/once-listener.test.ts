import { describe, expect, test } from 'vitest'

import { a, b, history, job } from './hand-made.ts'
import type { History, ListenerCall } from './history.ts'
import { listenerViolations } from './once-listener.ts'

const before: ListenerCall = {
  at: 1001,
  process: 'p0',
  instance: a,
  jobName: 'job',
  method: 'beforeLastStarted',
  fireTime: 1000,
}
const after: ListenerCall = { ...before, at: 2001, method: 'afterLastCompleted' }
const expected = [{ ...job, hasListener: true, fires: [1000, 61_000] }]

function broken(listenerCalls: readonly ListenerCall[], changes: Partial<History> = {}): string[] {
  return listenerViolations(history({ listenerCalls, expected, ...changes })).map(
    ({ text }) => text,
  )
}

describe('a once-per-run listener', () => {
  test('is called once for a fire time', () => {
    expect(broken([before, after])).toEqual([])
  })

  test('is not called again while its caller lives', () => {
    const again = { ...after, at: 2500, process: 'p1', instance: b }
    const text = 'afterLastCompleted of job at 1000 is called on p1, and was called on p0 at 2001'
    expect(broken([before, after, again])).toEqual([text])
    const closed = new Map([[1n, [{ era: 0, order: 9, at: 2400 }]]])
    expect(broken([before, after, again], { closed })).toEqual([])
  })

  test('is called for every fire time when all is calm', () => {
    expect(broken([before])).toEqual(['afterLastCompleted of job at 1000 is never called'])
  })
})
