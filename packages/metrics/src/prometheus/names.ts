/** The Prometheus names of metrics. */
import { catalog, labelsOf } from '../metrics/catalog.ts'
import type { MetricName, LabelName } from '../metrics/metric.ts'

/** `job` is reserved by Prometheus, and `namespace` by Kubernetes: a scrape would rename both. */
export const namespaceLabel = 'job_namespace'
export const jobLabel = 'job_name'

/** Base units, and `_total` for counters. */
export function prometheusName(name: MetricName): string {
  const { kind, unit } = catalog[name]
  const seconds = unit === 's' ? '_seconds' : ''
  const total = kind === 'counter' || kind === 'total' ? '_total' : ''
  return `elasticjob_${name.replaceAll('.', '_')}${seconds}${total}`
}

export function prometheusLabels(name: MetricName, shardLabel: boolean): readonly string[] {
  const labels: readonly LabelName[] = labelsOf(name, shardLabel)
  const { scope } = catalog[name]
  if (scope === 'process') return labels
  return scope === 'job' ? [namespaceLabel, jobLabel, ...labels] : [namespaceLabel, ...labels]
}
