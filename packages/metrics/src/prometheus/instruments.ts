/** Metrics as prom-client metrics. */
import type { Counter, Gauge, Histogram, Registry } from 'prom-client'

import { MetricsError } from '../errors.ts'
import { catalog, metricNames, labelsOf } from '../metrics/catalog.ts'
import type { MetricName, LabelName, Labels } from '../metrics/metric.ts'
import type { Change, Owner, Reading, Sink } from '../metrics/series.ts'
import { jobLabel, namespaceLabel, prometheusLabels, prometheusName } from './names.ts'
import { type SeriesEntry, SeriesTable } from './series-table.ts'

/** The used part of prom-client. */
export interface PromClient {
  readonly Counter: typeof Counter
  readonly Gauge: typeof Gauge
  readonly Histogram: typeof Histogram
  readonly Registry: typeof Registry
}

type Metric = Counter | Gauge | Histogram
/** Receives an amount or a value. */
type Child = (value: number) => void

export class Instruments implements Sink {
  readonly #metrics = new Map<MetricName, Metric>()
  readonly #series = new SeriesTable<Child>()
  /** The labels of each metric besides its owner. */
  readonly #labelNames: ReadonlyMap<MetricName, readonly LabelName[]>
  readonly #shardLabel: boolean
  readonly #registry: Registry
  readonly #read: () => readonly Reading[]
  #isFresh = false

  /** `read` is called once per scrape. */
  constructor(
    client: PromClient,
    registry: Registry,
    shardLabel: boolean,
    read: () => readonly Reading[],
  ) {
    this.#registry = registry
    this.#shardLabel = shardLabel
    this.#labelNames = new Map(metricNames.map((name) => [name, labelsOf(name, shardLabel)]))
    this.#read = read
    const taken = metricNames.find((name) => registry.getSingleMetric(prometheusName(name)))
    if (taken !== undefined) {
      throw new MetricsError(
        'METRICS_NAME_TAKEN',
        `the registry already has a metric ${prometheusName(taken)}: use one exporter, which can follow any number of schedulers`,
      )
    }
    for (const name of metricNames) this.#metrics.set(name, this.#make(client, name))
  }

  apply(change: Change, owner: Owner): void {
    const { metric, labels } = change
    const names = this.#labelNames.get(metric) ?? []
    let key: string = metric
    for (const name of names) {
      const value = labels[name]
      // A metric per shard without a shard label.
      if (value === undefined) return
      key += `\n${value}`
    }
    const child = this.#series.get(owner, key, () => this.#makeSeries(metric, owner, labels))
    child('amount' in change ? change.amount : change.value)
  }

  forget(owner: Owner): void {
    this.#series.forget(owner)
  }

  /** Removes all metrics from the registry. */
  stop(): void {
    for (const name of metricNames) this.#registry.removeSingleMetric(prometheusName(name))
  }

  #make(client: PromClient, name: MetricName): Metric {
    const { kind, help, bounds = [] } = catalog[name]
    const collect = (): void => this.#refresh()
    const common = {
      name: prometheusName(name),
      help,
      labelNames: [...prometheusLabels(name, this.#shardLabel)],
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

  /** Reads all values together, at the first metric of a scrape. */
  #refresh(): void {
    if (this.#isFresh) return
    this.#isFresh = true
    queueMicrotask(() => {
      this.#isFresh = false
    })
    for (const name of metricNames) {
      const { kind } = catalog[name]
      if (kind === 'gauge' || kind === 'total') this.#metrics.get(name)?.reset()
    }
    for (const { metric: metricName, owner, labels, value } of this.#read()) {
      const metric = this.#metrics.get(metricName) as Counter | Gauge
      metric.inc(this.#labels(metricName, owner, labels), value)
    }
  }

  #makeSeries(metricName: MetricName, owner: Owner, labels: Labels): SeriesEntry<Child> {
    const metric = this.#metrics.get(metricName) as Metric
    const all = this.#labels(metricName, owner, labels)
    return { child: childOf(metric, all), remove: () => metric.remove(all) }
  }

  #labels(metric: MetricName, { namespace, job }: Owner, labels: Labels): Record<string, string> {
    const all: Record<string, string> = {}
    if (namespace !== undefined) all[namespaceLabel] = namespace
    if (job !== undefined) all[jobLabel] = job
    for (const name of this.#labelNames.get(metric) ?? []) all[name] = labels[name] ?? ''
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
