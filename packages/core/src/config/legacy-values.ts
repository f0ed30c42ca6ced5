/** The common parts of 1.x and 2.x configurations. */
import { message, type Message } from '../message.ts'
import { highestPort } from './dump-options.ts'
import { type JobConfiguration, jobDefaults } from './job-configuration.ts'
import { problemOfShardCount } from './job-limits.ts'
import { YamlProblem } from './snake-yaml/document.ts'

/** The strategies of 1.x and 2.x, by the last part of their class names. */
const strategies: ReadonlyMap<string, string> = new Map([
  ['AverageAllocationJobShardingStrategy', 'AVG_ALLOCATION'],
  ['OdevitySortByNameJobShardingStrategy', 'ODEVITY'],
  ['RotateServerByNameJobShardingStrategy', 'ROUND_ROBIN'],
])

/** The current name of a strategy; the name of an unknown class stays unchanged. */
function strategyOf(className: string | undefined): string | undefined {
  const name = simpleName(className)
  return name === undefined ? undefined : (strategies.get(name) ?? className)
}

export function simpleName(className: string | undefined): string | undefined {
  return className?.slice(className.lastIndexOf('.') + 1)
}

/** The values of an object as the old readers interpret them: numbers and flags may be quoted. */
export class LegacyValues {
  readonly #values: Readonly<Record<string, unknown>>

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#values, key)
  }

  /** A text; undefined if it is missing or empty. */
  text(key: string): string | undefined {
    const value = this.has(key) ? this.#values[key] : undefined
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    throw legacyProblem(message('key-not-text', { key }))
  }

  number(key: string, otherwise: number): number {
    const text = this.text(key)
    if (text === undefined) return otherwise
    const value = Number(text)
    if (Number.isInteger(value)) return value
    throw legacyProblem(message('key-not-integer', { key, text }))
  }

  flag(key: string, otherwise: boolean): boolean {
    const text = this.text(key)?.toLowerCase()
    if (text === undefined) return otherwise
    if (text === 'true' || text === 'false') return text === 'true'
    throw legacyProblem(message('key-not-flag', { key, text }))
  }

  object(key: string): Record<string, unknown> {
    const value = this.has(key) ? (this.#values[key] ?? {}) : {}
    if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
    throw legacyProblem(message('key-not-object', { key }))
  }
}

/** Neither format has useful positions: 2.x writes JSON on one line, 1.x a node for each value. */
export function legacyProblem(reason: Message): YamlProblem {
  return new YamlProblem(reason, { line: 1, column: 1 })
}

/** The keys with the same names in both versions. `misfire`: the default for a missing key. */
export function legacyConfiguration(
  jobName: string,
  values: LegacyValues,
  misfire: boolean,
): JobConfiguration {
  const shardingTotalCount = values.number('shardingTotalCount', 0)
  const wrong = problemOfShardCount(shardingTotalCount)
  if (wrong !== undefined) throw legacyProblem(wrong)
  const command = values.text('scriptCommandLine')
  return {
    ...jobDefaults,
    jobName,
    cron: values.text('cron'),
    shardingTotalCount,
    shardingItemParameters: values.text('shardingItemParameters') ?? '',
    jobParameter: values.text('jobParameter') ?? '',
    monitorExecution: values.flag('monitorExecution', true),
    failover: values.flag('failover', false),
    misfire: values.flag('misfire', misfire),
    maxTimeDiffSeconds: values.number('maxTimeDiffSeconds', -1),
    jobShardingStrategyType: strategyOf(values.text('jobShardingStrategyClass')),
    description: values.text('description') ?? '',
    props: {
      ...(command === undefined ? {} : { 'script.command.line': command }),
      ...monitorPortProp(values),
    },
  }
}

/** The property that replaces the port option of 1.x and 2.x jobs; most jobs had -1, for none. */
function monitorPortProp(values: LegacyValues): Record<string, string> {
  const port = values.number('monitorPort', -1)
  return port < 0 || port > highestPort ? {} : { 'monitor.port': String(port) }
}
