import type { ShardDetail } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { lettersOf } from '../../src/live/letters.ts'
import { shardStrip } from '../../src/live/shard-strip.ts'
import { plain } from '../../src/output/style.ts'

function shard(
  shardingItem: number,
  owner: string | undefined,
  state: ShardDetail['state'],
): ShardDetail {
  return { shard: shardingItem, owner, state } as ShardDetail
}

function textOf(shards: readonly ShardDetail[]): string {
  const parts = shardStrip(shards, lettersOf(), plain)
  return parts.map(({ text }) => text).join('')
}

test('shards stand with their owners, and say how they are', () => {
  expect(
    textOf([
      shard(0, 'x', 'pending'),
      shard(1, undefined, 'no-owner'),
      shard(2, 'y', 'running'),
      shard(3, 'x', 'disabled'),
      shard(4, 'y', 'crashed'),
    ]),
  ).toBe('A 0 3-   B 2* 4!   ? 1!')
})

test('many neighbours are one range, as long as they are alike', () => {
  const shards = Array.from({ length: 12 }, (_, shardingItem) =>
    shard(shardingItem, 'x', shardingItem === 5 ? 'running' : 'pending'),
  )
  expect(textOf(shards)).toBe('A 0-4 5* 6-11')
  expect(textOf(shards.slice(0, 3))).toBe('A 0 1 2')
})

test('there are as many letters as instances', () => {
  const nameOf = lettersOf()
  const names = Array.from({ length: 80 }, (_, index) => nameOf(String(index)))
  expect([names[0], names[25], names[26], names[53]]).toEqual(['A', 'Z', 'AA', 'BB'])
  expect(new Set(names)).toHaveLength(80)
  expect(nameOf('26')).toBe('AA')
})
