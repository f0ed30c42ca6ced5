import type { JobConfiguration } from './job-configuration.ts'
import { YamlProblem } from './snake-yaml/document.ts'
import type { StoredJob } from './stored-job.ts'

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
    const value: unknown = JSON.parse(text)
    return value as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** 2.x's strategies, by the last part of their class names. */
const strategies: ReadonlyMap<string, string> = new Map([
  ['AverageAllocationJobShardingStrategy', 'AVG_ALLOCATION'],
  ['OdevitySortByNameJobShardingStrategy', 'ODEVITY'],
  ['RotateServerByNameJobShardingStrategy', 'ROUND_ROBIN'],
])

/** Reads a configuration of Elastic-Job 2.x, with 2.x's own defaults for what is not there. */
export function readLegacyJob(text: string): StoredJob {
  const json = new LegacyJson(parsed(text) ?? {})
  const properties = new LegacyJson(json.object('jobProperties'))
  const warnings: string[] = []
  const port = json.number('monitorPort', -1)
  if (port > 0) warnings.push(`monitorPort ${port} is a port of 2.x and is not opened`)
  const pool = simpleName(properties.text('executor_service_handler'))
  if (pool !== undefined && pool !== 'DefaultExecutorServiceHandler') {
    warnings.push(`executor_service_handler ${pool} is a class of 2.x; items run without a limit`)
  }
  return {
    configuration: configurationOf(json, properties),
    jobClass: json.text('jobClass'),
    jobType: json.text('jobType'),
    warnings,
  }
}

function configurationOf(json: LegacyJson, properties: LegacyJson): JobConfiguration {
  const jobName = json.text('jobName')
  if (jobName === undefined) throw problem('jobName is missing')
  const shardingTotalCount = json.number('shardingTotalCount', 0)
  if (shardingTotalCount <= 0) throw problem('shardingTotalCount is missing or not above 0')
  const strategy = simpleName(json.text('jobShardingStrategyClass'))
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
    jobShardingStrategyType:
      strategy === undefined
        ? undefined
        : (strategies.get(strategy) ?? json.text('jobShardingStrategyClass')),
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

function propsOf(json: LegacyJson): Record<string, string> {
  const command = json.text('scriptCommandLine')
  return {
    ...(json.has('streamingProcess')
      ? { 'streaming.process': String(json.flag('streamingProcess', false)) }
      : {}),
    ...(command === undefined ? {} : { 'script.command.line': command }),
  }
}

function simpleName(className: string | undefined): string | undefined {
  return className?.slice(className.lastIndexOf('.') + 1)
}

/** The values of a JSON object, as 2.x's reader takes them: numbers and flags may stand in quotes. */
class LegacyJson {
  readonly #values: Readonly<Record<string, unknown>>

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#values, key)
  }

  /** A text; undefined if it is not there or empty. */
  text(key: string): string | undefined {
    const value = this.#values[key]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    throw problem(`${key} must be a text`)
  }

  number(key: string, otherwise: number): number {
    const text = this.text(key)
    if (text === undefined) return otherwise
    const value = Number(text)
    if (Number.isInteger(value)) return value
    throw problem(`${key} must be a whole number, not "${text}"`)
  }

  flag(key: string, otherwise: boolean): boolean {
    const text = this.text(key)?.toLowerCase()
    if (text === undefined) return otherwise
    if (text === 'true' || text === 'false') return text === 'true'
    throw problem(`${key} must be true or false, not "${text}"`)
  }

  object(key: string): Record<string, unknown> {
    const value = this.#values[key] ?? {}
    if (typeof value === 'object') return value as Record<string, unknown>
    throw problem(`${key} must be an object`)
  }
}

/** JSON gives no places; 2.x writes it on one line. */
function problem(message: string): YamlProblem {
  return new YamlProblem(message, { line: 1, column: 1 })
}
