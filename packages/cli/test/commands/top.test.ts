import type { JobDetail } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { RunningCommand } from '../support/command-line.ts'
import { withCluster } from '../support/cluster.ts'
import { DyingRegistry } from '../support/dying-registry.ts'

const the = withCluster(2)

test('one picture after the other where there is no screen', async () => {
  const { code, stdout } = await the.cluster.run(['top', '--count', '2', '--interval', '0.1'])
  expect(code).toBe(0)
  expect(
    stdout.match(/^cli: 3 jobs {3}2 instances on 2 servers {3}0 shards running/gm),
  ).toHaveLength(2)
  expect(stdout).toMatch(/^greet +ok +in \d+ d.* A \d.* B \d/m)
  expect(stdout).toMatch(/^A {2}127\.0\.0\.[12]@-@/m)
  expect(stdout).not.toContain('\u001B')
})

test('some jobs alone, as JSON, a line each', async () => {
  const { stdout } = await the.cluster.run(['top', 'greet', '--json', '-c', '2', '-i', '0.1'])
  const pictures = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { jobs: JobDetail[] })
  expect(pictures.map(({ jobs }) => jobs.map(({ jobName }) => jobName))).toEqual([
    ['greet'],
    ['greet'],
  ])
})

test('until it is told to end', async () => {
  const top = new RunningCommand(['top', '-i', '0.1', ...the.cluster.registry]).ownedByTest()
  await top.line(/^greet/)
  expect(await top.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })
})

test('until the registry is gone', async () => {
  const dying = await DyingRegistry.start(the.cluster.server.port)
  const registry = ['--servers', dying.servers, '-n', 'cli', '--timeout', '3']
  const top = new RunningCommand(['top', '-i', '0.05', ...registry]).ownedByTest()
  await top.line(/^greet/)
  dying.die()
  const { code, stderr } = await top.finished
  expect(code).toBe(4)
  expect(stderr).toContain('the connection to the registry was lost')
})

test('a job that does not exist', async () => {
  expect(await the.cluster.run(['top', 'nothing'])).toMatchObject({ code: 3, stdout: '' })
})
