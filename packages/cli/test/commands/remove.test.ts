import type { OperationResult } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'

const the = withCluster()

test('nothing unless somebody has confirmed it, and knows what it is', async () => {
  const { code, stdout, stderr } = await the.cluster.run(['remove', 'greet'])
  expect([code, stdout]).toEqual([5, ''])
  expect(stderr).toMatch(/Job 'greet', with 3 shards and 1 instance, will be deleted[^]*--yes/)
  expect((await the.cluster.run(['jobs', '-q'])).stdout).toContain('greet')
})

test('a job that runs: its instances leave first', async () => {
  const { code, stdout } = await the.cluster.run(['remove', 'greet', '--yes'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^done .*greet/)
  await the.cluster.workers[0]?.line(/^stopped greet$/)
  expect((await the.cluster.run(['jobs', '-q'])).stdout).toBe('broken\nendless\n')
})

test('told as JSON', async () => {
  const result = await the.cluster.json<OperationResult>('remove', 'broken', '--yes')
  expect(result).toMatchObject({ action: 'remove', failed: [] })
})

test('a job that does not exist, asked about or not', async () => {
  expect((await the.cluster.run(['remove', 'nothing'])).code).toBe(3)
  expect((await the.cluster.run(['remove', 'nothing', '--yes'])).code).toBe(3)
})
