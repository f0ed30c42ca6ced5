/** Figures as metrics of prom-client. */
import type { Counter, Gauge, Histogram, Registry } from 'prom-client'

import { MetricsError } from '../errors.ts'
import { catalog, figureNames, labelsOf } from '../figures/catalog.ts'
import type { FigureName, LabelName, Labels } from '../figures/figure.ts'
import type { Change, Owner, Reading, Sink } from '../figures/series.ts'
import { jobLabel, namespaceLabel, prometheusLabels, prometheusName } from './names.ts'
import { type SeriesEntry, SeriesTable } from './series-table.ts'

/** The part of prom-client that is used. */
export interface PromClient {
  readonly Counter: typeof Counter
  readonly Gauge: typeof Gauge
  readonly Histogram: typeof Histogram
  readonly Registry: typeof Registry
}

type Metric = Counter | Gauge | Histogram
/** Takes an amount or a value. */
type Child = (value: number) => void

export class Instruments implements Sink {
  readonly #metrics = new Map<FigureName, Metric>()
  readonly #series = new SeriesTable<Child>()
  /** What tells the series of a figure apart, beside whose they are. */
  readonly #labelNames: ReadonlyMap<FigureName, readonly LabelName[]>
  readonly #itemLabel: boolean
  readonly #registry: Registry
  readonly #read: () => readonly Reading[]
  #isFresh = false

  /** `read`: asked once for every look at the registry. */
  constructor(
    client: PromClient,
    registry: Registry,
    itemLabel: boolean,
    read: () => readonly Reading[],
  ) {
    this.#registry = registry
    this.#itemLabel = itemLabel
    this.#labelNames = new Map(figureNames.map((name) => [name, labelsOf(name, itemLabel)]))
    this.#read = read
    const taken = figureNames.find((name) => registry.getSingleMetric(prometheusName(name)))
    if (taken !== undefined) {
      throw new MetricsError(
        'METRICS_NAME_TAKEN',
        `the registry has a metric ${prometheusName(taken)} already: one exporter can follow any number of schedulers`,
      )
    }
    for (const name of figureNames) this.#metrics.set(name, this.#make(client, name))
  }

  apply(change: Change, owner: Owner): void {
    const { figure, labels } = change
    const names = this.#labelNames.get(figure) ?? []
    let key: string = figure
    for (const name of names) {
      const value = labels[name]
      // It belongs to an item, and nobody says to which.
      if (value === undefined) return
      key += `\n${value}`
    }
    const child = this.#series.get(owner, key, () => this.#makeSeries(figure, owner, labels))
    child('amount' in change ? change.amount : change.value)
  }

  forget(owner: Owner): void {
    this.#series.forget(owner)
  }

  /** Takes all metrics out of the registry. */
  stop(): void {
    for (const name of figureNames) this.#registry.removeSingleMetric(prometheusName(name))
  }

  #make(client: PromClient, name: FigureName): Metric {
    const { kind, help, bounds = [] } = catalog[name]
    const collect = (): void => this.#refresh()
    const common = {
      name: prometheusName(name),
      help,
      labelNames: [...prometheusLabels(name, this.#itemLabel)],
      registers: [this.#registry],
    }
    switch (kind) {
      case 'counter':
        return new client.Counter(common)
      case 'active':
        return new client.Gauge(common)
      case 'histogram':
        return new client.Histogram({ ...common, buckets: [...bounds] })
      case 'gauge':
        return new client.Gauge({ ...common, collect })
      case 'total':
        return new client.Counter({ ...common, collect })
    }
  }

  /** All that is read is read together, for the first metric that is asked for it. */
  #refresh(): void {
    if (this.#isFresh) return
    this.#isFresh = true
    queueMicrotask(() => {
      this.#isFresh = false
    })
    for (const name of figureNames) {
      const { kind } = catalog[name]
      if (kind === 'gauge' || kind === 'total') this.#metrics.get(name)?.reset()
    }
    for (const { figure, owner, labels, value } of this.#read()) {
      const metric = this.#metrics.get(figure) as Counter | Gauge
      metric.inc(this.#labels(figure, owner, labels), value)
    }
  }

  #makeSeries(figure: FigureName, owner: Owner, labels: Labels): SeriesEntry<Child> {
    const metric = this.#metrics.get(figure) as Metric
    const all = this.#labels(figure, owner, labels)
    return { child: childOf(metric, all), remove: () => metric.remove(all) }
  }

  #labels(figure: FigureName, { namespace, job }: Owner, labels: Labels): Record<string, string> {
    const all: Record<string, string> = {}
    if (namespace !== undefined) all[namespaceLabel] = namespace
    if (job !== undefined) all[jobLabel] = job
    for (const name of this.#labelNames.get(figure) ?? []) all[name] = labels[name] ?? ''
    return all
  }
}

function childOf(metric: Metric, labels: Record<string, string>): Child {
  if ('observe' in metric) {
    const child = metric.labels(labels)
    return (value) => child.observe(value)
  }
  const child = metric.labels(labels)
  return (value) => child.inc(value)
}
