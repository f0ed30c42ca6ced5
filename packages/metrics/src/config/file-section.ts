/** The section `metrics` of `elasticjob.yaml`. */
import { ConfigurationError, type Problem } from '@elasticjob/core'

import type { MetricOptions } from '../options.ts'
import type { ListenOptions } from '../prometheus/server.ts'

type Section = Readonly<Record<string, string>>

/** The key of the metrics in `elasticjob.yaml`. */
export const metricsSection = 'metrics'

/** Which metrics are served, and where. */
export interface SectionOptions {
  readonly metrics: Pick<MetricOptions, 'shardLabel' | 'jobLimit'>
  readonly listen: ListenOptions
}

interface Setting {
  readonly of: keyof SectionOptions
  /** The expected value, for messages. */
  readonly form: string
  /** Undefined for an invalid value. */
  read(text: string): unknown
}

const settings: Readonly<Record<string, Setting>> = Object.freeze({
  port: {
    of: 'listen',
    form: 'an integer from 0 to 65535',
    read: (text) => wholeNumber(text, 0, 65_535),
  },
  host: {
    of: 'listen',
    form: 'an address, for example 127.0.0.1',
    read: (text) => (/^[^\s/]+$/.test(text) ? text : undefined),
  },
  path: {
    of: 'listen',
    form: 'a path that begins with /, for example /metrics',
    read: (text) => (/^\/[^\s?#]*$/.test(text) ? text : undefined),
  },
  shardLabel: {
    of: 'metrics',
    form: 'true or false',
    read: (text) => (/^(true|false)$/.test(text) ? text === 'true' : undefined),
  },
  jobLimit: {
    of: 'metrics',
    form: 'an integer from 1 to 1000000',
    read: (text) => wholeNumber(text, 1, 1_000_000),
  },
} satisfies Record<string, Setting>)

/** Throws an error with every problem. Absent settings have their defaults. */
export function metricsOptionsOf(section: Section): SectionOptions {
  const problems: Problem[] = []
  const options: Record<keyof SectionOptions, Record<string, unknown>> = { metrics: {}, listen: {} }
  for (const [key, text] of Object.entries(section)) {
    const setting = settings[key]
    const value = setting?.read(text)
    if (setting === undefined) {
      const known = Object.keys(settings).join(', ')
      problems.push(problem(key, `there is no such setting; known settings: ${known}`))
    } else if (value === undefined) {
      problems.push(problem(key, `it must be ${setting.form}, not "${text}"`))
    } else options[setting.of][key] = value
  }
  if (problems.length > 0) throw new ConfigurationError(`the section ${metricsSection}`, problems)
  return options
}

function problem(key: string, message: string): Problem {
  return { key: `${metricsSection}.${key}`, message }
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : undefined
}
