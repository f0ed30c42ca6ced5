import { Budget, BudgetExceeded } from '../decode/budget.ts'
import { parseJson } from '../decode/json.ts'
import { message, type Message } from '../message.ts'
import type { JobConfiguration } from './job-configuration.ts'
import { problemOfShardCount } from './job-limits.ts'
import {
  legacyProblem,
  LegacyValues,
  monitorPortProp,
  simpleName,
  strategyOf,
} from './legacy-values.ts'
import { identityOf, type StoredJob } from './stored-job.ts'

/** Keys that a 2.x configuration has and a 3.x one cannot have. */
const marks = ['jobClass', 'jobType', 'jobProperties', 'jobShardingStrategyClass', 'monitorPort']

/** Whether a text is a configuration of Elastic-Job 2.x: one JSON object with keys of its own. */
export function isLegacyJson(text: string): boolean {
  const value = parsed(text)
  return value !== undefined && marks.some((mark) => Object.hasOwn(value, mark))
}

function parsed(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    return parseJson(text, new Budget()) as Record<string, unknown>
  } catch (error) {
    // Whoever reads it as YAML has the words for what is wrong.
    if (error instanceof SyntaxError || error instanceof BudgetExceeded) return undefined
    throw error
  }
}

/** The class or type of the job that a configuration of 2.x describes; empty for any other text. */
export function identityOfLegacyJson(text: string): string {
  if (!isLegacyJson(text)) return ''
  const { jobClass, jobType } = parsed(text) ?? {}
  // Anything but a text is refused when the whole configuration is read, with its reason.
  return identityOf({
    jobClass: typeof jobClass === 'string' ? jobClass : undefined,
    jobType: typeof jobType === 'string' ? jobType : undefined,
  })
}

/** Reads a configuration of Elastic-Job 2.x, with 2.x's own defaults for what is not there. */
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
  const shardingTotalCount = json.number('shardingTotalCount', 0)
  const wrong = problemOfShardCount(shardingTotalCount)
  if (wrong !== undefined) throw legacyProblem(wrong)
  const handler = simpleName(properties.text('job_exception_handler'))
  return {
    jobName,
    cron: json.text('cron'),
    timeZone: undefined,
    shardingTotalCount,
    shardingItemParameters: json.text('shardingItemParameters') ?? '',
    jobParameter: json.text('jobParameter') ?? '',
    monitorExecution: json.flag('monitorExecution', true),
    failover: json.flag('failover', false),
    misfire: json.flag('misfire', false),
    maxTimeDiffSeconds: json.number('maxTimeDiffSeconds', -1),
    reconcileIntervalMinutes: json.number('reconcileIntervalMinutes', 10),
    jobShardingStrategyType: strategyOf(json.text('jobShardingStrategyClass')),
    jobExecutorThreadPoolSizeProviderType: undefined,
    jobErrorHandlerType:
      handler === 'DefaultJobExceptionHandler'
        ? undefined
        : properties.text('job_exception_handler'),
    jobListenerTypes: [],
    jobExtraConfigurations: [],
    description: json.text('description') ?? '',
    props: propsOf(json),
    disabled: json.flag('disabled', false),
    overwrite: json.flag('overwrite', false),
    label: undefined,
    staticSharding: false,
  }
}

function propsOf(json: LegacyValues): Record<string, string> {
  const command = json.text('scriptCommandLine')
  return {
    ...(json.has('streamingProcess')
      ? { 'streaming.process': String(json.flag('streamingProcess', false)) }
      : {}),
    ...(command === undefined ? {} : { 'script.command.line': command }),
    ...monitorPortProp(json),
  }
}
