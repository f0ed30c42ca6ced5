import { describe, expect, test } from 'vitest'

import { toMarkdown } from '../report/markdown.ts'
import { compare, compareWithAll, type Goal, type Report, type Row } from '../report/report.ts'
import { someMachine } from './support/some-machine.ts'

const comparison = { subject: 'ours', baseline: 'theirs' }

function compared(rounds: Record<string, number[]>, goal?: Goal): Row {
  const metric = { what: 'get', unit: 'ops/s', ...(goal === undefined ? {} : { goal }) }
  return compare(metric, rounds, comparison)
}

describe('a row', () => {
  test('compares the medians', () => {
    const row = compared({ theirs: [10, 1_000, 20], ours: [40, 1, 50] })
    expect(row.values).toEqual({ theirs: 20, ours: 40 })
    expect(row.ratio).toBe(2)
  })

  test.for<[goal: Goal, ours: number, reached: boolean]>([
    [{ atLeast: 0.95 }, 95, true],
    [{ atLeast: 0.95 }, 94, false],
    [{ atMost: 0.6 }, 60, true],
    [{ atMost: 0.6 }, 61, false],
  ])('with the goal %j: %d of 100 is reached: %s', ([goal, ours, reached]) => {
    expect(compared({ theirs: [100], ours: [ours] }, goal).reached).toBe(reached)
  })

  test.for<[theirs: number[], ours: number[], reached: boolean | null]>([
    [[0], [2], true],
    [[100], [3], false],
    [[], [2], true],
    [[1], [], null],
  ])('with a goal of our own, theirs %j and ours %j: reached %s', ([theirs, ours, reached]) => {
    expect(compared({ theirs, ours }, { ownAtMost: 2 }).reached).toBe(reached)
  })

  test('has no ratio, and reaches nothing, without a figure of both', () => {
    const row = compared({ theirs: [], ours: [5] }, { atLeast: 1 })
    expect(row).toMatchObject({ values: { theirs: null }, ratio: null, reached: null })
  })
})

describe('the table', () => {
  const report: Report = {
    bench: 'zookeeper',
    date: '2026-01-02',
    machine: someMachine,
    load: { before: 0.1, after: 1 },
    settings: { processes: 'on two cores' },
    sections: [
      {
        title: 'Both',
        names: ['theirs', 'ours', 'another'],
        rows: [
          compared({ theirs: [1_234.5, 1_235, 1_236], ours: [2_500], another: [] }, { atLeast: 2 }),
          compared({ theirs: [50], ours: [9.876], another: [1] }, { atMost: 0.1 }),
        ],
      },
      { title: 'Ours', names: ['ours'], rows: [compared({ ours: [7] })] },
    ],
    notes: ['another is missing: no compiler'],
  }
  const lines = toMarkdown(report).split('\n')

  test('has figures, ratio, goal and whether it is reached', () => {
    expect(lines).toContain(
      '| get | ops/s |  1,235 | 2,500 |       – |          2.02 | ≥ 2.00 |     yes |',
    )
    expect(lines).toContain(
      '| get | ops/s |   50.0 |  9.88 |    1.00 |          0.20 | ≤ 0.10 |      no |',
    )
  })

  test('keeps two digits of a small ratio, and says when a goal is our own', () => {
    const rows = [
      compared({ theirs: [1_000], ours: [12] }, { atMost: 1 / 50 }),
      compared({ theirs: [18], ours: [2] }, { ownAtMost: 2 }),
    ]
    const small = { ...report, sections: [{ title: 'Small', names: ['theirs', 'ours'], rows }] }
    const text = toMarkdown(small)
    expect(text).toMatch(/0\.012 \| +≤ 0\.020 \| +yes/)
    expect(text).toMatch(/0\.11 \| itself ≤ 2 \| +yes/)
  })

  test('has a ratio to each of several others, and notes below', () => {
    const rounds = { ours: [5], theirs: [50], 'also theirs': [0] }
    const rows = [compareWithAll({ what: 'late', unit: 'ms' }, rounds, 'ours')]
    const section = { title: 'All', names: Object.keys(rounds), subject: 'ours', rows }
    const text = toMarkdown({ ...report, sections: [{ ...section, notes: ['mind this'] }] })
    expect(text).toContain('| ours / theirs | ours / also theirs |')
    expect(text).toMatch(
      /\| late \| ms +\| +5\.00 \| +50\.0 \| +0\.00 \| +0\.10 \| +\|\n\n- mind this\n/,
    )
  })

  test('leaves out ratio and goals where there is nobody to compare with', () => {
    expect(lines).toContain('|     | unit  | ours |')
  })

  test('names machine, settings, noise and what is missing', () => {
    const text = lines.join('\n')
    expect(text).toContain('a CPU, 2 cores, 24 GB, Linux, Node v20, Java 17; load 0.10 before')
    expect(text).toContain('- processes: on two cores')
    expect(text).toContain('- noise: the best and the worst round of a throughput lie 0 % apart')
    expect(text).toContain('- another is missing: no compiler')
  })
})
