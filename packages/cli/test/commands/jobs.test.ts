import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { JobSummary } from '@elasticjob/core/operations'
import { creatorAcl, ZooKeeper } from '@elasticjob/zookeeper'
import { describe, expect, onTestFinished, test } from 'vitest'

import { elasticjob } from '../support/command-line.ts'
import { namespace, withCluster } from '../support/cluster.ts'

const the = withCluster()

test('a table for people', async () => {
  const { code, stdout, stderr } = await the.cluster.run(['jobs'])
  expect([code, stderr]).toEqual([0, ''])
  const [head, ...lines] = stdout.trimEnd().split('\n')
  expect(head?.split(/ {2,}/)).toEqual([
    'JOB',
    'STATUS',
    'SHARDS',
    'INSTANCES',
    'NEXT FIRE',
    'SCHEDULE',
  ])
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['broken', 'ok', '2', '1', '-', 'when triggered'],
    ['endless', 'ok', '1', '1', '-', 'when triggered'],
    [
      'greet',
      'ok',
      '3',
      '1',
      expect.stringMatching(/^2099-01-01 \d\d:00:00 \(in \d+ d( \d+ h)?\)$/),
      'at 00:00:00 on the 1st of January in 2099 (GMT+00:00)',
    ],
  ])
})

test('JSON for programs', async () => {
  const jobs = await the.cluster.json<JobSummary[]>('jobs')
  expect(
    jobs.map(({ jobName, status, shardingTotalCount, instanceCount }) => [
      jobName,
      status,
      shardingTotalCount,
      instanceCount,
    ]),
  ).toEqual([
    ['broken', 'OK', 2, 1],
    ['endless', 'OK', 1, 1],
    ['greet', 'OK', 3, 1],
  ])
})

test('names alone for scripts', async () => {
  expect(await the.cluster.run(['jobs', '--quiet'])).toMatchObject({
    code: 0,
    stdout: 'broken\nendless\ngreet\n',
  })
})

test('of an empty namespace says where there are jobs', async () => {
  const { code, stdout, stderr } = await elasticjob([
    'jobs',
    '--servers',
    the.cluster.server.connectString,
    '--namespace',
    'elsewhere',
  ])
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr).toBe(
    `There are no jobs in namespace 'elsewhere'. Namespaces with jobs: ${namespace}.\n`,
  )
})

test('of an empty namespace does not claim to know those of others', async () => {
  const servers = the.cluster.server.connectString
  await using them = await ZooKeeper.connect({
    servers,
    auth: [{ scheme: 'digest', auth: 'them:secret' }],
  })
  await them.create('/theirs/job/config', '', { acl: creatorAcl, parents: true })
  const args = ['jobs', '--servers', servers, '--namespace', 'elsewhere']
  expect(await elasticjob(args)).toEqual({
    code: 0,
    stdout: '',
    stderr: `There are no jobs in namespace 'elsewhere'. Namespaces with jobs: ${namespace}. Namespaces that need a login: theirs.\n`,
  })
})

describe('the registry is found', () => {
  test('by variables', async () => {
    const env = {
      ELASTICJOB_SERVERS: the.cluster.server.connectString,
      ELASTICJOB_NAMESPACE: namespace,
    }
    const { code, stdout } = await elasticjob(['jobs', '-q'], { env })
    expect([code, stdout]).toEqual([0, 'broken\nendless\ngreet\n'])
  })

  test('by elasticjob.yaml in the directory', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'elasticjob-cli-'))
    onTestFinished(() => rmSync(cwd, { recursive: true }))
    const { connectString } = the.cluster.server
    writeFileSync(
      join(cwd, 'elasticjob.yaml'),
      `registry:\n  servers: ${connectString}\n  namespace: ${namespace}\n`,
    )
    const { code, stdout } = await elasticjob(['jobs', '-q'], { cwd })
    expect([code, stdout]).toEqual([0, 'broken\nendless\ngreet\n'])
  })
})
