import type { OperationResult } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'

const the = withCluster()

test('a job', async () => {
  const { code, stdout } = await the.cluster.run(['reshard', 'greet'])
  expect([code, stdout]).toEqual([0, 'done     a resharding of job greet is requested\n'])
})

test('told as JSON', async () => {
  const result = await the.cluster.json<OperationResult>('reshard', 'endless')
  expect(result.action).toBe('reshard')
})

test('one that does not exist', async () => {
  expect(await the.cluster.run(['reshard', 'nothing'])).toMatchObject({ code: 3, stdout: '' })
})
