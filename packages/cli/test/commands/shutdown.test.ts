import type { OperationResult } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'

const the = withCluster()

test('nothing unless somebody has confirmed it', async () => {
  const { code, stdout, stderr } = await the.cluster.run(['shutdown', 'greet'])
  expect([code, stdout]).toEqual([5, ''])
  expect(stderr).toMatch(/All instances of job 'greet' will leave[^]*--yes/)
  expect((await the.cluster.run(['jobs'])).stdout).toMatch(/^greet +ok /m)
})

test('a job: its instances leave', async () => {
  const { code, stdout } = await the.cluster.run(['shutdown', 'greet', '--yes', '--wait', '20'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^done /)
  await the.cluster.workers[0]?.line(/^stopped greet$/)
  expect((await the.cluster.run(['jobs'])).stdout).toMatch(/^greet +no instance +3 +0 /m)
})

test('a server in all its jobs, told as JSON', async () => {
  const result = await the.cluster.json<OperationResult>(
    'shutdown',
    '--server',
    '127.0.0.1',
    '--yes',
    '--wait',
    '20',
  )
  expect(result.done.map(({ jobName }) => jobName)).toEqual(
    expect.arrayContaining(['broken', 'endless']),
  )
})

test('a job that does not exist', async () => {
  const { code } = await the.cluster.run(['shutdown', 'nothing', '--yes'])
  expect(code).toBe(3)
})
