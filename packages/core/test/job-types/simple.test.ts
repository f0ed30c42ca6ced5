import { expect, test } from 'vitest'

import { simple } from '../../src/job-types/simple.ts'
import { shardContext, TestControl } from './support/contexts.ts'

test('a simple job is a function that is called with the context of its shard', async () => {
  const context = shardContext()
  const seen: unknown[] = []
  const runner = simple((given) => void seen.push(given))
  expect(runner.scope).toBe('shard')
  await runner.run(context, new TestControl())
  expect(seen).toEqual([context])
})

test('what it throws, now or later, fails the run', async () => {
  const now = simple(() => {
    throw new Error('now')
  })
  const later = simple(() => Promise.reject(new Error('later')))
  await expect(now.run(shardContext(), new TestControl())).rejects.toThrow('now')
  await expect(later.run(shardContext(), new TestControl())).rejects.toThrow('later')
})
