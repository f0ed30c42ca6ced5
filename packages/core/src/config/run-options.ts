/** Options of a job without a key in Java. They are stored in `props`, which Java keeps and does not read. */
import { type Problem, problem } from '../errors.ts'
import { message } from '../message.ts'
import { type Duration, millisecondsOf } from './duration.ts'
import { type IntegerProp, problemsOfInteger } from './props.ts'
import { type CatchUpPolicy, catchUpKey, limitProps, problemsOfCatchUp } from './run-limits.ts'
import { isRecord, refusal } from './refusal.ts'
import { suggesting } from './suggest.ts'

/** How often a failed run is repeated, and after which delay. */
export interface RetryOptions {
  /** How often a failed run is retried, as the same run, before it counts as failed. */
  readonly times: number
  /**
   * The pause before the first retry. It doubles with each retry, and half of it is random.
   * @default '1s'
   */
  readonly backoff?: Duration | undefined
  /**
   * The longest pause between retries.
   * @default '1m'
   */
  readonly maxBackoff?: Duration | undefined
}

/** The handling of fire times that no instance has run. */
export interface CatchUpOptions {
  readonly policy: CatchUpPolicy
  /**
   * With `all`: the maximum number of fire times to run; older ones are missed.
   * @default 100
   */
  readonly limit?: number | undefined
}

/** The limits, retries and catch-up of a job's runs. */
export interface RunOptions {
  /**
   * The time after which the `signal` of a run is aborted. The run counts as failed.
   * @default none
   */
  readonly timeout?: Duration | undefined
  /**
   * How often and when a failed run is retried; a number alone is `times`.
   * @default 0
   */
  readonly retry?: number | RetryOptions | undefined
  /**
   * The handling of fire times that passed while no instance could run: `skip` runs none of them, `once` the last one,
   * `all` one after the other, the oldest first.
   * @default 'skip'
   */
  readonly catchUp?: CatchUpPolicy | CatchUpOptions | undefined
  /**
   * How many shards run concurrently on an instance: a number, or `CPU` for twice the processors.
   * @default no limit
   */
  readonly concurrency?: number | 'CPU' | undefined
  /**
   * How often a run is started in total if one instance after the other crashes during it.
   * @default 3
   */
  readonly failoverAttempts?: number | undefined
  /**
   * How long after its fire time a shard may remain unclaimed before the leader reports `fire:late`.
   * @default '5s'
   */
  readonly lateAfter?: Duration | undefined
}

type Values = Readonly<Record<string, unknown>>

/** The options with those of this file converted to their stored form. */
export interface StoredRunOptions {
  readonly options: Values
  readonly problems: readonly Problem[]
}

const poolKey = 'jobExecutorThreadPoolSizeProviderType'
const { timeout, retries, backoff, maximumBackoff, attempts, grace, catchUpLimit } = limitProps

/** The stored setting of each option, or of each key of an object option. */
const settings: Readonly<Record<string, { readonly prop: IntegerProp; readonly unit?: 'time' }>> = {
  timeout: { prop: timeout, unit: 'time' },
  'retry.times': { prop: retries },
  'retry.backoff': { prop: backoff, unit: 'time' },
  'retry.maxBackoff': { prop: maximumBackoff, unit: 'time' },
  'catchUp.limit': { prop: catchUpLimit },
  failoverAttempts: { prop: attempts },
  lateAfter: { prop: grace, unit: 'time' },
}
/** The key that a number or text instead of an object sets. */
const shortForms: Readonly<Record<string, string>> = { retry: 'times', catchUp: 'policy' }

export const runOptionNames: readonly string[] = [
  'timeout',
  'retry',
  'catchUp',
  'concurrency',
  'failoverAttempts',
  'lateAfter',
]

export function storeRunOptions(given: Values): StoredRunOptions {
  const options = Object.fromEntries(
    Object.entries(given).filter(([name]) => !runOptionNames.includes(name)),
  )
  const own = runOptionNames.filter((name) => given[name] !== undefined)
  const stored = own.flatMap((name) =>
    name === 'concurrency'
      ? [storedConcurrency(given[name])]
      : entriesOf(name, given[name]).map(([key, value]) => storedSetting(key, value)),
  )
  const problems = stored.flatMap((setting) => setting.problems)
  // Props that are not an object are refused where they are read.
  const props: Record<string, unknown> = isRecord(given['props']) ? { ...given['props'] } : {}
  for (const { name, key, text } of stored) {
    const place = key === poolKey ? options : props
    if (key === undefined) continue
    if (place[key] !== undefined) {
      problems.push(problem(name, message('option-duplicate', { key })))
    }
    place[key] = text
  }
  const isStored = isRecord(given['props']) || given['props'] === undefined
  const hasProps = isStored && Object.keys(props).length > 0
  return { options: hasProps ? { ...options, props } : options, problems }
}

interface StoredSetting {
  readonly name: string
  readonly key?: string
  readonly text?: string
  readonly problems: readonly Problem[]
}

function storedSetting(name: string, value: unknown): StoredSetting {
  if (name === 'catchUp.policy' && typeof value === 'string') {
    return { name, key: catchUpKey, text: value, problems: problemsOfCatchUp(name, value) }
  }
  const setting = Object.hasOwn(settings, name) ? settings[name] : undefined
  if (setting === undefined) {
    const known = [...Object.keys(settings), 'catchUp.policy']
    return {
      name,
      problems: [problem(name, suggesting(message('option-unknown'), name, known))],
    }
  }
  const { prop, unit } = setting
  const number = unit === 'time' ? millisecondsOf(value) : value
  if (typeof number !== 'number' || Number.isNaN(number)) {
    return { name, problems: [refusal(name, value, unit === 'time' ? durationForm : anyNumber)] }
  }
  const text = String(number)
  return {
    name,
    key: prop.key,
    text,
    problems: problemsOfInteger({ [name]: text }, { ...prop, key: name }),
  }
}

function storedConcurrency(value: unknown): StoredSetting {
  const name = 'concurrency'
  // The name that Java instances know.
  if (value === 1) return { name, key: poolKey, text: 'SINGLE_THREAD', problems: [] }
  if (value === 'CPU' || (Number.isInteger(value) && (value as number) > 1)) {
    return { name, key: poolKey, text: String(value), problems: [] }
  }
  return { name, problems: [refusal(name, value, message('kind-concurrency'))] }
}

const anyNumber = message('kind-integer')
const durationForm = message('kind-duration')

function entriesOf(name: string, value: unknown): readonly (readonly [string, unknown])[] {
  const short = shortForms[name]
  if (short === undefined) return [[name, value]]
  if (!isRecord(value)) return [[`${name}.${short}`, value]]
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([key, inner]) => [`${name}.${key}`, inner] as const)
}
