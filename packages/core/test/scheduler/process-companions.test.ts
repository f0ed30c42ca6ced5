import { once } from 'node:events'

import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ElasticJob, type ElasticJobEvents, type ElasticJobOptions } from '../../src/index.ts'
import { SimulatedCluster } from '../simulated-cluster.ts'
import { askPort } from '../support/ask-port.ts'

type Listening = ElasticJobEvents['dump:listening'][0]

describe('dump ports of a scheduler', () => {
  let server: RunningServer
  let jobs: ElasticJob

  beforeEach(async () => {
    server = await startServer({ port: 0 })
  })

  afterEach(async () => {
    await jobs.stop()
    await server.stop()
  })

  async function connect(options: Partial<ElasticJobOptions> = {}): Promise<string[]> {
    const lines: string[] = []
    const logger = { debug: () => {}, info: (line: string) => void lines.push(line) }
    jobs = await ElasticJob.connect({
      servers: server.connectString,
      namespace: 'shop',
      ip: '10.0.1.1',
      drainOnSignals: false,
      logger: { ...logger, warn: logger.info, error: logger.info },
      ...options,
    })
    return lines
  }

  const job = { jobName: 'job', shardingTotalCount: 2 }

  it('answers for its own jobs, for those of others, and for none', async () => {
    const lines = await connect({ dump: { port: 0 } })
    const [, port] = /any job can be had at 127\.0\.0\.1:(\d+)/.exec(lines.join()) ?? []
    const ask = (line: string): Promise<string> => askPort(Number(port), line)
    await jobs.schedule(job, async () => {})
    const dump = await ask('dump@job')
    expect(dump).toContain('/job/servers/ip1 | ENABLED\n')
    expect(dump).toContain('jobName: job\n')
    expect(dump).not.toContain('10.0.1.1')
    // Nothing differs: every line of a node has two parts.
    expect(dump.split('\n').filter((line) => line.split(' | ').length === 4)).toEqual([])
    await using others = await ElasticJob.connect({
      servers: server.connectString,
      namespace: 'shop',
      drainOnSignals: false,
      logger: false,
    })
    await others.schedule({ ...job, jobName: 'theirs' }, async () => {})
    expect(await ask('dump@theirs')).toContain('jobName: theirs\n')
    expect(await ask('dump@none')).toBe('\n')
    expect(await ask('help')).toBe('')
  })

  it('says so when the registry is out of reach', async () => {
    const lines = await connect({ dump: { port: 0 } })
    const [, port] = /any job can be had at 127\.0\.0\.1:(\d+)/.exec(lines.join()) ?? []
    const suspended = once(jobs, 'registry:suspended')
    await server.stop()
    await suspended
    expect(await askPort(Number(port), 'dump@job')).toMatch(/not connected|no connection/i)
    expect(await askPort(Number(port), 'dump@job')).toMatch(/\n$/)
  })

  it('has one for each job that asks for it by monitor.port, as long as it does', async () => {
    await connect()
    const listening = once(jobs, 'dump:listening') as Promise<[Listening]>
    const scheduled = await jobs.schedule({ ...job, props: { 'monitor.port': 0 } }, async () => {})
    const [{ jobName, host, port }] = await listening
    expect([jobName, host]).toEqual(['job', '127.0.0.1'])
    expect(await askPort(port, 'dump')).toContain('/job/config | ')
    await scheduled.stop()
    const again = once(jobs, 'dump:listening') as Promise<[Listening]>
    // On the same port: it is free by now.
    await jobs.schedule(
      { ...job, props: { 'monitor.port': port }, overwrite: true },
      async () => {},
    )
    expect((await again)[0].port).toBe(port)
  })

  it('can be reached from elsewhere only with a token', async () => {
    jobs = await ElasticJob.connect({
      servers: server.connectString,
      namespace: 'shop',
      drainOnSignals: false,
      logger: false,
    })
    const open = ElasticJob.connect({
      servers: server.connectString,
      namespace: 'shop',
      drainOnSignals: false,
      logger: false,
      dump: { port: 0, host: '0.0.0.0' },
    })
    await expect(open).rejects.toMatchObject({ code: 'JOB_CONFIGURATION_INVALID' })
  })

  it('refuses settings that cannot be', async () => {
    await connect()
    const props = { 'monitor.port': 70_000 }
    await expect(jobs.schedule({ ...job, props }, async () => {})).rejects.toThrow(
      'monitor.port: must be a port up to 65535',
    )
  })
})

describe('a configuration that changes', () => {
  let cluster: SimulatedCluster

  beforeEach(async () => {
    cluster = await SimulatedCluster.start()
  })

  afterEach(() => cluster.stop())

  it('begins and ends counting', async () => {
    const { jobs } = await cluster.join('10.0.1.1')
    const options = { jobName: 'job', cron: '* * * * * ?', shardingTotalCount: 1 }
    await cluster.until(jobs.schedule(options, async () => {}))
    const client = await cluster.client()
    const { statistics } = cluster.pathsOf('job')
    await cluster.advance(30_000)
    expect(await cluster.until(client.exists(statistics))).toBeUndefined()
    await cluster.configure('job', { props: { 'process.count.interval.seconds': '5' } })
    await cluster.advance(15_000)
    expect((await cluster.until(client.children(statistics))).children).toHaveLength(1)
    await cluster.configure('job', { props: {} })
    await cluster.advance(1000)
    expect((await cluster.until(client.exists(statistics)))?.numChildren ?? 0).toBe(0)
  })
})
