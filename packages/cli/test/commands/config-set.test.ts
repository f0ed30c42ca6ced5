import type { ConfigurationUpdate } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'

const the = withCluster()

test('values, and shows what they were', async () => {
  const { code, stdout } = await the.cluster.run([
    'config',
    'set',
    'greet',
    'shardingTotalCount=4',
    'props.retry.times=3',
    '--unset',
    'timeZone',
  ])
  expect(code).toBe(0)
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ['KEY', 'OLD', 'NEW'],
    ['props', '{"retry.times":"0"}', '{"retry.times":"3"}'],
    ['shardingTotalCount', '3', '4'],
    ['timeZone', 'GMT+00:00', '(none)'],
  ])
  // Running instances take it up.
  await the.cluster.workers[0]?.line(/^owns greet: 0 1 2 3$/)
})

test('nothing that is so already', async () => {
  const { code, stdout } = await the.cluster.run(['config', 'set', 'broken', 'failover=false'])
  expect([code, stdout]).toEqual([
    0,
    'Nothing to change: the configuration already has these values.\n',
  ])
})

test('told as JSON', async () => {
  const update = await the.cluster.json<ConfigurationUpdate>(
    'config',
    'set',
    'endless',
    'description=never ends',
  )
  expect(update).toMatchObject({
    changes: [{ key: 'description', from: '', to: 'never ends' }],
    version: 1,
  })
})

test('nothing at all if one of them cannot be', async () => {
  const { code, stdout, stderr } = await the.cluster.run([
    'config',
    'set',
    'broken',
    'failover=maybe',
    'corn=x',
    'description=changed',
  ])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/failover: [^]*corn: there is no such option \(did you mean "cron"\?\)/)
  const { stdout: description } = await the.cluster.run(['config', 'get', 'broken', 'description'])
  expect(description).toBe('\n')
})

test('of a job that does not exist', async () => {
  const { code } = await the.cluster.run(['config', 'set', 'nothing', 'failover=true'])
  expect(code).toBe(3)
})
