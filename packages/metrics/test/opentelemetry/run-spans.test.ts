/** Spans of real runs, as an OpenTelemetry SDK receives them. */
import { once } from 'node:events'

import {
  allShards,
  ElasticJob,
  type ElasticJobEvents,
  type JobBody,
  type JobOptions,
} from '@elasticjob/core'
import { type RunningServer, startServer } from '@elasticjob/zookeeper-server'
import { faultsOf } from '@elasticjob/zookeeper-server/testing'
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { RunSpans } from '../../src/index.ts'

let server: RunningServer
let jobs: ElasticJob
let memory: InMemorySpanExporter
let provider: NodeTracerProvider
let spans: RunSpans

beforeAll(async () => {
  server = await startServer({ port: 0 })
})

afterAll(() => server.stop())

let namespaces = 0

async function connect(): Promise<void> {
  spans = await RunSpans.create()
  jobs = await ElasticJob.connect({
    servers: server.connectString,
    namespace: `spans-${(namespaces += 1)}`,
    drainOnSignals: false,
    logger: false,
    interceptors: [spans.interceptor],
  })
  spans.follow(jobs)
}

beforeEach(() => {
  memory = new InMemorySpanExporter()
  provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] })
  provider.register()
})

afterEach(async () => {
  await jobs.stop()
  await provider.shutdown()
  trace.disable()
  context.disable()
})

async function runOnce(
  body: JobBody,
  options: Partial<JobOptions> = {},
): Promise<readonly ReadableSpan[]> {
  const job = await jobs.schedule({ jobName: 'sync', shardingTotalCount: 1, ...options }, body)
  const recorded = once(jobs, 'run:recorded')
  await job.trigger()
  await recorded
  return memory.getFinishedSpans()
}

describe('a run', () => {
  beforeEach(connect)

  it('has a span that is active in its code', async () => {
    const finished = await runOnce(async () => {
      await Promise.resolve()
      trace.getTracer('test').startSpan('query').end()
    })
    const [query, run] = finished
    expect(finished.map(({ name }) => name)).toEqual(['query', 'run sync'])
    expect(query?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId)
    expect(run?.parentSpanContext).toBeUndefined()
    expect(run?.attributes).toMatchObject({
      'elasticjob.job.name': 'sync',
      'elasticjob.run.source': 'trigger',
      'elasticjob.run.shards': [0],
      'elasticjob.run.attempt': 1,
      'elasticjob.run.round': 1,
      'elasticjob.run.outcome': 'success',
    })
    expect(run?.status.code).toBe(SpanStatusCode.UNSET)
  })

  it('is not a child of the context in which its job was scheduled', async () => {
    const outer = trace.getTracer('test').startSpan('request')
    await context.with(trace.setSpan(context.active(), outer), () => runOnce(() => {}))
    expect(memory.getFinishedSpans()[0]?.parentSpanContext).toBeUndefined()
  })

  it('that fails has the error in its span', async () => {
    const [run] = await runOnce(() => {
      throw new TypeError('no luck')
    })
    expect(run?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'no luck' })
    expect(run?.attributes['elasticjob.run.outcome']).toBe('failure')
    expect(run?.events).toMatchObject([
      {
        name: 'exception',
        attributes: { 'exception.type': 'TypeError', 'exception.message': 'no luck' },
      },
    ])
  })

  it('that is retried has one span, with the error of every try', async () => {
    let tries = 0
    const props = { 'retry.times': '2', 'retry.backoff.milliseconds': '1' }
    const [run, ...more] = await runOnce(
      () => {
        tries += 1
        if (tries < 3) throw new Error(`try ${tries}`)
      },
      { props },
    )
    expect(more).toEqual([])
    expect(
      run?.events.map(({ name, attributes }) => attributes?.['exception.message'] ?? name),
    ).toEqual(['try 1', 'retry', 'try 2', 'retry'])
    expect(run?.attributes['elasticjob.run.outcome']).toBe('success')
  })

  it('of several shards as one has one span', async () => {
    const [run, ...more] = await runOnce(
      allShards(() => {}),
      { shardingTotalCount: 3 },
    )
    expect(more).toEqual([])
    expect(run?.attributes['elasticjob.run.shards']).toEqual([0, 1, 2])
  })

  it('that is taken over is linked to the attempt before it', async () => {
    const started: string[] = []
    let expire = (): void => {}
    const isRunning = new Promise<void>((resolve) => {
      expire = resolve
    })
    const job = await jobs.schedule(
      { jobName: 'sync', shardingTotalCount: 1, failover: true },
      async ({ signal, runId }) => {
        started.push(runId)
        if (started.length > 1) return
        expire()
        await once(signal, 'abort')
        throw signal.reason
      },
    )
    await job.trigger()
    await isRunning
    const taken = new Promise<ElasticJobEvents['run:recorded'][0]>((resolve) => {
      jobs.on('run:recorded', (run) => {
        if (run.outcome === 'success') resolve(run)
      })
    })
    const faults = faultsOf(server)
    for (const sessionId of faults.sessionIds) faults.expireSession(sessionId)
    expect((await taken).source).toBe('failover')
    const [first, second] = memory.getFinishedSpans()
    expect(first?.attributes['elasticjob.run.outcome']).toBe('aborted')
    expect(second?.attributes['elasticjob.run.attempt']).toBe(2)
    expect(second?.links.map(({ context: linked }) => linked.spanId)).toEqual([
      first?.spanContext().spanId,
    ])
  })
})

it('RunSpans without an SDK does not affect runs', async () => {
  trace.disable()
  context.disable()
  await connect()
  let active: unknown = 'not run'
  await runOnce(() => {
    active = trace.getActiveSpan()?.isRecording()
  })
  expect(active).not.toBe(true)
  expect(active).not.toBe('not run')
  expect(memory.getFinishedSpans()).toEqual([])
})
