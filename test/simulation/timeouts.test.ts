import { describe, expect, test } from 'vitest'

import { history, run } from './hand-made.ts'
import type { History } from './history.ts'
import { timeoutViolations } from './timeouts.ts'

function broken(changes: Parameters<typeof run>[0], more: Partial<History> = {}): string[] {
  const runs = [run({ begin: 1000, timeout: 500, ...changes })]
  return timeoutViolations(history({ runs, ...more })).map(({ text }) => text)
}

describe('a run with a timeout', () => {
  test('may end before it', () => {
    expect(broken({ end: 1400 })).toEqual([])
  })

  test('is told when it takes longer', () => {
    expect(broken({ end: 3000, abortedAt: 1501, isTimedOut: true })).toEqual([])
    expect(broken({ end: 3000 })).toEqual([
      'run r1 (job/0) was not told that it took longer than 500 ms',
    ])
  })

  test('is not told before', () => {
    expect(broken({ end: 3000, abortedAt: 1200, isTimedOut: true })).toEqual([
      'run r1 (job/0) is timed out 200 ms after its start',
    ])
  })

  test('is told later by a process that stood still', () => {
    const freezes = new Map([['p0', [[1100, 2900] as const]]])
    expect(broken({ end: 3000 }, { freezes })).toEqual([])
  })
})
