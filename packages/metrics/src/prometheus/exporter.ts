/** Metrics for Prometheus. */
import type { ElasticJob } from '@elasticjob/core'
import type { Registry } from 'prom-client'

import { MetricHub } from '../metrics/hub.ts'
import { metricDefaults, type MetricOptions } from '../options.ts'
import { loadPeer } from '../peer.ts'
import { fetchOf, handlerOf, type MetricsHandler } from './handler.ts'
import { Instruments, type PromClient } from './instruments.ts'
import { listen, type ListenOptions, type MetricsServer } from './server.ts'

/** The options of a `PrometheusExporter`. */
export interface PrometheusOptions extends MetricOptions {
  /**
   * The prom-client registry to add the metrics to.
   * @default a new one
   */
  readonly registry?: Registry | undefined
}

/**
 * Exports the metrics of schedulers to Prometheus.
 *
 * ```ts
 * const metrics = await PrometheusExporter.create()
 * metrics.follow(jobs)
 * createServer(metrics.handler).listen(9464, '127.0.0.1')
 * ```
 */
export class PrometheusExporter {
  readonly registry: Registry
  /** Serves the metrics in any server that accepts `(request, response)`. */
  readonly handler: MetricsHandler
  /** The same for servers with the Fetch API. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly #hub: MetricHub
  readonly #instruments: Instruments
  readonly #servers = new Set<MetricsServer>()

  private constructor(client: PromClient, options: PrometheusOptions) {
    this.registry = options.registry ?? new client.Registry()
    const { shardLabel = metricDefaults.shardLabel } = options
    this.#instruments = new Instruments(client, this.registry, shardLabel, () =>
      this.#hub.readings(),
    )
    this.#hub = new MetricHub(this.#instruments, options, true)
    const { registry } = this
    const page = { contentType: registry.contentType, text: () => this.text() }
    this.handler = handlerOf(page)
    this.fetch = fetchOf(page)
  }

  /** Requires prom-client. */
  static async create(options: PrometheusOptions = {}): Promise<PrometheusExporter> {
    const client = await loadPeer('prom-client', () => import('prom-client'))
    return new PrometheusExporter(client, options)
  }

  /** Follows a scheduler until the returned function is called. */
  follow(jobs: ElasticJob): () => void {
    return this.#hub.follow(jobs)
  }

  /** All metrics of the registry, in the exposition format. */
  text(): Promise<string> {
    return this.registry.metrics()
  }

  /** Starts a small server for the metrics, on loopback by default. */
  async listen(options: ListenOptions = {}): Promise<MetricsServer> {
    const server = await listen(this.handler, options)
    this.#servers.add(server)
    return server
  }

  /** Stops its servers, and removes its metrics from the registry. */
  async stop(): Promise<void> {
    this.#hub.stop()
    this.#instruments.stop()
    await Promise.all([...this.#servers].map((server) => server.stop()))
    this.#servers.clear()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}
