/** Metrics for OpenTelemetry. */
import type { ElasticJob } from '@elasticjob/core'
import type { Meter, MeterProvider } from '@opentelemetry/api'

import { MetricHub } from '../metrics/hub.ts'
import { metricDefaults, type MetricOptions } from '../options.ts'
import { loadPeer } from '../peer.ts'
import { Instruments } from './instruments.ts'
import { scope } from './names.ts'

/** The options of an `OpenTelemetryExporter`. */
export interface OpenTelemetryOptions extends MetricOptions {
  /**
   * The source of the meter.
   * @default the global one, which does nothing without an SDK
   */
  readonly meterProvider?: MeterProvider | undefined
}

/**
 * Exports the metrics of schedulers through the OpenTelemetry API only: the application chooses the SDK that
 * collects them, if any.
 *
 * ```ts
 * const metrics = await OpenTelemetryExporter.create()
 * metrics.follow(jobs)
 * ```
 */
export class OpenTelemetryExporter {
  readonly #hub: MetricHub
  readonly #instruments: Instruments

  private constructor(meter: Meter, options: OpenTelemetryOptions) {
    const { shardLabel = metricDefaults.shardLabel } = options
    this.#instruments = new Instruments(meter, shardLabel, () => this.#hub.readings())
    // An SDK keeps every series, so a stopped job makes no room for another one.
    this.#hub = new MetricHub(this.#instruments, options, false)
  }

  /** Requires @opentelemetry/api. */
  static async create(options: OpenTelemetryOptions = {}): Promise<OpenTelemetryExporter> {
    const { metrics } = await loadPeer('@opentelemetry/api', () => import('@opentelemetry/api'))
    const provider = options.meterProvider ?? metrics.getMeterProvider()
    return new OpenTelemetryExporter(provider.getMeter(scope), options)
  }

  /** Follows a scheduler until the returned function is called. */
  follow(jobs: ElasticJob): () => void {
    return this.#hub.follow(jobs)
  }

  /** Stops reporting to the SDK. */
  stop(): void {
    this.#hub.stop()
    this.#instruments.stop()
  }
}
