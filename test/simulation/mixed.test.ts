import { describe, expect, test } from 'vitest'

import { a, history, java, javaRun, job, run, seen, type Seen } from './hand-made.ts'
import type { History } from './history.ts'
import { mixedViolations } from './mixed.ts'
import { claimsOfTheAbsent } from './registered.ts'

const node = `/sim/job/instances/${java}`
const running = '/sim/job/sharding/0/running'
const necessary = '/sim/job/leader/sharding/necessary'
const owner = '/sim/job/sharding/0/instance'
const assignment = '/sim/job/leader/sharding'
const there: Seen = [10, { [node]: '', [owner]: java, [assignment]: '' }]

function broken(happened: readonly Seen[], changes: Partial<History> = {}): string[] {
  const expected = [{ ...job, isMixed: true }]
  const all = history({ expected, ...seen(there, ...happened), ...changes })
  return mixedViolations(all).map(({ text }) => text)
}

describe('a mark of Java that stands', () => {
  const marked: Seen = [900, { [running]: java }]

  test('is not replaced while its instance is there', () => {
    expect(broken([marked, [1000, { [running]: a }]])).toHaveLength(1)
    expect(broken([marked, [950, { [running]: undefined }], [1000, { [running]: a }]])).toEqual([])
  })

  test('nor while it is away for a moment', () => {
    const gone: Seen = [950, { [node]: undefined }]
    expect(broken([marked, gone, [1000, { [running]: a }]])).toHaveLength(1)
    expect(broken([marked, gone, [9000, { [running]: a }]])).toEqual([])
  })
})

describe('a flag of Java', () => {
  const claim: Seen = [1000, { [running]: a }]
  const up: Seen = [500, { [necessary]: '' }]
  const runs = [run({ begin: 1010, token: 3n })]

  test('lets nothing begin while it is up', () => {
    expect(broken([up, claim], { runs })).toEqual([expect.stringContaining('necessary is up')])
  })

  test('unless there is no Java any more', () => {
    const later = [run({ begin: 9010, token: 4n })]
    const gone: Seen = [600, { [node]: undefined }]
    expect(broken([up, gone, [9000, { [running]: a }]], { runs: later })).toEqual([])
  })

  test('unless it comes down before the code begins, or goes up after the claim', () => {
    const down: Seen = [1005, { [necessary]: undefined }]
    expect(broken([up, claim, down], { runs })).toEqual([])
    const late = [run({ begin: 1010, token: 2n })]
    expect(broken([claim, [1002, { [necessary]: '' }]], { runs: late })).toEqual([])
  })
})

describe('what a leader of ours takes from Java', () => {
  const moved: Seen = [1010, { [owner]: a, [assignment]: '{}' }]
  const claim: Seen = [1020, { [running]: a }]
  const runs = [run({ begin: 1025, token: 3n })]

  test('was not about to be begun there', () => {
    expect(broken([moved, claim], { runs, javaRuns: [javaRun()] })).toHaveLength(1)
    const before = [javaRun({ checkedAt: 1022 })]
    expect(broken([moved, claim], { runs, javaRuns: before })).toEqual([])
  })

  test('unless Java took longer to begin it than anybody waits, or moved it itself', () => {
    const slow = [javaRun({ checkedAt: -5000 })]
    expect(broken([moved, claim], { runs, javaRuns: slow })).toEqual([])
    const byJava: Seen = [1010, { [owner]: a }]
    expect(broken([byJava, claim], { runs, javaRuns: [javaRun()] })).toEqual([])
  })
})

test('what Java ran when it fired is not repeated', () => {
  const later = [run({ fireTime: 1000, begin: 3000, token: 9n })]
  expect(broken([], { runs: later, javaRuns: [javaRun()] })).toHaveLength(1)
  expect(broken([], { runs: later, javaRuns: [javaRun({ isFire: false })] })).toEqual([])
  expect(broken([], { runs: later, javaRuns: [javaRun({ begin: 1900 })] })).toEqual([])
  const other = [run({ fireTime: 2000, begin: 3000, token: 9n })]
  expect(broken([], { runs: other, javaRuns: [javaRun()] })).toEqual([])
})

test('who has left a job begins nothing in it', () => {
  const mine = `/sim/job/instances/${a}`
  const claims = (...happened: readonly Seen[]): number =>
    claimsOfTheAbsent(history(seen(...happened))).length
  expect(claims([1, { [mine]: '' }], [2, { [running]: a }])).toBe(0)
  expect(claims([1, { [mine]: '' }], [2, { [mine]: undefined }], [3, { [running]: a }])).toBe(1)
  expect(claims([1, { [running]: java }])).toBe(0)
})
