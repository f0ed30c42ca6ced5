/** Metrics as OpenTelemetry instruments. */
import type {
  BatchObservableCallback,
  Counter,
  Histogram,
  Meter,
  Observable,
  UpDownCounter,
} from '@opentelemetry/api'

import { catalog, metricNames } from '../metrics/catalog.ts'
import type { MetricName } from '../metrics/metric.ts'
import type { Change, Owner, Reading, Sink } from '../metrics/series.ts'
import { attributesOf, openTelemetryName } from './names.ts'

export class Instruments implements Sink {
  readonly #meter: Meter
  readonly #shardLabel: boolean
  readonly #added = new Map<MetricName, Counter | UpDownCounter>()
  readonly #recorded = new Map<MetricName, Histogram>()
  readonly #observed = new Map<MetricName, Observable>()
  readonly #observe: BatchObservableCallback

  /** `read` is called whenever the SDK collects. */
  constructor(meter: Meter, shardLabel: boolean, read: () => readonly Reading[]) {
    this.#meter = meter
    this.#shardLabel = shardLabel
    for (const name of metricNames) this.#make(name)
    this.#observe = (result) => {
      for (const { metric, owner, labels, value } of read()) {
        const attributes = attributesOf(metric, owner, labels, shardLabel)
        result.observe(this.#observed.get(metric) as Observable, value, attributes)
      }
    }
    meter.addBatchObservableCallback(this.#observe, [...this.#observed.values()])
  }

  apply(change: Change, owner: Owner): void {
    const attributes = attributesOf(change.metric, owner, change.labels, this.#shardLabel)
    if ('amount' in change) this.#added.get(change.metric)?.add(change.amount, attributes)
    else this.#recorded.get(change.metric)?.record(change.value, attributes)
  }

  forget(): void {
    // The API cannot remove recorded values.
  }

  stop(): void {
    this.#meter.removeBatchObservableCallback(this.#observe, [...this.#observed.values()])
  }

  #make(name: MetricName): void {
    const { kind, unit, help: description, bounds = [] } = catalog[name]
    const meter = this.#meter
    const called = openTelemetryName(name)
    const options = { unit, description }
    switch (kind) {
      case 'counter':
        this.#added.set(name, meter.createCounter(called, options))
        break
      case 'active':
        this.#added.set(name, meter.createUpDownCounter(called, options))
        break
      case 'histogram': {
        const advice = { explicitBucketBoundaries: [...bounds] }
        this.#recorded.set(name, meter.createHistogram(called, { ...options, advice }))
        break
      }
      case 'gauge':
        this.#observed.set(name, meter.createObservableGauge(called, options))
        break
      case 'total':
        this.#observed.set(name, meter.createObservableCounter(called, options))
        break
    }
  }
}
