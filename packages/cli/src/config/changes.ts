/** Parses changes of a configuration on a command line. */
import { type JobConfiguration, jobDefaults } from '@elasticjob/core'
import type { JobChanges } from '@elasticjob/core/operations'

import { CommandError } from '../errors.ts'

type Key = Exclude<keyof JobConfiguration, 'jobName'>

const propPrefix = 'props.'

/** The arguments of a command line: `cron=0/5 * * * * ?`, `props.retry.times=3`, and the keys to remove. */
export interface Assignments {
  readonly values: ReadonlyMap<string, string>
  readonly removals: readonly string[]
}

export function readAssignments(
  assignments: readonly string[],
  removals: readonly string[],
): Assignments {
  if (assignments.length + removals.length === 0) {
    throw new CommandError('CLI_USAGE', 'missing change: pass key=value or --unset')
  }
  return { values: new Map(assignments.map(split)), removals }
}

/** Converts them into changes of the stored configuration. Values are validated elsewhere. */
export function changesOf({ values, removals }: Assignments, stored: JobConfiguration): JobChanges {
  const changes: Record<string, unknown> = {}
  const props: Record<string, string> = { ...stored.props }
  for (const [key, value] of values) {
    if (key.startsWith(propPrefix)) props[key.slice(propPrefix.length)] = value
    else changes[key] = valueOf(key as Key, value)
  }
  for (const key of removals) {
    if (key.startsWith(propPrefix)) delete props[key.slice(propPrefix.length)]
    else changes[key] = undefined
  }
  const arePropsMeant = [...values.keys(), ...removals].some((key) => key.startsWith(propPrefix))
  return arePropsMeant ? { ...changes, props } : changes
}

function split(assignment: string): [key: string, value: string] {
  const at = assignment.indexOf('=')
  const key = assignment.slice(0, Math.max(at, 0)).trim()
  if (key === '') {
    throw new CommandError(
      'CLI_USAGE',
      `"${assignment}" is not a change; write it as key=value, for example failover=true`,
    )
  }
  if (key === 'jobName') throw new CommandError('CLI_USAGE', 'a job cannot be renamed')
  if (key === 'jobExtraConfigurations' || key === 'props') {
    throw new CommandError('CLI_USAGE', `${key} cannot be set as a whole: ${howTo(key)}`)
  }
  return [key, assignment.slice(at + 1)]
}

/** A value that is not a flag or a number stays a text: the validation reports it. */
function valueOf(key: Key, text: string): unknown {
  const known: unknown = key === 'shardingTotalCount' ? 1 : jobDefaults[key]
  if (typeof known === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (typeof known === 'number') return /^-?\d+$/.test(text) ? Number(text) : text
  if (!Array.isArray(known)) return text
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function howTo(key: 'jobExtraConfigurations' | 'props'): string {
  return key === 'props' ? 'write props.<name>=<value>' : 'change it with `elasticjob config edit`'
}

/** The differences of two configurations, as changes that turn one into the other. */
export function differences(from: JobConfiguration, to: JobConfiguration): JobChanges {
  const keys = Object.keys(from).filter((key) => key !== 'jobName') as Key[]
  return Object.fromEntries(
    keys.filter((key) => !isSame(from[key], to[key])).map((key) => [key, to[key]]),
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other)
}

function canonical(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value)
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** A value in a table. */
export function valueText(value: unknown): string {
  if (value === undefined) return '(none)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
