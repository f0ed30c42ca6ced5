import { expect, test } from 'vitest'

import { withCluster } from '../support/cluster.ts'

const the = withCluster()

test('all that the registry has of a job, without addresses', async () => {
  const { code, stdout } = await the.cluster.run(['dump', 'greet'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^\/.*greet\/config/m)
  expect(stdout).toContain('Lima')
  expect(stdout).not.toContain('127.0.0.1')
})

test('with addresses, if they are asked for', async () => {
  const { stdout } = await the.cluster.run(['dump', 'greet', '--no-mask'])
  expect(stdout).toContain('127.0.0.1')
})

test('of all jobs, as JSON', async () => {
  const dumps = await the.cluster.json<Record<string, string>>('dump')
  expect(Object.keys(dumps)).toEqual(['broken', 'endless', 'greet'])
  expect(dumps['greet']).toContain('Lima')
})

test('of a job that does not exist', async () => {
  expect(await the.cluster.run(['dump', 'nothing'])).toMatchObject({ code: 3, stdout: '' })
})
