/** The OpenTelemetry names of metrics. */
import type { Attributes } from '@opentelemetry/api'

import { labelsOf } from '../metrics/catalog.ts'
import type { MetricName, LabelName, Labels } from '../metrics/metric.ts'
import type { Owner } from '../metrics/series.ts'

/** The instrumentation scope of the meter and the tracer. */
export const scope = '@elasticjob/metrics'

const namespaceAttribute = 'elasticjob.namespace'
export const jobAttribute = 'elasticjob.job.name'

const attributes: Readonly<Record<LabelName, string>> = {
  outcome: 'elasticjob.run.outcome',
  source: 'elasticjob.run.source',
  shard: 'elasticjob.run.shard',
  state: 'elasticjob.session.state',
  operation: 'zookeeper.operation',
  code: 'error.type',
}

/** Units are not part of a name. */
export function openTelemetryName(name: MetricName): string {
  return `elasticjob.${name}`
}

export function attributesOf(
  metric: MetricName,
  { namespace, job }: Owner,
  labels: Labels,
  shardLabel: boolean,
): Attributes {
  const all: Attributes = {}
  if (namespace !== undefined) all[namespaceAttribute] = namespace
  if (job !== undefined) all[jobAttribute] = job
  for (const name of labelsOf(metric, shardLabel)) {
    const value = labels[name]
    if (value !== undefined) all[attributes[name]] = value
  }
  return all
}
