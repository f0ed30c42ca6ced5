import type { OperationResult, ShardDetail } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'

const the = withCluster(2)

test('a server in a job: the other one takes its shards', async () => {
  const { code, stdout } = await the.cluster.run(['disable', 'greet', '--server', '127.0.0.2'])
  expect([code, stdout]).toEqual([0, 'done     job greet is disabled on server 127.0.0.2\n'])
  await the.cluster.workers[0]?.line(/^owns greet: 0 1 2$/)
  const again = await the.cluster.run(['disable', 'greet', '--server', '127.0.0.2'])
  expect(again).toMatchObject({
    code: 0,
    stdout: 'already  job greet is disabled on server 127.0.0.2\n',
  })
})

test('a shard, told as JSON', async () => {
  const result = await the.cluster.json<OperationResult>('disable', 'broken', '--shard', '1')
  expect(result).toMatchObject({
    action: 'disable-shard',
    done: [{ jobName: 'broken', shard: 1, text: 'shard 1 of job broken is disabled' }],
  })
  const shards = await the.cluster.json<ShardDetail[]>('shards', 'broken')
  expect(shards.map(({ disabled }) => disabled)).toEqual([false, true])
  expect((await the.cluster.run(['shards', 'broken'])).stdout).toMatch(
    /^ +1 .* disabled .*enable it$/m,
  )
})

test('a job, on all servers', async () => {
  await the.cluster.run(['disable', 'endless'])
  expect((await the.cluster.run(['jobs'])).stdout).toMatch(/^endless +disabled /m)
})

test.for([
  [['nothing'], 'no job "nothing"'],
  [['greet', '--shard', '7'], 'no shard 7'],
  [['--server', '10.0.0.1'], '"10.0.0.1"'],
] as const)('%j does not exist', async ([args, words]) => {
  const { code, stderr } = await the.cluster.run(['disable', ...args])
  expect(code).toBe(3)
  expect(stderr).toContain(words)
})
