import { describe, expect, test } from 'vitest'

import { JobListeners } from '../../src/job-types/job-listener.ts'

describe('JobListeners', () => {
  const listeners = new JobListeners([
    { type: 'last' },
    { type: 'second', order: 2 },
    { type: 'first', order: -1 },
  ])

  test('are given in their order, those without one last', () => {
    const types = listeners.get(['last', 'second', 'first']).map(({ type }) => type)
    expect(types).toEqual(['first', 'second', 'last'])
    expect(listeners.get([])).toEqual([])
  })

  test('that nobody knows are an error that names those that are known', () => {
    expect(() => listeners.get(['third'])).toThrow(
      'there is no listener "third"; there are last, second, first',
    )
    expect(() => new JobListeners().get(['third'])).toThrow('there are none')
  })

  test.each([0, -1, 1.5, Infinity, 2 ** 31])('cannot let shards wait for %s', (time) => {
    const refusal = 'of listener "a" must be from 1 to 2147483647 milliseconds'
    expect(() => new JobListeners([{ type: 'a', startedTimeout: time }])).toThrow(refusal)
    expect(() => new JobListeners([{ type: 'a', completedTimeout: time }])).toThrow(refusal)
  })

  test('need names of their own', () => {
    expect(() => new JobListeners([{ type: 'a' }, { type: 'a' }])).toThrow(
      'there are two listeners "a"',
    )
  })
})
