import { describe, expect, it } from 'vitest'

import { Counter, decodeCounts, encodeCounts } from '../../../src/legacy/statistics/counts.ts'
import { readable } from '../../support/readable.ts'

const tally = (succeeded: number, failed: number): { succeeded: number; failed: number } => ({
  succeeded,
  failed,
})

describe('Counter', () => {
  it('counts runs that have ended, and elements', () => {
    const counter = new Counter(1000)
    for (const outcome of ['success', 'success', 'failure', 'aborted', 'not-started'] as const) {
      counter.ran(outcome)
    }
    counter.processed(10, 2)
    expect(counter.upTo(2000)).toEqual({
      interval: { from: 1000, until: 2000, runs: tally(2, 1), elements: tally(10, 2) },
      total: { since: 1000, runs: tally(2, 1), elements: tally(10, 2) },
    })
  })

  it('is empty until there is something to count', () => {
    const counter = new Counter(0)
    counter.ran('aborted')
    expect(counter.isEmpty).toBe(true)
    counter.processed(0, 1)
    expect(counter.isEmpty).toBe(false)
  })

  it('begins a new interval with what came while the last one was written', () => {
    const counter = new Counter(0)
    counter.ran('success')
    const counts = counter.upTo(100)
    counter.ran('failure')
    counter.written(counts)
    expect(counter.upTo(200)).toMatchObject({
      interval: { from: 100, until: 200, runs: tally(0, 1) },
      total: { since: 0, runs: tally(1, 1) },
    })
  })

  it('keeps what could not be written for the next interval, which is longer then', () => {
    const counter = new Counter(0)
    counter.ran('success')
    counter.upTo(100)
    counter.ran('success')
    expect(counter.upTo(200).interval).toMatchObject({ from: 0, until: 200, runs: tally(2, 0) })
  })

  it('begins anew after an interval without anything', () => {
    const counter = new Counter(0)
    counter.skip(100)
    counter.ran('success')
    expect(counter.upTo(200).interval).toMatchObject({ from: 100, until: 200 })
  })
})

describe('decodeCounts', () => {
  it('reads what was written', () => {
    const counter = new Counter(1)
    counter.processed(3, 4)
    const counts = counter.upTo(2)
    expect(readable(decodeCounts(encodeCounts(counts), 'node'))).toEqual(counts)
  })

  it.each(['', '{', '{}', '[]', 'null', '{"interval":{},"total":{}}'])(
    'takes %j for nothing',
    (text) => {
      expect(decodeCounts(text, 'node').problem?.path).toBe('node')
    },
  )
})
