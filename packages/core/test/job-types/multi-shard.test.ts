import { expect, test } from 'vitest'

import { allShards } from '../../src/job-types/multi-shard.ts'
import { instanceContext, TestControl } from './support/contexts.ts'

test('a function is called once, with all shards', async () => {
  const seen: (string | undefined)[] = []
  const runner = allShards(({ shardingItems }) => {
    seen.push(shardingItems.map(({ shardingParameter }) => shardingParameter).join())
  })
  expect(runner.scope).toBe('instance')
  await runner.run(instanceContext(), new TestControl())
  expect(seen).toEqual(['Beijing,Shanghai'])
})
