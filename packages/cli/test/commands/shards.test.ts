import type { ShardDetail } from '@elasticjob/core/operations'
import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'

const the = withCluster(2)

test('a table for people, under either name', async () => {
  for (const name of ['shards', 'items']) {
    const { code, stdout } = await the.cluster.run([name, 'greet'])
    expect(code).toBe(0)
    const [, ...lines] = stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.trim().split(/ {2,}/).slice(0, 3))).toEqual([
      ['0', 'Berlin', 'waiting'],
      ['1', 'Lima', 'waiting'],
      ['2', 'Osaka', 'waiting'],
    ])
  }
})

test('JSON for programs: both instances have some', async () => {
  const shards = await the.cluster.json<ShardDetail[]>('shards', 'greet')
  expect(new Set(shards.map(({ server }) => server))).toEqual(new Set(['127.0.0.1', '127.0.0.2']))
})

test('what a run came to', async () => {
  await the.cluster.run(['trigger', 'broken', '--wait', '20'])
  const { stdout } = await the.cluster.run(['shards', 'broken'])
  expect(stdout).toMatch(/^ +0 +- +waiting .* success$/m)
  expect(stdout).toMatch(/^ +1 +- +waiting .* failure: Error: no stock$/m)
})

test('of a job that does not exist', async () => {
  expect(await the.cluster.run(['shards', 'nothing'])).toMatchObject({ code: 3, stdout: '' })
})
