import type { OperationResult, ShardDetail } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'

const the = withCluster()

test('a disabled job', async () => {
  await the.cluster.run(['disable', 'greet'])
  expect((await the.cluster.run(['jobs'])).stdout).toMatch(/^greet +disabled /m)
  const { code, stdout } = await the.cluster.run(['enable', 'greet'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^done     job greet is enabled on server 127\.0\.0\.1$/m)
  expect((await the.cluster.run(['jobs'])).stdout).not.toMatch(/^greet +disabled /m)
})

test('a disabled shard, told as JSON', async () => {
  await the.cluster.run(['disable', 'broken', '--shard', '0'])
  const result = await the.cluster.json<OperationResult>('enable', 'broken', '--shard', '0')
  expect(result).toMatchObject({ action: 'enable-shard', done: [{ shard: 0 }] })
  const shards = await the.cluster.json<ShardDetail[]>('shards', 'broken')
  expect(shards.map(({ disabled }) => disabled)).toEqual([false, false])
})

test('what does not exist', async () => {
  expect(await the.cluster.run(['enable', 'nothing'])).toMatchObject({ code: 3, stdout: '' })
})
