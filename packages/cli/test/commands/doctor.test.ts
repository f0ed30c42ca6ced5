import type { Diagnosis } from '@elasticjob/core/operations'
import { describe, expect, test } from 'vitest'

import { elasticjob } from '../support/command-line.ts'
import { namespace, withCluster } from '../support/cluster.ts'

const the = withCluster()

describe('a job that is well', () => {
  test('is said to be', async () => {
    const { code, stdout, stderr } = await the.cluster.run(['doctor', 'greet'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^greet: nothing is in its way: one instance, next fire at 2099-01-01/)
  })

  test('and so are all of them, as JSON', async () => {
    const diagnoses = await the.cluster.json<Diagnosis[]>('doctor')
    expect(diagnoses.map(({ jobName, healthy }) => [jobName, healthy])).toEqual([
      ['broken', true],
      ['endless', true],
      ['greet', true],
    ])
  })
})

describe('a job that does not run', () => {
  test('has a cause and a remedy, and the command fails', async () => {
    await the.cluster.run(['pause', 'greet'])
    const { code, stdout, stderr } = await the.cluster.run(['doctor', 'greet'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^greet has problems:\n {2}error {4}.*paused.*\n {11}→ .*resume/)
    expect(stderr).toBe('error: 1 of 1 job has problems\n')
    await the.cluster.run(['resume', 'greet'])
  })

  test('as JSON', async () => {
    await the.cluster.run(['disable', 'endless'])
    const { code, stdout } = await the.cluster.run(['doctor', 'endless', '--json'])
    expect(code).toBe(1)
    const [diagnosis] = JSON.parse(stdout) as Diagnosis[]
    expect(diagnosis).toMatchObject({ jobName: 'endless', healthy: false })
    expect(diagnosis?.findings[0]).toMatchObject({ cause: 'all-disabled', severity: 'error' })
    await the.cluster.run(['enable', 'endless'])
  })
})

test('a job that does not exist', async () => {
  const { code, stdout } = await the.cluster.run(['doctor', 'gret'])
  expect(code).toBe(3)
  expect(stdout).toMatch(/^There is nothing to check:\n.*did you mean "greet"/)
})

test('a namespace that is another one', async () => {
  const registry = ['--servers', the.cluster.server.connectString, '--namespace', 'elsewhere']
  const { code, stdout } = await elasticjob(['doctor', 'greet', '--json', ...registry])
  expect(code).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject([
    {
      findings: [
        { cause: 'namespace-unknown', what: expect.stringContaining(namespace) as string },
      ],
    },
  ])
})

test('no registry at all is a cause, too', async () => {
  const nowhere = ['--servers', '127.0.0.1:1', '--namespace', 'cli', '--timeout', '1']
  const { code, stdout, stderr } = await elasticjob(['doctor', 'greet', '--json', ...nowhere])
  expect(code).toBe(4)
  expect(JSON.parse(stdout)).toMatchObject([{ findings: [{ cause: 'registry-unreachable' }] }])
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'CLI_REGISTRY_UNREACHABLE' } })
})
