import type { ServerDetail, ServerSummary } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { elasticjob } from '../support/command-line.ts'
import { withCluster } from '../support/cluster.ts'

const the = withCluster(2)

test('a table for people', async () => {
  const { code, stdout } = await the.cluster.run(['servers'])
  expect(code).toBe(0)
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ['SERVER', 'INSTANCES', 'JOBS', 'DISABLED', 'PAUSED', 'GONE'],
    ['127.0.0.1', '1', '3', '0', '0', '0'],
    ['127.0.0.2', '1', '3', '0', '0', '0'],
  ])
})

test('with the names of their hosts', async () => {
  const { stdout } = await the.cluster.run(['servers', '--names'])
  expect(stdout).toMatch(/^SERVER +HOST +INSTANCES/)
})

test('the jobs of one of them', async () => {
  const { code, stdout } = await the.cluster.run(['servers', '127.0.0.2'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^greet +ready +127\.0\.0\.2@-@\d+-\w+$/m)
})

test('JSON for programs', async () => {
  const servers = await the.cluster.json<ServerSummary[]>('servers')
  expect(servers.map(({ server, jobCount }) => [server, jobCount])).toEqual([
    ['127.0.0.1', 3],
    ['127.0.0.2', 3],
  ])
  const server = await the.cluster.json<ServerDetail>('servers', '127.0.0.1')
  expect(server.jobs.map(({ jobName }) => jobName)).toEqual(['broken', 'endless', 'greet'])
})

test('one that does not exist', async () => {
  const { code, stderr } = await the.cluster.run(['servers', '127.0.0.3'])
  expect(code).toBe(3)
  expect(stderr).toContain('"127.0.0.3"')
})

test('none', async () => {
  const { connectString } = the.cluster.server
  const registry = ['--servers', connectString, '--namespace', 'elsewhere']
  expect(await elasticjob(['servers', ...registry])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: "No server runs a job in namespace 'elsewhere'.\n",
  })
})
