import type { JobDetail } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'
import { nodeOf, overwriteNodes } from '../support/stored-nodes.ts'

const the = withCluster()

test('tables for people: the job, its shards, its instances', async () => {
  const { code, stdout } = await the.cluster.run(['job', 'greet'])
  expect(code).toBe(0)
  const [properties, shards, instances] = stdout.split('\n\n')
  expect(properties).toMatch(/^Job +greet$/m)
  expect(properties).toMatch(/^Status +ok$/m)
  expect(properties).toMatch(/^Description +says hello$/m)
  expect(properties).toMatch(/^Schedule +0 0 0 1 1 \? 2099 \(at 00:00:00 on the 1st of January/m)
  expect(properties).toMatch(/^Next fire times +2099-01-01/m)
  expect(properties).toMatch(/^Leader +127\.0\.0\.1 \(\d+\)$/m)
  expect(properties).toMatch(
    /^Settings +failover off, misfire on, monitorExecution on, ROUND_ROBIN$/m,
  )
  expect(properties).toMatch(/^ +retry\.times +0$/m)
  expect(shards).toMatch(/^SHARD +PARAMETER +STATE +OWNER/m)
  expect(shards).toMatch(/^ +1 +Lima +waiting +127\.0\.0\.1 \(\d+\) +- +- +-$/m)
  expect(instances).toMatch(/^127\.0\.0\.1@-@\d+-\w+ +0 1 2 +- +leads$/m)
})

test('an instance whose clock is refused, in job and in doctor', async () => {
  const { instances } = await the.cluster.json<JobDetail>('job', 'greet')
  const instance = instances[0]?.instance ?? ''
  const refusedClocks = { [instance]: -12_000, '127.0.0.1@-@1-gone0000': 5000 }
  const state = JSON.stringify({ lastRound: 0, refusedClocks })
  await overwriteNodes(the.cluster, { [nodeOf('job state', 'greet')]: state })
  const { stdout } = await the.cluster.run(['job', 'greet'])
  expect(stdout).toMatch(/^Clock refused +127\.0\.0\.1 \(\d+\) \(12 s behind\)$/m)
  const { code, stdout: findings } = await the.cluster.run(['doctor', 'greet'])
  expect(code).toBe(1)
  expect(findings).toContain(`the clock of ${instance} is 12 s behind the registry's`)
})

test('JSON for programs', async () => {
  const job = await the.cluster.json<JobDetail & { nextFires: string[] }>('job', 'greet')
  expect(job).toMatchObject({
    jobName: 'greet',
    status: 'OK',
    configuration: { shardingTotalCount: 3, props: { 'retry.times': '0' } },
    nextFires: ['2099-01-01T00:00:00.000Z'],
  })
  expect(job.shards.map(({ shard, parameter, state }) => [shard, parameter, state])).toEqual([
    [0, 'Berlin', 'pending'],
    [1, 'Lima', 'pending'],
    [2, 'Osaka', 'pending'],
  ])
})

test('of a job that does not exist: the one that may be meant', async () => {
  const { code, stdout, stderr } = await the.cluster.run(['job', 'gret'])
  expect([code, stdout]).toEqual([3, ''])
  expect(stderr).toMatch(/no job "gret".*did you mean "greet"/)
})

test('the same as JSON', async () => {
  const { code, stderr } = await the.cluster.run(['job', 'nothing-like-it', '--json'])
  expect(code).toBe(3)
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'JOB_NOT_FOUND', exitCode: 3 } })
})
