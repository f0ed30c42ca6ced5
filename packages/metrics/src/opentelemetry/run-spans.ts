/** A span for each run. */
import type {
  ElasticJob,
  ElasticJobEvents,
  RunEnd,
  RunInterceptor,
  RunReference,
} from '@elasticjob/core'
import { detailsOf, messageOf } from '@elasticjob/core/internal'
import type * as OpenTelemetry from '@opentelemetry/api'
import type {
  Attributes,
  Exception,
  Link,
  Span,
  SpanContext,
  Tracer,
  TracerProvider,
} from '@opentelemetry/api'

import { loadPeer } from '../peer.ts'
import { jobAttribute, scope } from './names.ts'

type Api = typeof OpenTelemetry

/** The options of `RunSpans`. */
export interface RunSpansOptions {
  /**
   * The source of the tracer.
   * @default the global one, which does nothing without an SDK
   */
  readonly tracerProvider?: TracerProvider | undefined
}

/** How many unsuccessful runs are remembered, to link later attempts to them. */
const rememberedRuns = 1000

/**
 * Creates a span for each run, active inside the job's code: spans of the code become its children. Code in a
 * worker thread or another program has its own context.
 *
 * ```ts
 * const spans = await RunSpans.create()
 * const jobs = await ElasticJob.connect({ servers, namespace, interceptors: [spans.interceptor] })
 * spans.follow(jobs)
 * ```
 */
export class RunSpans {
  /** The interceptor for `ElasticJob.connect()`. */
  readonly interceptor: RunInterceptor
  readonly #api: Api
  readonly #tracer: Tracer
  /** The spans of active runs, by run id. */
  readonly #active = new Map<string, Span>()
  readonly #unfinished = new Map<string, SpanContext>()

  private constructor(api: Api, { tracerProvider }: RunSpansOptions) {
    this.#api = api
    const provider = tracerProvider ?? api.trace.getTracerProvider()
    this.#tracer = provider.getTracer(scope)
    this.interceptor = (runs, next) => this.#around(runs, next)
  }

  /** Requires @opentelemetry/api. */
  static async create(options: RunSpansOptions = {}): Promise<RunSpans> {
    const api = await loadPeer('@opentelemetry/api', () => import('@opentelemetry/api'))
    return new RunSpans(api, options)
  }

  /** Adds retries to the spans of a scheduler's runs, until the returned function is called. */
  follow(jobs: ElasticJob): () => void {
    jobs.on('run:retried', this.#retried)
    return () => jobs.off('run:retried', this.#retried)
  }

  async #around(runs: readonly RunReference[], next: () => Promise<RunEnd>): Promise<void> {
    const { trace, context } = this.#api
    const [first] = runs
    if (first === undefined) return
    const span = this.#tracer.startSpan(`run ${first.jobName}`, {
      // A timer would inherit the context that was active when the job was scheduled.
      root: true,
      attributes: attributesOfRuns(runs),
      links: this.#linksOf(runs),
    })
    for (const { runId } of runs) this.#active.set(runId, span)
    try {
      const end = await context.with(trace.setSpan(context.active(), span), next)
      this.#close(span, end)
      if (end.outcome !== 'success') this.#remember(runs, span)
    } finally {
      for (const { runId } of runs) this.#active.delete(runId)
      span.end()
    }
  }

  /** Links to earlier attempts that ran here. */
  #linksOf(runs: readonly RunReference[]): Link[] {
    return runs.flatMap((run) => {
      const context = run.source === 'failover' ? this.#unfinished.get(workOf(run)) : undefined
      return context === undefined ? [] : [{ context }]
    })
  }

  #remember(runs: readonly RunReference[], span: Span): void {
    for (const run of runs) this.#unfinished.set(workOf(run), span.spanContext())
    for (const [oldest] of this.#unfinished) {
      if (this.#unfinished.size <= rememberedRuns) break
      this.#unfinished.delete(oldest)
    }
  }

  #close(span: Span, { outcome, error }: RunEnd): void {
    span.setAttribute('elasticjob.run.outcome', outcome)
    if (outcome === 'success') return
    if (error !== undefined) span.recordException(exceptionOf(error))
    const message = error === undefined ? outcome : messageOf(error)
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message })
  }

  readonly #retried = (run: ElasticJobEvents['run:retried'][0]): void => {
    const span = this.#active.get(run.runId)
    span?.recordException(exceptionOf(run.error))
    span?.addEvent('retry', {
      'elasticjob.run.retry': run.retry,
      'elasticjob.run.retry.pause': run.pause / 1000,
    })
  }
}

/** The work of a run; the same for all its attempts. */
function workOf({ jobName, shardingItem, fireTime, manualRun: round = 0 }: RunReference): string {
  return [jobName, shardingItem, fireTime, round].join('/')
}

function exceptionOf(error: unknown): Exception {
  const { isError, name, message, stack, code } = detailsOf(error)
  // A copy: the exporter reads properties, and those of a thrown value may throw.
  return isError
    ? {
        name,
        message,
        ...(stack === undefined ? {} : { stack }),
        ...(code === undefined ? {} : { code }),
      }
    : message
}

function attributesOfRuns(runs: readonly RunReference[]): Attributes {
  const [first] = runs as readonly [RunReference]
  const { jobName, instance, runId, source, fireTime, attempt, manualRun: round, takenOver } = first
  return {
    [jobAttribute]: jobName,
    'elasticjob.instance': instance,
    'elasticjob.run.id': runId,
    'elasticjob.run.source': source,
    'elasticjob.run.shards': runs.map(({ shardingItem }) => shardingItem),
    'elasticjob.run.fire_time': new Date(fireTime).toISOString(),
    'elasticjob.run.attempt': attempt,
    ...(round === undefined ? {} : { 'elasticjob.run.round': round }),
    ...(takenOver === undefined ? {} : { 'elasticjob.run.taken_over': takenOver.runId }),
  }
}
