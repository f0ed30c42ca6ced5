import { expect, test } from 'vitest'

import { scaleOf, toPicture } from '../report/picture.ts'
import { compare, type Goal, type Report, type Row } from '../report/report.ts'
import { someMachine } from './support/some-machine.ts'

const comparison = { subject: 'ours', baseline: 'theirs' }

function row(what: string, theirs: number, ours: number, goal?: Goal): Row {
  const metric = { what, unit: 'ms', ...(goal === undefined ? {} : { goal }) }
  return compare(metric, { theirs: [theirs], ours: [ours] }, comparison)
}

function reportWith(rows: readonly Row[]): Report {
  return {
    bench: 'peers',
    date: '2026-01-02',
    machine: someMachine,
    load: { before: 0, after: 0 },
    settings: {},
    sections: [{ title: 'Times <of> all & "more"', names: ['theirs', 'ours'], rows }],
    notes: [],
  }
}

test('a scale holds every ratio, every goal, and 1', () => {
  const { low, high, at } = scaleOf([
    { ratio: 0.003, goal: 0.02 },
    { ratio: 3, goal: undefined },
  ])
  expect([low, high]).toEqual([-3, 1])
  expect(at(0.01) - at(0.001)).toBeCloseTo(at(1) - at(0.1), 0)
})

test('a bar shows what is reached, what is not, and what is more without a goal', () => {
  const picture = toPicture(
    reportWith([
      row('quick', 100, 1, { atMost: 0.02 }),
      row('slow', 100, 50, { atMost: 0.02 }),
      row('worse', 10, 20),
    ]),
  )
  const kinds = [...picture.matchAll(/<rect class="(\w+)" x/g)].map(([, kind]) => kind)
  expect(kinds).toEqual(['less', 'missed', 'more'])
  expect([...picture.matchAll(/<path class="goal"/g)]).toHaveLength(2)
  expect(picture).toContain('>1/100<')
  expect(picture).toContain('>2.0×<')
})

test('what has no ratio has no bar', () => {
  const picture = toPicture(reportWith([row('nothing to compare with', 0, 5)]))
  expect(picture).not.toContain('nothing to compare with')
})

test('words are text, whatever is in them', () => {
  const picture = toPicture(reportWith([row('a < b', 1, 1)]))
  expect(picture).toContain('Times &lt;of&gt; all &amp; &quot;more&quot;')
  expect(picture).toContain('>a &lt; b<')
})

test('it can be read on dark ground as well', () => {
  expect(toPicture(reportWith([]))).toContain('@media (prefers-color-scheme: dark)')
})
