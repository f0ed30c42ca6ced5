/** One broken job: every command that reads shows why it is broken, and the other jobs as always. */
import type { Diagnosis, JobDetail, JobSummary } from '@elasticjob/core/operations'
import { describe, expect, test } from 'vitest'

import { namespace, withCluster } from '../support/cluster.ts'
import { overwriteNodes, unreadableNodes } from '../support/stored-nodes.ts'

const the = withCluster()

describe.each(unreadableNodes)('a job whose %s cannot be read', (kind, pathOf, junk) => {
  const path = pathOf('greet')
  const breakJob = (): Promise<unknown> => overwriteNodes(the.cluster, { [path]: junk })

  test('is broken in jobs, and the others are not', async () => {
    await breakJob()
    const { code, stdout } = await the.cluster.run(['jobs'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^greet +broken/m)
    expect(stdout).toMatch(/^endless +ok/m)
    const jobs = await the.cluster.json<JobSummary[]>('jobs')
    expect(jobs.map(({ jobName, problem }) => [jobName, problem === undefined])).toEqual([
      ['broken', true],
      ['endless', true],
      ['greet', false],
    ])
    expect(jobs[2]?.problem).toContain(path)
  })

  test('says why in job, and shows its shards', async () => {
    await breakJob()
    const { code, stdout } = await the.cluster.run(['job', 'greet'])
    expect(code).toBe(0)
    expect(stdout).toContain(path)
    const shards = await the.cluster.run(['shards', 'greet'])
    expect(shards).toMatchObject({ code: 0, stderr: '' })
    expect(/^ +0 .*state unreadable/m.test(shards.stdout)).toBe(kind === 'shard state')
    expect((await the.cluster.run(['shards', 'endless'])).code).toBe(0)
  })

  test('has a finding in doctor, and the others are healthy', async () => {
    await breakJob()
    const { code, stdout } = await the.cluster.run(['doctor', '--json'])
    expect(code).toBe(1)
    const diagnoses = JSON.parse(stdout) as Diagnosis[]
    expect(diagnoses.map(({ jobName, healthy }) => [jobName, healthy])).toEqual([
      ['broken', true],
      ['endless', true],
      ['greet', false],
    ])
    expect(diagnoses[2]?.findings[0]).toMatchObject({
      cause: kind === 'configuration' ? 'configuration-unreadable' : 'node-unreadable',
      severity: 'error',
      what: expect.stringContaining(path) as string,
    })
  })

  test('is in top, with the others', async () => {
    await breakJob()
    const { code, stdout } = await the.cluster.run(['top', '--count', '1'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^greet +broken/m)
    expect(stdout).toMatch(/^endless +ok/m)
    const picture = await the.cluster.run(['top', '--json', '--count', '1'])
    const { jobs } = JSON.parse(picture.stdout) as { jobs: JobDetail[] }
    expect(jobs.find(({ jobName }) => jobName === 'greet')?.problem).toContain(path)
    expect(jobs.find(({ jobName }) => jobName === 'endless')?.status).toBe('OK')
  })

  test('is dumped as it is stored, with the others', async () => {
    await breakJob()
    const { code, stdout } = await the.cluster.run(['dump'])
    expect(code).toBe(0)
    expect(stdout).toContain(`${path.replace(`/${namespace}/`, '/')} | ${junk}`)
    expect(stdout).toMatch(/endless\/config \| /)
  })
})
