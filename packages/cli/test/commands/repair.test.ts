import type { OperationResult } from '@elasticjob/core/operations'
import { describe, expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'
import { nodeOf, overwriteNodes, textOf } from '../support/stored-nodes.ts'

const the = withCluster()
const jobState = nodeOf('job state', 'greet')
const shardPhase = nodeOf('shard state', 'greet')

describe('repair', () => {
  test('without --yes shows what would be reset and changes nothing', async () => {
    const client = await overwriteNodes(the.cluster, { [jobState]: '{' })
    const { code, stdout, stderr } = await the.cluster.run(['repair', 'greet'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^planned {2}the state of job greet is reset.*cannot be read/)
    expect(stderr).toBe('Nothing was changed. Add --yes to reset these nodes.\n')
    expect(await textOf(client, jobState)).toBe('{')
  })

  test('with --yes resets the nodes, and finds nothing more to repair', async () => {
    const client = await overwriteNodes(the.cluster, { [jobState]: '{', [shardPhase]: '{' })
    const { code, stdout, stderr } = await the.cluster.run(['repair', 'greet', '--yes'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^done {5}the state of job greet is reset/m)
    expect(stdout).toMatch(/^done {5}the state of shard 0 of job greet is reset/m)
    expect(JSON.parse(await textOf(client, jobState))).toMatchObject({ paused: true })
    expect(JSON.parse(await textOf(client, shardPhase))).toMatchObject({ state: 'idle' })
    expect(await the.cluster.run(['repair', 'greet'])).toMatchObject({
      code: 0,
      stderr: 'Nothing to repair: every node of job greet is readable.\n',
    })
  })

  test('without a job repairs every broken job', async () => {
    const other = nodeOf('job state', 'endless')
    const client = await overwriteNodes(the.cluster, { [jobState]: '{', [other]: '{' })
    const { code, stdout } = await the.cluster.run(['repair', '--yes', '--json'])
    expect(code).toBe(0)
    const { action, done } = JSON.parse(stdout) as OperationResult
    expect(action).toBe('repair')
    expect(done.map(({ jobName }) => jobName)).toEqual(['endless', 'greet'])
    expect(await textOf(client, other)).not.toBe('{')
  })

  test('with --json and without --yes plans alone', async () => {
    const client = await overwriteNodes(the.cluster, { [shardPhase]: '[]' })
    const result = await the.cluster.json<OperationResult>('repair')
    expect(result).toMatchObject({ done: [{ jobName: 'greet', shard: 0 }], failed: [] })
    expect(await textOf(client, shardPhase)).toBe('[]')
  })

  test('with --json and nothing to repair answers an empty result', async () => {
    expect(await the.cluster.json('repair')).toMatchObject({ done: [], skipped: [], failed: [] })
    expect(await the.cluster.run(['repair'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Nothing to repair: every node of every job is readable.\n',
    })
  })

  test.each([[['greet']], [[]]])(
    'of %j refuses a configuration that cannot be read: a person has to correct it',
    async (job) => {
      await overwriteNodes(the.cluster, { [nodeOf('configuration', 'greet')]: 'jobName: [' })
      const { code, stdout, stderr } = await the.cluster.run(['repair', ...job, '--yes'])
      expect(code).toBe(5)
      expect(stdout).toMatch(/^skipped {2}the configuration of job greet is not repaired/)
      expect(stdout).toContain('elasticjob config edit')
      expect(stderr).toContain('nothing was changed')
    },
  )

  test('of a job that does not exist fails', async () => {
    expect(await the.cluster.run(['repair', 'nothing'])).toMatchObject({ code: 3, stdout: '' })
  })
})
