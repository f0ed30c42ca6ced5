import type { JobSummary, OperationResult } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'

const the = withCluster()

test('a paused job fires again', async () => {
  await the.cluster.run(['pause', 'greet'])
  const { code, stdout } = await the.cluster.run(['resume', 'greet'])
  expect([code, stdout]).toEqual([0, 'done     job greet fires again\n'])
  const jobs = await the.cluster.json<JobSummary[]>('jobs')
  expect(jobs.find(({ jobName }) => jobName === 'greet')).toMatchObject({ paused: false })
})

test('one that was not paused is as it was, told as JSON', async () => {
  const result = await the.cluster.json<OperationResult>('resume', 'endless')
  expect(result).toMatchObject({ action: 'resume', done: [], unchanged: [{ jobName: 'endless' }] })
})

test('one that does not exist', async () => {
  expect(await the.cluster.run(['resume', 'nothing'])).toMatchObject({ code: 3, stdout: '' })
})
