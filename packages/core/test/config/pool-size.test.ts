import { expect, it } from 'vitest'

import { poolSizeOf } from '../../src/config/pool-size.ts'

it.each([
  [undefined, Infinity],
  ['CPU', 8],
  ['cpu', 8],
  ['SINGLE_THREAD', 1],
  ['12', 12],
  ['0', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['', undefined],
  ['MANY', undefined],
])('a pool setting of %s lets %s shards run at once', (setting, size) => {
  expect(poolSizeOf(setting, 4)).toBe(size)
})
