import type { JobDetail } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { Moves, movesText } from '../../src/dev/moves.ts'

function job(jobName: string, ...owners: (string | undefined)[]): JobDetail {
  return {
    jobName,
    shards: owners.map((owner, shard) => ({ shard, owner })),
  } as unknown as JobDetail
}

test('shards that others have now have moved', () => {
  const moves = new Moves()
  expect(moves.see([job('a', 'x', 'x', 'y'), job('b', 'y')])).toEqual(new Map())
  expect(moves.see([job('a', 'x', 'y', 'z'), job('b', 'y')])).toEqual(new Map([['a', [1, 2]]]))
  expect(moves.see([job('a', 'x', 'y', 'z'), job('b', 'y')])).toEqual(new Map())
})

test('a shard without an owner has not moved until it has another one', () => {
  const moves = new Moves()
  moves.see([job('a', undefined)])
  expect(moves.see([job('a', 'x')])).toEqual(new Map())
  expect(moves.see([job('a', undefined)])).toEqual(new Map())
  expect(moves.see([job('a', 'x')])).toEqual(new Map())
  moves.see([job('a', undefined)])
  expect(moves.see([job('a', 'y')])).toEqual(new Map([['a', [0]]]))
})

test('in words', () => {
  const moved = new Map([
    ['sync-orders', [2, 3]],
    ['tidy-up', [1]],
  ])
  expect(movesText(moved)).toBe('shards moved: sync-orders 2 3, tidy-up 1')
})
