import { describe, expect, it } from 'vitest'

import { JobLabels } from '../../src/metrics/job-labels.ts'

describe('JobLabels', () => {
  it('gives each job its own label up to the limit, and one to all others', () => {
    const labels = new JobLabels(2, true)
    expect(['a', 'b', 'c', 'd'].map((name) => labels.add(name))).toEqual([
      'a',
      'b',
      'other',
      'other',
    ])
    expect(labels.all).toEqual(['a', 'b', 'other'])
    expect(labels.get('c')).toBe('other')
    expect(labels.get('unknown')).toBeUndefined()
  })

  it('reuses the label of a stopped job, but not a shared one', () => {
    const labels = new JobLabels(1, true)
    for (const name of ['a', 'b', 'c']) labels.add(name)
    expect(labels.remove('b')).toBeUndefined()
    expect(labels.get('c')).toBe('other')
    expect(labels.remove('a')).toBe('a')
    expect(labels.add('d')).toBe('d')
    // Its counters would restart in the middle.
    expect(labels.add('c')).toBe('other')
  })

  it('does not reuse labels where series cannot be removed', () => {
    const labels = new JobLabels(1, false)
    labels.add('a')
    labels.remove('a')
    expect(labels.add('b')).toBe('other')
    expect(labels.add('a')).toBe('a')
  })
})
