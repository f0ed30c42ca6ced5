import type { JobSummary, OperationResult } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'

const the = withCluster()

test('a job, once', async () => {
  const first = await the.cluster.run(['pause', 'greet'])
  expect(first).toMatchObject({ code: 0, stdout: 'done     job greet is paused\n' })
  const second = await the.cluster.run(['pause', 'greet'])
  expect(second).toMatchObject({ code: 0, stdout: 'already  job greet is paused\n' })
  const jobs = await the.cluster.json<JobSummary[]>('jobs')
  expect(jobs.find(({ jobName }) => jobName === 'greet')).toMatchObject({ paused: true })
  expect((await the.cluster.run(['jobs'])).stdout).toMatch(/^greet +paused +3 +1 +- /m)
})

test('all jobs of a server, told as JSON', async () => {
  const result = await the.cluster.json<OperationResult>('pause', '--server', '127.0.0.1')
  expect(result.action).toBe('pause')
  expect(result.done.map(({ jobName }) => jobName)).toEqual(
    expect.arrayContaining(['broken', 'endless']),
  )
})

test.for([
  [['nothing'], 'no job "nothing"'],
  [['greet', '--server', '10.0.0.1'], '"10.0.0.1"'],
] as const)('%j does not exist', async ([args, words]) => {
  const { code, stderr } = await the.cluster.run(['pause', ...args])
  expect(code).toBe(3)
  expect(stderr).toContain(words)
})
