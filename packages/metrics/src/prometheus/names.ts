/** What figures are called in Prometheus. */
import { catalog, labelsOf } from '../figures/catalog.ts'
import type { FigureName, LabelName } from '../figures/figure.ts'

/** `job` is Prometheus' own, and `namespace` that of Kubernetes: both would be renamed by a scrape. */
export const namespaceLabel = 'job_namespace'
export const jobLabel = 'job_name'

/** Base units, and `_total` behind what only grows. */
export function prometheusName(name: FigureName): string {
  const { kind, unit } = catalog[name]
  const seconds = unit === 's' ? '_seconds' : ''
  const total = kind === 'counter' || kind === 'total' ? '_total' : ''
  return `elasticjob_${name.replaceAll('.', '_')}${seconds}${total}`
}

export function prometheusLabels(name: FigureName, itemLabel: boolean): readonly string[] {
  const labels: readonly LabelName[] = labelsOf(name, itemLabel)
  const { scope } = catalog[name]
  if (scope === 'process') return labels
  return scope === 'job' ? [namespaceLabel, jobLabel, ...labels] : [namespaceLabel, ...labels]
}
