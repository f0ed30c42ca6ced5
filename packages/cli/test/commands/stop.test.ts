import type { OperationResult } from '@elasticjob/core'
import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'

const the = withCluster()

test('a run, once somebody has confirmed it', async () => {
  await the.cluster.run(['trigger', 'endless'])
  await the.cluster.workers[0]?.line(/^started endless 0$/)

  const unasked = await the.cluster.run(['stop', 'endless', '--item', '0'])
  expect(unasked).toMatchObject({ code: 5, stdout: '' })
  expect(unasked.stderr).toMatch(/run of item 0 of job endless will be aborted[^]*--yes/)

  const result = await the.cluster.json<OperationResult>('stop', 'endless', '--item', '0', '--yes')
  expect(result).toMatchObject({ action: 'stop-run', done: [{ jobName: 'endless', item: 0 }] })
})

test('nothing that does not run', async () => {
  const { code, stderr } = await the.cluster.run(['stop', 'greet', '--item', '0', '--yes'])
  expect(code).toBe(5)
  expect(stderr).toContain('does not run at the moment')
})

test.for([
  [['nothing', '--item', '0'], 'no job "nothing"'],
  [['greet', '--item', '7'], 'no item 7'],
] as const)('%j does not exist', async ([args, words]) => {
  const { code, stderr } = await the.cluster.run(['stop', ...args, '--yes'])
  expect(code).toBe(3)
  expect(stderr).toContain(words)
})
