import { Budget, BudgetExceeded } from '../decode/budget.ts'
import { parseJson } from '../decode/json.ts'
import { message, type Message } from '../message.ts'
import type { JobConfiguration } from './job-configuration.ts'
import { legacyConfiguration, legacyProblem, LegacyValues, simpleName } from './legacy-values.ts'
import { identityOf, type StoredJob } from './stored-job.ts'

/** Keys that exist in 2.x configurations only. */
const marks = ['jobClass', 'jobType', 'jobProperties', 'jobShardingStrategyClass', 'monitorPort']

/** Whether a text is a configuration of Elastic-Job 2.x: one JSON object with keys that only 2.x has. */
export function isLegacyJson(text: string): boolean {
  const value = parsed(text)
  return value !== undefined && marks.some((mark) => Object.hasOwn(value, mark))
}

function parsed(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    return parseJson(text, new Budget()) as Record<string, unknown>
  } catch (error) {
    // The YAML reader produces the error message.
    if (error instanceof SyntaxError || error instanceof BudgetExceeded) return undefined
    throw error
  }
}

/** The class or type of the job in a 2.x configuration; empty for any other text. */
export function identityOfLegacyJson(text: string): string {
  if (!isLegacyJson(text)) return ''
  const { jobClass, jobType } = parsed(text) ?? {}
  // A value that is not text is refused when the whole configuration is read, with a reason.
  return identityOf({
    jobClass: typeof jobClass === 'string' ? jobClass : undefined,
    jobType: typeof jobType === 'string' ? jobType : undefined,
  })
}

/** Reads a configuration of Elastic-Job 2.x, with the defaults of 2.x for missing keys. */
export function readLegacyJob(text: string): StoredJob {
  const json = new LegacyValues(parsed(text) ?? {})
  const properties = new LegacyValues(json.object('jobProperties'))
  const warnings: Message[] = []
  const pool = simpleName(properties.text('executor_service_handler'))
  if (pool !== undefined && pool !== 'DefaultExecutorServiceHandler') {
    warnings.push(message('legacy-pool', { pool }))
  }
  return {
    configuration: configurationOf(json, properties),
    jobClass: json.text('jobClass'),
    jobType: json.text('jobType'),
    warnings,
  }
}

function configurationOf(json: LegacyValues, properties: LegacyValues): JobConfiguration {
  const jobName = json.text('jobName')
  if (jobName === undefined) throw legacyProblem(message('job-name-missing'))
  const configuration = legacyConfiguration(jobName, json, false)
  const handler = simpleName(properties.text('job_exception_handler'))
  const streaming = json.has('streamingProcess')
    ? { 'streaming.process': String(json.flag('streamingProcess', false)) }
    : {}
  return {
    ...configuration,
    reconcileIntervalMinutes: json.number('reconcileIntervalMinutes', 10),
    jobErrorHandlerType:
      handler === 'DefaultJobExceptionHandler'
        ? undefined
        : properties.text('job_exception_handler'),
    props: { ...streaming, ...configuration.props },
    disabled: json.flag('disabled', false),
    overwrite: json.flag('overwrite', false),
  }
}
