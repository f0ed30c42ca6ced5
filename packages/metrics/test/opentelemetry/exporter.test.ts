/** The metrics of a real scheduler, as an OpenTelemetry SDK receives them. */
import { ElasticJob, type ElasticJobEvents } from '@elasticjob/core'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { OpenTelemetryExporter } from '../../src/index.ts'
import { FakeScheduler, runOf } from '../support/fake-scheduler.ts'
import { historyOf } from '../support/history.ts'

let server: RunningServer

beforeAll(async () => {
  server = await startServer({ port: 0 })
})

afterAll(() => server.stop())

interface Sdk {
  readonly provider: MeterProvider
  /** The current metrics, by name. */
  readonly collect: () => Promise<Map<string, MetricData>>
}

function startSdk(): Sdk {
  const memory = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({
    exporter: memory,
    exportIntervalMillis: 2 ** 30,
  })
  const provider = new MeterProvider({ readers: [reader] })
  return {
    provider,
    async collect() {
      memory.reset()
      await provider.forceFlush()
      const scopes = memory.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics)
      const metrics = scopes.flatMap(({ metrics: some }) => some)
      return new Map(metrics.map((metric) => [metric.descriptor.name, metric]))
    },
  }
}

const pointsOf = (metric: MetricData | undefined): unknown[] =>
  (metric?.dataPoints ?? []).map(({ attributes, value }) => ({ attributes, value }))

it('OpenTelemetryExporter reports all kinds of metrics, with units', async () => {
  const { provider, collect } = startSdk()
  const exporter = await OpenTelemetryExporter.create({
    meterProvider: provider,
    tracing: historyOf(1, 2),
  })
  const jobs = await ElasticJob.connect({
    servers: server.connectString,
    namespace: 'otel',
    drainOnSignals: false,
    logger: false,
  })
  exporter.follow(jobs)
  const recorded = new Promise<ElasticJobEvents['run:recorded'][0]>((resolve) =>
    jobs.once('run:recorded', resolve),
  )
  const job = await jobs.schedule({ jobName: 'sync', shardingTotalCount: 1 }, () => {})
  await job.trigger()
  await recorded
  const metrics = await collect()
  const sync = { 'elasticjob.namespace': 'otel', 'elasticjob.job.name': 'sync' }
  expect(pointsOf(metrics.get('elasticjob.runs'))).toContainEqual({
    attributes: {
      ...sync,
      'elasticjob.run.outcome': 'success',
      'elasticjob.run.source': 'trigger',
    },
    value: 1,
  })
  expect(pointsOf(metrics.get('elasticjob.runs.active'))).toEqual([{ attributes: sync, value: 0 }])
  expect(pointsOf(metrics.get('elasticjob.job.leader'))).toEqual([{ attributes: sync, value: 1 }])
  const duration = metrics.get('elasticjob.run.duration')
  expect(duration?.descriptor.unit).toBe('s')
  expect(duration?.dataPoints).toMatchObject([{ attributes: sync, value: { count: 1 } }])
  expect(duration?.dataPoints).toMatchObject([
    { value: { buckets: { boundaries: expect.arrayContaining([0.005, 1800]) as number[] } } },
  ])
  expect(metrics.get('elasticjob.runs')?.descriptor.unit).toBe('{run}')
  expect(metrics.get('elasticjob.zookeeper.request.duration')?.dataPoints.length).toBeGreaterThan(0)
  expect(pointsOf(metrics.get('elasticjob.tracing.dropped'))).toEqual([
    { attributes: {}, value: 2 },
  ])
  expect(pointsOf(metrics.get('elasticjob.sessions'))).toContainEqual({
    attributes: { 'elasticjob.namespace': 'otel', 'elasticjob.session.state': 'connected' },
    value: 1,
  })
  exporter.stop()
  await jobs.stop()
  await provider.shutdown()
})

it('OpenTelemetryExporter: thousands of jobs share a label beyond the limit', async () => {
  const { provider, collect } = startSdk()
  const exporter = await OpenTelemetryExporter.create({ meterProvider: provider, jobLimit: 5 })
  const scheduler = new FakeScheduler()
  exporter.follow(scheduler.jobs)
  for (let index = 0; index < 500; index++) {
    const jobName = `job-${index}`
    scheduler.register(jobName)
    scheduler.emit('run:started', runOf({ jobName }))
    scheduler.leave(jobName)
  }
  const active = (await collect()).get('elasticjob.runs.active')
  expect(active?.dataPoints).toHaveLength(6)
  exporter.stop()
  await provider.shutdown()
})

it('OpenTelemetryExporter without an SDK stores nothing and does not fail', async () => {
  const exporter = await OpenTelemetryExporter.create()
  const scheduler = new FakeScheduler()
  exporter.follow(scheduler.jobs)
  scheduler.register('sync')
  scheduler.emit('run:started', runOf())
  exporter.stop()
  expect(scheduler.eventNames()).toEqual([])
})
