import { expect, test } from 'vitest'

import { allItems } from '../../src/job-types/multi-shard.ts'
import { instanceContext, TestControl } from './support/contexts.ts'

test('a function is called once, with all items', async () => {
  const seen: (string | undefined)[] = []
  const runner = allItems(({ shardingItems }) => {
    seen.push(shardingItems.map(({ shardingParameter }) => shardingParameter).join())
  })
  expect(runner.scope).toBe('instance')
  await runner.run(instanceContext(), new TestControl())
  expect(seen).toEqual(['Beijing,Shanghai'])
})
