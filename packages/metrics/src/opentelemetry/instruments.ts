/** Figures as instruments of OpenTelemetry. */
import type {
  BatchObservableCallback,
  Counter,
  Histogram,
  Meter,
  Observable,
  UpDownCounter,
} from '@opentelemetry/api'

import { catalog, figureNames } from '../figures/catalog.ts'
import type { FigureName } from '../figures/figure.ts'
import type { Change, Owner, Reading, Sink } from '../figures/series.ts'
import { attributesOf, openTelemetryName } from './names.ts'

export class Instruments implements Sink {
  readonly #meter: Meter
  readonly #itemLabel: boolean
  readonly #added = new Map<FigureName, Counter | UpDownCounter>()
  readonly #recorded = new Map<FigureName, Histogram>()
  readonly #observed = new Map<FigureName, Observable>()
  readonly #observe: BatchObservableCallback

  /** `read`: asked whenever the SDK collects. */
  constructor(meter: Meter, itemLabel: boolean, read: () => readonly Reading[]) {
    this.#meter = meter
    this.#itemLabel = itemLabel
    for (const name of figureNames) this.#make(name)
    this.#observe = (result) => {
      for (const { figure, owner, labels, value } of read()) {
        const attributes = attributesOf(figure, owner, labels, itemLabel)
        result.observe(this.#observed.get(figure) as Observable, value, attributes)
      }
    }
    meter.addBatchObservableCallback(this.#observe, [...this.#observed.values()])
  }

  apply(change: Change, owner: Owner): void {
    const attributes = attributesOf(change.figure, owner, change.labels, this.#itemLabel)
    if ('amount' in change) this.#added.get(change.figure)?.add(change.amount, attributes)
    else this.#recorded.get(change.figure)?.record(change.value, attributes)
  }

  forget(): void {
    // What was counted stays counted: the API has no way to take it back.
  }

  stop(): void {
    this.#meter.removeBatchObservableCallback(this.#observe, [...this.#observed.values()])
  }

  #make(name: FigureName): void {
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
