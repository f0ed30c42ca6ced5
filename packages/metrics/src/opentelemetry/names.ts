/** What figures are called in OpenTelemetry. */
import type { Attributes } from '@opentelemetry/api'

import { labelsOf } from '../figures/catalog.ts'
import type { FigureName, LabelName, Labels } from '../figures/figure.ts'
import type { Owner } from '../figures/series.ts'

/** The name of the instrumentation: of the meter and of the tracer. */
export const scope = '@elasticjob/metrics'

const namespaceAttribute = 'elasticjob.namespace'
export const jobAttribute = 'elasticjob.job.name'

const attributes: Readonly<Record<LabelName, string>> = {
  outcome: 'elasticjob.run.outcome',
  source: 'elasticjob.run.source',
  item: 'elasticjob.run.item',
  state: 'elasticjob.session.state',
  operation: 'zookeeper.operation',
  code: 'error.type',
}

/** Units are no part of a name. */
export function openTelemetryName(name: FigureName): string {
  return `elasticjob.${name}`
}

export function attributesOf(
  figure: FigureName,
  { namespace, job }: Owner,
  labels: Labels,
  itemLabel: boolean,
): Attributes {
  const all: Attributes = {}
  if (namespace !== undefined) all[namespaceAttribute] = namespace
  if (job !== undefined) all[jobAttribute] = job
  for (const name of labelsOf(figure, itemLabel)) {
    const value = labels[name]
    if (value !== undefined) all[attributes[name]] = value
  }
  return all
}
