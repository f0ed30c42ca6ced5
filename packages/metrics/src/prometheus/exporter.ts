/** Figures for Prometheus. */
import type { ElasticJob } from '@elasticjob/core'
import type { Registry } from 'prom-client'

import { FigureHub } from '../figures/hub.ts'
import { figureDefaults, type FigureOptions } from '../options.ts'
import { loadPeer } from '../peer.ts'
import { fetchOf, handlerOf, type MetricsHandler } from './handler.ts'
import { Instruments, type PromClient } from './instruments.ts'
import { listen, type ListenOptions, type MetricsServer } from './server.ts'

export interface PrometheusOptions extends FigureOptions {
  /**
   * The registry of prom-client that the metrics are put in, beside those that you have.
   * @default one of their own
   */
  readonly registry?: Registry | undefined
}

/**
 * The figures of schedulers as Prometheus wants them.
 *
 * ```ts
 * const metrics = await PrometheusExporter.create()
 * metrics.follow(jobs)
 * createServer(metrics.handler).listen(9464, '127.0.0.1')
 * ```
 */
export class PrometheusExporter {
  readonly registry: Registry
  /** Answers with the figures, in any server that takes `(request, response)`. */
  readonly handler: MetricsHandler
  /** The same for servers that speak Fetch. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly #hub: FigureHub
  readonly #instruments: Instruments
  readonly #servers = new Set<MetricsServer>()

  private constructor(client: PromClient, options: PrometheusOptions) {
    this.registry = options.registry ?? new client.Registry()
    const { itemLabel = figureDefaults.itemLabel } = options
    this.#instruments = new Instruments(client, this.registry, itemLabel, () =>
      this.#hub.readings(),
    )
    this.#hub = new FigureHub(this.#instruments, options, true)
    const { registry } = this
    const page = { contentType: registry.contentType, text: () => this.text() }
    this.handler = handlerOf(page)
    this.fetch = fetchOf(page)
  }

  /** Needs prom-client. */
  static async create(options: PrometheusOptions = {}): Promise<PrometheusExporter> {
    const client = await loadPeer('prom-client', () => import('prom-client'))
    return new PrometheusExporter(client, options)
  }

  /** Shows the figures of a scheduler, until what it answers is called. */
  follow(jobs: ElasticJob): () => void {
    return this.#hub.follow(jobs)
  }

  /** All metrics of the registry, as they are scraped. */
  text(): Promise<string> {
    return this.registry.metrics()
  }

  /** A small server for the figures, on the loopback unless another address is asked for. */
  async listen(options: ListenOptions = {}): Promise<MetricsServer> {
    const server = await listen(this.handler, options)
    this.#servers.add(server)
    return server
  }

  /** Closes its servers, and takes its metrics out of the registry. */
  async stop(): Promise<void> {
    this.#hub.stop()
    this.#instruments.stop()
    await Promise.all([...this.#servers].map((server) => server.close()))
    this.#servers.clear()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}
