import type { OperationResult } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'

const the = withCluster()

test('a run, once somebody has confirmed it', async () => {
  await the.cluster.run(['trigger', 'endless'])
  await the.cluster.workers[0]?.line(/^started endless 0$/)

  const unasked = await the.cluster.run(['stop', 'endless', '--shard', '0'])
  expect(unasked).toMatchObject({ code: 5, stdout: '' })
  expect(unasked.stderr).toMatch(/run of shard 0 of job 'endless' will be aborted[^]*--yes/)

  const result = await the.cluster.json<OperationResult>('stop', 'endless', '--shard', '0', '--yes')
  expect(result).toMatchObject({ action: 'stop-run', done: [{ jobName: 'endless', shard: 0 }] })
})

test('nothing that does not run', async () => {
  const { code, stderr } = await the.cluster.run(['stop', 'greet', '--shard', '0', '--yes'])
  expect(code).toBe(5)
  expect(stderr).toContain('does not run at the moment')
})

test.for([
  [['nothing', '--shard', '0'], 'no job "nothing"'],
  [['greet', '--shard', '7'], 'no shard 7'],
] as const)('%j does not exist', async ([args, words]) => {
  const { code, stderr } = await the.cluster.run(['stop', ...args, '--yes'])
  expect(code).toBe(3)
  expect(stderr).toContain(words)
})
