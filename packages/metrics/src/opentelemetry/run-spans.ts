/** A span for each run. */
import type {
  ElasticJob,
  ElasticJobEvents,
  RunEnd,
  RunInterceptor,
  RunReference,
} from '@elasticjob/core'
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

export interface RunSpansOptions {
  /**
   * Where the tracer comes from.
   * @default the global one; without an SDK it does nothing
   */
  readonly tracerProvider?: TracerProvider | undefined
}

/** How many runs that did not do their work are kept in mind, for the attempts after them. */
const rememberedRuns = 1000

/**
 * A span for each run, active inside of the job's code: what the code traces becomes its child. Code in a
 * worker thread or another program has a context of its own.
 *
 * ```ts
 * const spans = await RunSpans.create()
 * const jobs = await ElasticJob.connect({ servers, namespace, interceptors: [spans.interceptor] })
 * spans.follow(jobs)
 * ```
 */
export class RunSpans {
  /** What `ElasticJob.connect()` is given. */
  readonly interceptor: RunInterceptor
  readonly #api: Api
  readonly #tracer: Tracer
  /** Spans of what runs now, by the ids of the runs. */
  readonly #active = new Map<string, Span>()
  readonly #unfinished = new Map<string, SpanContext>()

  private constructor(api: Api, { tracerProvider }: RunSpansOptions) {
    this.#api = api
    const provider = tracerProvider ?? api.trace.getTracerProvider()
    this.#tracer = provider.getTracer(scope)
    this.interceptor = (runs, next) => this.#around(runs, next)
  }

  /** Needs @opentelemetry/api. */
  static async create(options: RunSpansOptions = {}): Promise<RunSpans> {
    const api = await loadPeer('@opentelemetry/api', () => import('@opentelemetry/api'))
    return new RunSpans(api, options)
  }

  /** Tells of retries in the spans of a scheduler's runs, until what it answers is called. */
  follow(jobs: ElasticJob): () => void {
    jobs.on('run:retried', this.#retried)
    return () => jobs.off('run:retried', this.#retried)
  }

  async #around(runs: readonly RunReference[], next: () => Promise<RunEnd>): Promise<void> {
    const { trace, context } = this.#api
    const [first] = runs
    if (first === undefined) return
    const span = this.#tracer.startSpan(`run ${first.jobName}`, {
      // A timer would hand down whatever was active when the job was scheduled.
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

  /** The attempts before it, as far as they ran here. */
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
    const message = error instanceof Error ? error.message : outcome
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

/** What a run is to do; the same for all its attempts, wherever they are. */
function workOf({ jobName, shardingItem, fireTime, round = 0 }: RunReference): string {
  return [jobName, shardingItem, fireTime, round].join('/')
}

function exceptionOf(error: unknown): Exception {
  return error instanceof Error ? error : String(error)
}

function attributesOfRuns(runs: readonly RunReference[]): Attributes {
  const [first] = runs as readonly [RunReference]
  const { jobName, instance, runId, source, fireTime, attempt, round, takenOver } = first
  return {
    [jobAttribute]: jobName,
    'elasticjob.instance': instance,
    'elasticjob.run.id': runId,
    'elasticjob.run.source': source,
    'elasticjob.run.items': runs.map(({ shardingItem }) => shardingItem),
    'elasticjob.run.fire_time': new Date(fireTime).toISOString(),
    'elasticjob.run.attempt': attempt,
    ...(round === undefined ? {} : { 'elasticjob.run.round': round }),
    ...(takenOver === undefined ? {} : { 'elasticjob.run.taken_over': takenOver.runId }),
  }
}
