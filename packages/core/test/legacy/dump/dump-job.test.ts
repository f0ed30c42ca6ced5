import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { dumpJob, formatDump } from '../../../src/legacy/dump/dump-job.ts'
import { JobPaths, StatePaths } from '../../../src/job-tree/paths.ts'
import type { ReadParts } from '../../../src/registry/read-nodes.ts'
import { SimulatedCluster } from '../../simulated-cluster.ts'
import { registryOn } from '../../support/registry-on.ts'

const paths = new JobPaths('shop', new StatePaths('shop'), 'job')
const node = (path: string, text = ''): { path: string; text: string; version: number } => ({
  path,
  text,
  version: 0,
})

describe('formatDump', () => {
  it('has one line for each node, with paths as Java sees them', () => {
    const nodes = [
      node(paths.root, 'com.example.Job'),
      node(paths.server('10.0.0.7'), 'ENABLED'),
      node(paths.instance('10.0.0.7@-@12')),
      node(paths.jobState, '{"lastRound":0}'),
    ]
    expect(formatDump(nodes, new Map(), paths, true)).toBe(
      [
        '/job | com.example.Job',
        '/job/servers/ip1 | ENABLED',
        '/job/instances/ip1@-@12 | ',
        '/shop.state/jobs/job | {"lastRound":0}',
        '',
      ].join('\n'),
    )
    expect(formatDump(nodes, new Map(), paths, false)).toContain('/job/servers/10.0.0.7 | ENABLED')
  })

  it('says where the local copy differs, as Java does, and what it alone has', () => {
    const nodes = [node(paths.config, 'jobName: job'), node(paths.server('10.0.0.7'), 'DISABLED')]
    const differences = new Map([
      [paths.config, { path: '', text: '' }],
      [paths.server('10.0.0.7'), { path: paths.server('10.0.0.7'), text: 'ENABLED' }],
      [paths.necessary, { path: paths.necessary, text: '' }],
    ])
    expect(formatDump(nodes, differences, paths, true)).toBe(
      [
        '/job/config | jobName: job |  | ',
        '/job/servers/ip1 | DISABLED | /job/servers/ip1 | ENABLED',
        ' |  | /job/leader/sharding/necessary | ',
        '',
      ].join('\n'),
    )
  })

  it('shows no secrets of the configuration', () => {
    const text = 'jobName: job\nprops:\n  email.password: abc\n'
    const dump = formatDump([node(paths.config, text)], new Map(), paths, false)
    expect(dump).toBe("/job/config | jobName: job\nprops:\n  email.password: '******'\n\n")
  })
})

describe('dumpJob', () => {
  let cluster: SimulatedCluster

  beforeEach(async () => {
    cluster = await SimulatedCluster.start()
  })

  afterEach(() => cluster.stop())

  it('has everything that belongs to a job, and nothing of others', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    const job = { cron: '* * * * * ?', shardingTotalCount: 2 }
    await cluster.until(jobs.schedule({ ...job, jobName: 'job' }, async () => {}))
    await cluster.until(jobs.schedule({ ...job, jobName: 'job-2' }, async () => {}))
    await cluster.advance(3000)
    const client = await cluster.client()
    const readParts: ReadParts = (parts) => registryOn(client).read(parts)
    const dump = await cluster.until(dumpJob(readParts, 'shop', 'job'))
    const shown = dump
      .split('\n')
      .filter((line) => line.startsWith('/'))
      .map((line) => line.split(' | ', 1)[0])
    const instance = cluster.told('job:registered')[0]?.instance.replace('10.0.1.1', 'ip1')
    expect(shown).toEqual([
      '/job',
      '/job/sharding',
      '/job/sharding/1',
      '/job/sharding/1/instance',
      '/job/sharding/0',
      '/job/sharding/0/instance',
      '/job/servers',
      '/job/servers/ip1',
      '/job/leader',
      '/job/leader/sharding',
      '/job/leader/election',
      '/job/leader/election/instance',
      '/job/instances',
      `/job/instances/${instance}`,
      '/job/config',
      '/shop.state/jobs/job',
      '/shop.state/execution/job',
      '/shop.state/execution/job/1',
      '/shop.state/execution/job/0',
    ])
    expect(dump).not.toContain('10.0.1.1')
  })

  it('is one empty line for a job that does not exist', async () => {
    const client = await cluster.client()
    const readParts: ReadParts = (parts) => registryOn(client).read(parts)
    expect(await cluster.until(dumpJob(readParts, 'shop', 'none'))).toBe('\n')
  })
})
