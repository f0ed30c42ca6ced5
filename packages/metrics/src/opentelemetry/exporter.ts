/** Figures for OpenTelemetry. */
import type { ElasticJob } from '@elasticjob/core'
import type { Meter, MeterProvider } from '@opentelemetry/api'

import { FigureHub } from '../figures/hub.ts'
import { figureDefaults, type FigureOptions } from '../options.ts'
import { loadPeer } from '../peer.ts'
import { Instruments } from './instruments.ts'
import { scope } from './names.ts'

export interface OpenTelemetryOptions extends FigureOptions {
  /**
   * Where the meter comes from.
   * @default the global one; without an SDK it does nothing
   */
  readonly meterProvider?: MeterProvider | undefined
}

/**
 * The figures of schedulers as OpenTelemetry wants them, through its API alone: which SDK collects them,
 * and whether there is one, is up to the application.
 *
 * ```ts
 * const metrics = await OpenTelemetryExporter.create()
 * metrics.follow(jobs)
 * ```
 */
export class OpenTelemetryExporter {
  readonly #hub: FigureHub
  readonly #instruments: Instruments

  private constructor(meter: Meter, options: OpenTelemetryOptions) {
    const { itemLabel = figureDefaults.itemLabel } = options
    this.#instruments = new Instruments(meter, itemLabel, () => this.#hub.readings())
    // An SDK keeps every series that it has seen: a job that goes makes no room for another one.
    this.#hub = new FigureHub(this.#instruments, options, false)
  }

  /** Needs @opentelemetry/api. */
  static async create(options: OpenTelemetryOptions = {}): Promise<OpenTelemetryExporter> {
    const { metrics } = await loadPeer('@opentelemetry/api', () => import('@opentelemetry/api'))
    const provider = options.meterProvider ?? metrics.getMeterProvider()
    return new OpenTelemetryExporter(provider.getMeter(scope), options)
  }

  /** Shows the figures of a scheduler, until what it answers is called. */
  follow(jobs: ElasticJob): () => void {
    return this.#hub.follow(jobs)
  }

  /** Tells the SDK nothing more. */
  stop(): void {
    this.#hub.stop()
    this.#instruments.stop()
  }
}
