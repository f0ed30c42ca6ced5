import { describe, expect, it } from 'vitest'

import { JobLabels } from '../../src/figures/job-labels.ts'

describe('the names of jobs', () => {
  it('are their own up to the limit, and one for all others', () => {
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

  it('make room when a job goes, and what shares a name stays', () => {
    const labels = new JobLabels(1, true)
    for (const name of ['a', 'b', 'c']) labels.add(name)
    expect(labels.remove('b')).toBeUndefined()
    expect(labels.get('c')).toBe('other')
    expect(labels.remove('a')).toBe('a')
    expect(labels.add('d')).toBe('d')
    // Its counts would begin anew in the middle.
    expect(labels.add('c')).toBe('other')
  })

  it('make no room where series cannot go', () => {
    const labels = new JobLabels(1, false)
    labels.add('a')
    labels.remove('a')
    expect(labels.add('b')).toBe('other')
    expect(labels.add('a')).toBe('a')
  })
})
