import { expect, it } from 'vitest'

import { Revisions } from '../../../src/server/live/revisions.ts'

it('tells what has changed and gone since a revision', () => {
  const kept = new Revisions<{ n: number }>()
  kept.put('a', { n: 1 }, 1)
  kept.put('b', { n: 1 }, 2)
  kept.put('a', { n: 2 }, 3)
  kept.remove('b', 4)
  expect(kept.since(0)).toEqual({ changed: ['{"n":2}'], removed: ['b'] })
  expect(kept.since(2)).toEqual({ changed: ['{"n":2}'], removed: ['b'] })
  expect(kept.since(3)).toEqual({ changed: [], removed: ['b'] })
  expect(kept.since(4)).toEqual({ changed: [], removed: [] })
})

it('does not call a change what is the same', () => {
  const kept = new Revisions<{ n: number }>()
  expect(kept.put('a', { n: 1 }, 1)).toBe(true)
  expect(kept.put('a', { n: 1 }, 2)).toBe(false)
  expect(kept.since(1).changed).toEqual([])
})

it('what comes back is not gone', () => {
  const kept = new Revisions<number>()
  kept.put('a', 1, 1)
  kept.remove('a', 2)
  kept.put('a', 1, 3)
  expect(kept.since(0)).toEqual({ changed: ['1'], removed: [] })
})

it('what is kept is put into words once', () => {
  const kept = new Revisions<{ n: number }>()
  const value = { n: 1, toJSON: () => 'put into words' }
  kept.put('a', value, 1)
  value.toJSON = () => 'put into words again'
  expect(kept.textOf('a', value)).toBe('"put into words"')
  expect(kept.texts()).toEqual(['"put into words"'])
  expect(kept.textOf('a', { n: 2 })).toBe('{"n":2}')
})
