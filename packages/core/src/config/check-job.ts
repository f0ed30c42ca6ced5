import { findZone } from '../cron/zone-names.ts'
import { parseCron } from '../cron/cron.ts'
import { ElasticJobError, type Problem } from '../errors.ts'
import { type JobConfiguration, jobDefaults, jobKeys } from './job-configuration.ts'
import { problemOfJobName } from './job-name.ts'
import { poolSizeOf } from './pool-size.ts'
import { olderPoolKey } from './read-job.ts'
import {
  formatShardingItemParameters,
  parseShardingItemParameters,
} from './sharding-item-parameters.ts'
import { isNothing, YamlDocument, YamlProblem } from './snake-yaml/document.ts'
import { suggest } from './suggest.ts'

/** What came of a job's options. The configuration is whole only if there is no problem. */
interface CheckedJob {
  readonly configuration: JobConfiguration
  readonly problems: readonly Problem[]
}

/** Looks at everything that somebody wrote about a job, and collects all that is wrong with it. */
export function checkJob(options: Readonly<Record<string, unknown>>): CheckedJob {
  const problems: Problem[] = []
  const values: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue
    const checked = checkValue(key, value)
    problems.push(...checked.problems)
    if (key !== 'jobClass') values[key] = checked.value
  }
  for (const key of ['jobName', 'shardingTotalCount']) {
    if (options[key] === undefined) problems.push({ key, message: 'it is missing' })
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
  if (key === 'jobClass') return refuseUnless(typeof value === 'string', key, value, 'a text')
  if (!Object.hasOwn(jobKeys, key)) return { value, problems: [unknownKey(key)] }
  const name = key as keyof JobConfiguration
  if (name === 'shardingItemParameters') return checkParameters(value)
  switch (jobKeys[name]) {
    case 'text':
      return checkText(name, value)
    case 'flag':
      return refuseUnless(typeof value === 'boolean', key, value, 'true or false')
    case 'number':
      return checkNumber(name, value)
    case 'texts':
      return refuseUnless(isTexts(value), key, value, 'a list of texts')
    case 'extras':
      return checkExtras(value)
    case 'props':
      return checkProps(value)
  }
}

function checkText(key: keyof JobConfiguration, value: unknown): CheckedValue {
  if (typeof value !== 'string') return refuseUnless(false, key, value, 'a text')
  if (key === 'cron' && value === '') return { value: undefined, problems: [] }
  const message = halfCharacter.test(value)
    ? 'it contains half of a character (a lone surrogate)'
    : problemOfText(key, value)
  return { value, problems: message === undefined ? [] : [{ key, message }] }
}

const halfCharacter = /\p{Surrogate}/u

function problemOfText(key: keyof JobConfiguration, value: string): string | undefined {
  switch (key) {
    case 'jobName':
      return problemOfJobName(value)
    case 'timeZone':
      return findZone(value) === undefined
        ? `nobody knows the zone "${value}"; write one such as Europe/Berlin or GMT+08:00`
        : undefined
    case 'cron':
      return problemOfCron(value)
    case 'jobExecutorThreadPoolSizeProviderType':
      return poolSizeOf(value, 1) === undefined
        ? `it must be CPU, SINGLE_THREAD or a number from 1 on, not "${value}"`
        : undefined
    case 'jobShardingStrategyType':
    case 'jobErrorHandlerType':
      return value === '' ? 'it is empty; leave it out for the default' : undefined
    default:
      return undefined
  }
}

function problemOfCron(expression: string): string | undefined {
  try {
    parseCron(expression)
    return undefined
  } catch (error) {
    if (error instanceof ElasticJobError) return error.message.replace(/^cron /, '')
    throw error
  }
}

const limits: Partial<Record<keyof JobConfiguration, { least: number; means: string }>> = {
  shardingTotalCount: { least: 1, means: 'a whole number from 1 on' },
  maxTimeDiffSeconds: { least: -1, means: 'a whole number of seconds, or -1 not to look' },
}
const anyNumber = { least: -(2 ** 31), means: 'a whole number' }

function checkNumber(key: keyof JobConfiguration, value: unknown): CheckedValue {
  const { least, means } = limits[key] ?? anyNumber
  const fits = Number.isInteger(value) && (value as number) >= least && (value as number) < 2 ** 31
  return refuseUnless(fits, key, value, means)
}

function checkParameters(value: unknown): CheckedValue {
  const key = 'shardingItemParameters'
  if (typeof value === 'string') {
    const { problems } = parseShardingItemParameters(value)
    return { value, problems: problems.map((message) => ({ key, message })) }
  }
  if (!isRecord(value)) {
    return refuseUnless(false, key, value, 'a text such as 0=a,1=b or an object such as { 0: "a" }')
  }
  const { text, problems } = formatShardingItemParameters(value)
  return { value: text, problems: problems.map((message) => ({ key, message })) }
}

function checkExtras(value: unknown): CheckedValue {
  const key = 'jobExtraConfigurations'
  if (!isTexts(value)) return refuseUnless(false, key, value, 'a list of texts')
  const problems = value.flatMap((text) => problemOfYaml(text) ?? [])
  return { value, problems: problems.map((message) => ({ key, message })) }
}

/** It becomes part of the configuration as it is: one that is broken would break all of it. */
function problemOfYaml(text: string): string | undefined {
  try {
    const { root } = new YamlDocument(text)
    return isNothing(root) ? 'an element is empty' : undefined
  } catch (error) {
    if (error instanceof YamlProblem) return `an element is not YAML: ${error.message}`
    throw error
  }
}

function checkProps(value: unknown): CheckedValue {
  if (!isRecord(value)) return refuseUnless(false, 'props', value, 'an object')
  const problems: Problem[] = []
  const texts: [string, string][] = []
  for (const [name, setting] of Object.entries(value)) {
    const key = `props.${name}`
    if (setting === undefined) continue
    const text = isSetting(setting) ? String(setting) : undefined
    if (text === undefined) {
      problems.push({
        key,
        message: `it must be a text, a number or a flag, not ${shown(setting)}`,
      })
    } else if (halfCharacter.test(name + text)) {
      problems.push({ key, message: 'it contains half of a character (a lone surrogate)' })
    } else {
      texts.push([name, text])
    }
  }
  return { value: Object.fromEntries(texts), problems }
}

/** What can be wrong only with keys taken together. */
function problemsBetween({ failover, monitorExecution }: JobConfiguration): Problem[] {
  if (!failover || monitorExecution) return []
  return [
    {
      key: 'failover',
      message:
        'it needs monitorExecution: without it nobody knows what a crashed instance was running',
    },
  ]
}

function unknownKey(key: string): Problem {
  if (key === olderPoolKey) {
    return { key, message: 'since 3.0.5 it is called jobExecutorThreadPoolSizeProviderType' }
  }
  const hint = suggest(key, [...Object.keys(jobKeys), 'jobClass'])
  return { key, message: `there is no such option${hint}` }
}

function refuseUnless(fits: boolean, key: string, value: unknown, means: string): CheckedValue {
  const message = `it must be ${means}, not ${shown(value)}`
  return { value, problems: fits ? [] : [{ key, message }] }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

function isSetting(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
