/** The metrics of a real scheduler, as Prometheus reads them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { ElasticJob, type ElasticJobEvents } from '@elasticjob/core'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { Counter, Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { PrometheusExporter } from '../../src/index.ts'
import { historyOf } from '../support/history.ts'
import { samplesOf } from '../support/samples.ts'

let server: RunningServer
let jobs: ElasticJob
let exporter: PrometheusExporter

beforeAll(async () => {
  server = await startServer({ port: 0 })
})

afterAll(() => server.stop())

let namespaces = 0

beforeEach(async () => {
  exporter = await PrometheusExporter.create()
  jobs = await ElasticJob.connect({
    servers: server.connectString,
    namespace: `metrics-${(namespaces += 1)}`,
    drainOnSignals: false,
    logger: false,
  })
  exporter.follow(jobs)
})

afterEach(async () => {
  await jobs.stop()
  await exporter.stop()
})

const happening = <Name extends keyof ElasticJobEvents>(
  name: Name,
): Promise<ElasticJobEvents[Name][0]> => new Promise((resolve) => jobs.once(name, resolve as never))

const of = (metric: string, labels = ''): string =>
  `${metric}{job_namespace="metrics-${namespaces}"${labels}}`

const samples = async (): Promise<Map<string, number>> => samplesOf(await exporter.text())

describe('PrometheusExporter: a job', () => {
  it('has metrics of active runs, outcomes, the leader and the registry', async () => {
    let release = (): void => {}
    const body = (): Promise<void> =>
      new Promise((_, reject) => {
        release = () => reject(new Error('no luck'))
      })
    const job = await jobs.schedule({ jobName: 'sync', shardingTotalCount: 1 }, body)
    const started = happening('run:started')
    await job.trigger()
    await started
    const running = await samples()
    const sync = ',job_name="sync"'
    expect(running.get(of('elasticjob_runs_active', sync))).toBe(1)
    expect(running.get(of('elasticjob_job_leader', sync))).toBe(1)
    expect(running.get(of('elasticjob_job_leaderless', sync))).toBe(0)
    expect(running.get(of('elasticjob_job_shards', sync))).toBe(1)
    expect(running.get(of('elasticjob_lease_remaining_seconds'))).toBeGreaterThan(0)
    expect(running.get(of('elasticjob_sessions', ',state="connected"'))).toBe(1)
    expect(running.get(of('elasticjob_sessions', ',state="lost"'))).toBe(0)
    expect(running.get(of('elasticjob_replica_nodes'))).toBeGreaterThan(1)
    const multi = 'elasticjob_zookeeper_request_duration_seconds_count{operation="multi"}'
    expect(running.get(multi)).toBeGreaterThan(0)

    const recorded = happening('run:recorded')
    release()
    await recorded
    const ended = await samples()
    const failed = `${sync},outcome="failure",source="trigger"`
    expect(ended.get(of('elasticjob_runs_total', failed))).toBe(1)
    expect(ended.get(of('elasticjob_runs_active', sync))).toBe(0)
    expect(ended.get(of('elasticjob_run_duration_seconds_count', sync))).toBe(1)
    const lateness = of('elasticjob_run_lateness_seconds_count', `${sync},source="trigger"`)
    expect(ended.get(lateness)).toBe(1)
    // Nothing runs, so no lease is needed.
    expect(ended.has(of('elasticjob_lease_remaining_seconds'))).toBe(false)
  })

  it('that is stopped has no metrics any more', async () => {
    const job = await jobs.schedule({ jobName: 'sync', shardingTotalCount: 1 }, () => {})
    expect(await exporter.text()).toContain('job_name="sync"')
    await job.stop()
    expect(await exporter.text()).not.toContain('job_name="sync"')
  })
})

describe('PrometheusExporter with a given registry', () => {
  it('adds its metrics, and removes them on stop()', async () => {
    const registry = new Registry()
    const own = new Counter({ name: 'orders_total', help: 'Orders.', registers: [registry] })
    own.inc()
    const beside = await PrometheusExporter.create({ registry })
    beside.follow(jobs)
    const page = await registry.metrics()
    expect(page).toContain('orders_total 1')
    expect(page).toContain('elasticjob_sessions{')
    await beside.stop()
    expect(await registry.metrics()).not.toContain('elasticjob')
  })

  it('refuses a second exporter', async () => {
    const { registry } = exporter
    await expect(PrometheusExporter.create({ registry })).rejects.toMatchObject({
      code: 'METRICS_NAME_TAKEN',
    })
  })
})

it('PrometheusExporter reports queue and drops of a history', async () => {
  const tracing = { metrics: historyOf(3, 5).metrics }
  const beside = await PrometheusExporter.create({ tracing })
  const first = samplesOf(await beside.text())
  expect(first.get('elasticjob_tracing_queued')).toBe(3)
  expect(first.get('elasticjob_tracing_dropped_total')).toBe(5)
  tracing.metrics = historyOf(3, 6).metrics
  expect(samplesOf(await beside.text()).get('elasticjob_tracing_dropped_total')).toBe(6)
  await beside.stop()
})

describe('PrometheusExporter.handler', () => {
  it('works in a Node server', async () => {
    const web = createServer((request, response) => void exporter.handler(request, response))
    web.listen(0, '127.0.0.1')
    await once(web, 'listening')
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/figures`
    const answer = await fetch(url)
    expect(answer.headers.get('content-type')).toContain('version=0.0.4')
    expect(await answer.text()).toContain('# TYPE elasticjob_runs_total counter')
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await fetch(url, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    web.close()
    web.closeAllConnections()
  })

  it('works with the Fetch API', async () => {
    const answer = await exporter.fetch(new Request('http://localhost/metrics'))
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('elasticjob_sessions{')
  })

  it('reports the failure of another metric', async () => {
    const registry = new Registry()
    const beside = await PrometheusExporter.create({ registry })
    const broken = new Counter({
      name: 'broken_total',
      help: 'Fails.',
      registers: [registry],
      collect: () => {
        throw new Error('no disk')
      },
    })
    const answer = await beside.fetch(new Request('http://localhost/metrics'))
    expect(answer.status).toBe(500)
    expect(await answer.text()).toContain('no disk')
    expect(broken).toBeDefined()
    await beside.stop()
  })
})
