import type { StoredConfiguration } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'

const the = withCluster()

test('the text as it is stored', async () => {
  const { code, stdout } = await the.cluster.run(['config', 'get', 'greet'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^cron: 0 0 0 1 1 \? 2099$/m)
  expect(stdout).toMatch(/^shardingItemParameters: 0=Berlin,1=Lima,2=Osaka$/m)
})

test('JSON for programs', async () => {
  expect(await the.cluster.json<StoredConfiguration>('config', 'get', 'greet')).toMatchObject({
    configuration: { jobName: 'greet', shardingTotalCount: 3 },
    version: 0,
  })
})

test.for([
  [['cron'], '0 0 0 1 1 ? 2099\n'],
  [['failover'], 'false\n'],
  [['props.retry.times'], '0\n'],
  [['label'], '\n'],
  [['shardingTotalCount', '--json'], '3\n'],
  [['label', '--json'], 'null\n'],
] as const)('one value: %j', async ([args, text]) => {
  const { code, stdout } = await the.cluster.run(['config', 'get', 'greet', ...args])
  expect([code, stdout]).toEqual([0, text])
})

test.for([
  [['greet', 'corn'], 'no key "corn"'],
  [['nothing'], 'no job "nothing"'],
] as const)('%j does not exist', async ([args, words]) => {
  const { code, stderr } = await the.cluster.run(['config', 'get', ...args])
  expect(code).toBe(3)
  expect(stderr).toContain(words)
})
