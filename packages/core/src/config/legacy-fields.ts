/** The configuration of a job in Elastic-Job 1.x: one node for each value, below `config`. */
import { ElasticJobError } from '../errors.ts'
import { message, type Message } from '../message.ts'
import type { JobConfiguration } from './job-configuration.ts'
import { legacyConfiguration, LegacyValues } from './legacy-values.ts'
import { YamlProblem } from './snake-yaml/document.ts'
import { identityOf, type StoredJob } from './stored-job.ts'

/** The settings of a dataflow, and their current names. Some versions have other spellings. */
const dataflowProps: ReadonlyMap<string, string> = new Map([
  ['processCountIntervalSeconds', 'process.count.interval.seconds'],
  ['concurrentDataProcessThreadCount', 'concurrent.data.process.thread.count'],
  ['concurrentDateProcessThreadCount', 'concurrent.data.process.thread.count'],
  ['fetchDataCount', 'fetch.data.count'],
])

const streamingFields = ['streamingProcess', 'streaming-process']

const otherFields = [
  'jobType',
  'jobClass',
  'shardingTotalCount',
  'cron',
  'shardingItemParameters',
  'jobParameter',
  'monitorExecution',
  'maxTimeDiffSeconds',
  'failover',
  'misfire',
  'jobShardingStrategyClass',
  'description',
  'monitorPort',
  'scriptCommandLine',
]

const knownFields: ReadonlySet<string> = new Set([
  ...dataflowProps.keys(),
  ...streamingFields,
  ...otherFields,
])

/** Whether the names of nodes below `config` are from 1.x. */
export function isLegacyFields(names: readonly string[]): boolean {
  return names.includes('shardingTotalCount') || names.includes('jobClass')
}

/** The fields with the identity of the job. */
export const identityFields: readonly string[] = ['jobType', 'jobClass', 'scriptCommandLine']

/** The class or type of the job in these fields; empty if there is none. */
export function identityOfFields(fields: Readonly<Record<string, string>>): string {
  const values = new LegacyValues(fields)
  return identityOf({ jobClass: values.text('jobClass'), jobType: typeOf(values) })
}

/**
 * Reads the fields below `config`, with the defaults of 1.x for missing fields.
 * @param source the path of `config`, for the message if it cannot be read
 */
export function readLegacyFields(
  jobName: string,
  fields: Readonly<Record<string, string>>,
  source: string,
): StoredJob {
  try {
    return storedJobOf(jobName, fields)
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error
    throw new ElasticJobError(
      'JOB_CONFIGURATION_UNREADABLE',
      `the configuration of Elastic-Job 1.x below ${source} cannot be read: ${error.message}`,
      error,
    )
  }
}

function storedJobOf(jobName: string, fields: Readonly<Record<string, string>>): StoredJob {
  const values = new LegacyValues(fields)
  const jobType = typeOf(values)
  return {
    configuration: configurationOf(jobName, values),
    jobClass: values.text('jobClass'),
    jobType,
    warnings: [
      ...Object.keys(fields)
        .filter((field) => !knownFields.has(field))
        .map((field) => message('legacy-setting-unknown', { field })),
      ...(jobType === 'DATAFLOW' ? dataflowWarnings(values) : []),
    ],
  }
}

/** Up to 1.0.x only the class determined the type. */
function typeOf(values: LegacyValues): string | undefined {
  const messageParts = values.text('jobType')
  if (messageParts !== undefined) return messageParts === 'DATA_FLOW' ? 'DATAFLOW' : messageParts
  if (values.text('scriptCommandLine') !== undefined) return 'SCRIPT'
  return values.has('fetchDataCount') ? 'DATAFLOW' : undefined
}

function dataflowWarnings(values: LegacyValues): Message[] {
  const warnings = [message('legacy-dataflow-mode')]
  if (streamingFields.every((field) => !values.has(field))) {
    warnings.push(message('legacy-dataflow-streaming'))
  }
  return warnings
}

function configurationOf(jobName: string, values: LegacyValues): JobConfiguration {
  const configuration = legacyConfiguration(jobName, values, true)
  return { ...configuration, props: { ...propsOf(values), ...configuration.props } }
}

function propsOf(values: LegacyValues): Record<string, string> {
  const props: Record<string, string> = {}
  for (const [field, prop] of dataflowProps) {
    const text = values.text(field)
    if (text !== undefined) props[prop] = String(values.number(field, 0))
  }
  for (const field of streamingFields) {
    if (values.has(field)) props['streaming.process'] = String(values.flag(field, false))
  }
  return props
}
