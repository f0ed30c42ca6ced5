import { findZone } from '../cron/zone-names.ts'
import { CronError, quoted } from '../cron/cron-error.ts'
import { parseCron } from '../cron/cron.ts'
import { type Problem, problem } from '../errors.ts'
import { message, type Message } from '../message.ts'
import { presentNameOf } from './former-names.ts'
import { type JobConfiguration, jobDefaults, jobKeys } from './job-configuration.ts'
import { problemOfJobName } from './job-name.ts'
import { mostShards } from './job-limits.ts'
import { poolSizeOf } from './pool-size.ts'
import { problemsOfNames } from './props-names.ts'
import {
  formatShardingItemParameters,
  parseShardingItemParameters,
} from './sharding-item-parameters.ts'
import { isNothing, YamlDocument, YamlProblem } from './snake-yaml/document.ts'
import { isRecord, refusal } from './refusal.ts'
import { runOptionNames, storeRunOptions } from './run-options.ts'
import { suggesting } from './suggest.ts'

/** The result of a check. The configuration is complete only if there is no problem. */
interface CheckedJob {
  readonly configuration: JobConfiguration
  readonly problems: readonly Problem[]
}

/** Checks all options of a job, and collects all problems. */
export function checkJob(given: Readonly<Record<string, unknown>>): CheckedJob {
  const { options, problems: problemsOfRuns } = storeRunOptions(given)
  const problems: Problem[] = [...problemsOfRuns]
  const values: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue
    const checked = checkValue(key, value)
    problems.push(...checked.problems)
    if (key !== 'jobClass') values[key] = checked.value
  }
  for (const key of ['jobName', 'shardingTotalCount']) {
    if (options[key] === undefined) problems.push(problem(key, message('option-missing')))
  }
  const configuration = { ...jobDefaults, ...values } as unknown as JobConfiguration
  if (problems.length === 0) problems.push(...problemsBetween(configuration))
  return { configuration: Object.freeze(configuration), problems }
}

interface CheckedValue {
  readonly value: unknown
  readonly problems: readonly Problem[]
}

function checkValue(key: string, value: unknown): CheckedValue {
  if (key === 'jobClass')
    return refuseUnless(typeof value === 'string', key, value, message('kind-text'))
  if (!Object.hasOwn(jobKeys, key)) return { value, problems: [unknownKey(key)] }
  const name = key as keyof JobConfiguration
  if (name === 'shardingItemParameters') return checkParameters(value)
  switch (jobKeys[name]) {
    case 'text':
      return checkText(name, value)
    case 'flag':
      return refuseUnless(typeof value === 'boolean', key, value, message('kind-flag'))
    case 'number':
      return checkNumber(name, value)
    case 'texts':
      return refuseUnless(isTexts(value), key, value, message('kind-texts'))
    case 'extras':
      return checkExtras(value)
    case 'props':
      return checkProps(value)
  }
}

function checkText(key: keyof JobConfiguration, value: unknown): CheckedValue {
  if (typeof value !== 'string') return refuseUnless(false, key, value, message('kind-text'))
  if (key === 'cron' && value === '') return { value: undefined, problems: [] }
  const wrong = halfCharacter.test(value) ? isHalf : problemOfText(key, value)
  return { value, problems: wrong === undefined ? [] : [problem(key, wrong)] }
}

const halfCharacter = /\p{Surrogate}/u
const isHalf = message('lone-surrogate')

function problemOfText(key: keyof JobConfiguration, value: string): Message | undefined {
  switch (key) {
    case 'jobName':
      return problemOfJobName(value)
    case 'timeZone':
      return findZone(value) === undefined ? message('zone-unknown', { zone: value }) : undefined
    case 'cron':
      return problemOfCron(value)
    case 'jobExecutorThreadPoolSizeProviderType':
      return poolSizeOf(value, 1) === undefined ? message('pool-invalid', { value }) : undefined
    case 'jobShardingStrategyType':
    case 'jobErrorHandlerType':
      return value === '' ? message('value-empty') : undefined
    default:
      return undefined
  }
}

function problemOfCron(expression: string): Message | undefined {
  try {
    parseCron(expression)
    return undefined
  } catch (error) {
    if (error instanceof CronError)
      return message('keyed-problem', { key: quoted(expression), problem: error.reason })
    throw error
  }
}

interface NumberLimit {
  readonly least: number
  readonly most: number
  readonly means: Message
}

const largest = 2 ** 31 - 1

const limits: Partial<Record<keyof JobConfiguration, NumberLimit>> = {
  shardingTotalCount: {
    least: 1,
    most: mostShards,
    means: message('kind-shard-count', { most: mostShards }),
  },
  maxTimeDiffSeconds: {
    least: -1,
    most: largest,
    means: message('kind-seconds'),
  },
}
const anyNumber: NumberLimit = { least: -(2 ** 31), most: largest, means: message('kind-integer') }

function checkNumber(key: keyof JobConfiguration, value: unknown): CheckedValue {
  const { least, most, means } = limits[key] ?? anyNumber
  const fits = Number.isInteger(value) && (value as number) >= least && (value as number) <= most
  return refuseUnless(fits, key, value, means)
}

function checkParameters(value: unknown): CheckedValue {
  const key = 'shardingItemParameters'
  if (typeof value === 'string') {
    const { problems } = parseShardingItemParameters(value)
    return { value, problems: problems.map((wrong) => problem(key, wrong)) }
  }
  if (!isRecord(value)) {
    const means = message('kind-shard-parameters')
    return refuseUnless(false, key, value, means)
  }
  const { text, problems } = formatShardingItemParameters(value)
  return { value: text, problems: problems.map((wrong) => problem(key, wrong)) }
}

function checkExtras(value: unknown): CheckedValue {
  const key = 'jobExtraConfigurations'
  if (!isTexts(value)) return refuseUnless(false, key, value, message('kind-texts'))
  const problems = value.flatMap((text) => problemOfYaml(text) ?? [])
  return { value, problems: problems.map((wrong) => problem(key, wrong)) }
}

/** The text becomes part of the stored configuration: invalid YAML would make the whole configuration unreadable. */
function problemOfYaml(text: string): Message | undefined {
  try {
    const { root } = new YamlDocument(text)
    return isNothing(root) ? message('element-empty') : undefined
  } catch (error) {
    if (error instanceof YamlProblem) return message('element-not-yaml', { reason: error.reason })
    throw error
  }
}

function checkProps(value: unknown): CheckedValue {
  if (!isRecord(value)) return refuseUnless(false, 'props', value, message('kind-object'))
  const problems: Problem[] = []
  const texts: [string, string][] = []
  for (const [name, setting] of Object.entries(value)) {
    const key = `props.${name}`
    if (setting === undefined) continue
    const text = isSetting(setting) ? String(setting) : undefined
    if (text === undefined) {
      problems.push(refusal(key, setting, message('kind-scalar')))
    } else if (halfCharacter.test(name + text)) {
      problems.push(problem(key, isHalf))
    } else {
      texts.push([name, text])
    }
  }
  problems.push(...problemsOfNames(Object.keys(value)))
  return { value: Object.fromEntries(texts), problems }
}

/** Problems of combinations of keys. */
function problemsBetween({ failover, monitorExecution }: JobConfiguration): Problem[] {
  if (!failover || monitorExecution) return []
  return [problem('failover', message('monitoring-required'))]
}

function unknownKey(key: string): Problem {
  const present = presentNameOf(key)
  if (present !== undefined) return problem(key, present)
  const known = [...Object.keys(jobKeys), ...runOptionNames, 'jobClass']
  return problem(key, suggesting(message('option-unknown'), key, known))
}

function refuseUnless(fits: boolean, key: string, value: unknown, means: Message): CheckedValue {
  return { value, problems: fits ? [] : [refusal(key, value, means)] }
}

function isSetting(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string')
}
