/** The section `tracing` of `elasticjob.yaml`, with our keys or those of the Spring Boot starter. */
import { resolve } from 'node:path'

import { ConfigurationError, type Problem } from '@elasticjob/core'
import { millisecondsOf } from '@elasticjob/core/internal'

import type { RetentionPolicy } from '../store/history-store.ts'
import { checkTracing, tracingDefaults, type TracingOptions } from '../tracing-options.ts'
import { historyUrlOf } from './jdbc-url.ts'

type Section = Readonly<Record<string, string>>

/** The key of the history in `elasticjob.yaml`. */
export const tracingSection = 'tracing'

const day = 86_400_000

type Read = (text: string) => unknown

const readers: Readonly<Record<string, Read>> = Object.freeze({
  url: String,
  timeZone: String,
  timeout: durationOf,
  maxConnections: numberOf,
  withStatusSource: flagOf,
  allowedDatabases: namesOf,
  logs: flagOf,
  logCharacters: numberOf,
  queueEntries: numberOf,
  queueBytes: numberOf,
  batchEntries: numberOf,
  flushInterval: durationOf,
  retentionInterval: durationOf,
  includeJobNames: namesOf,
  excludeJobNames: namesOf,
  'retention.days': numberOf,
  'retention.runs': numberOf,
  'retention.logCharacters': numberOf,
  // Spring Boot's keys.
  type: String,
  'dataSource.url': String,
  'dataSource.jdbcUrl': String,
  'dataSource.username': String,
  'dataSource.password': String,
  'dataSource.driverClassName': String,
})

/** Throws an error with every problem. SQLite files are relative to `folder`. */
export function tracingOptionsOf(section: Section, folder: string): TracingOptions {
  const problems: Problem[] = []
  const values: Record<string, unknown> = {}
  for (const [written, text] of Object.entries(section)) {
    const key = camelCased(written)
    const read = readers[key]
    const value = read?.(text)
    if (read === undefined) problems.push(problem(written, 'there is no such setting'))
    else if (value === undefined) problems.push(problem(written, `it must not be "${text}"`))
    else values[key] = value
  }
  const url = urlOf(values, problems)
  if (problems.length > 0) throw new ConfigurationError('the section tracing', problems)
  const options = optionsOf(values)
  checkTracing(options)
  return url === undefined ? options : { ...options, url: inFolder(url, folder) }
}

/** Relative to the file that names it, like every other path in it. */
function inFolder(url: string, folder: string): string {
  const path = /^sqlite:(?!\/\/)(.+)$/.exec(url)?.[1]
  return path === undefined || path === ':memory:' ? url : `sqlite:${resolve(folder, path)}`
}

function urlOf(values: Record<string, unknown>, problems: Problem[]): string | undefined {
  const { type = 'RDB', url } = values
  if (type !== 'RDB') problems.push(problem('type', `it must be RDB, not "${String(type)}"`))
  if (typeof url === 'string') return url
  const jdbc = values['dataSource.url'] ?? values['dataSource.jdbcUrl']
  if (typeof jdbc !== 'string') return undefined
  const source = {
    url: jdbc,
    username: values['dataSource.username'] as string | undefined,
    password: values['dataSource.password'] as string | undefined,
  }
  const result = historyUrlOf(source)
  if (result.reason === undefined) return result.url
  problems.push(problem('dataSource.url', result.reason))
  return undefined
}

function optionsOf(values: Record<string, unknown>): TracingOptions {
  const options: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(values)) {
    if (key !== 'type' && key !== 'url' && !key.includes('.')) options[key] = value
  }
  const age = values['retention.days'] as number | undefined
  const retention: RetentionPolicy = {
    ...tracingDefaults.retention,
    ...definedOf({
      age: age === undefined ? undefined : age * day,
      count: values['retention.runs'] as number | undefined,
      logCharacters: values['retention.logCharacters'] as number | undefined,
    }),
  }
  return { ...options, retention }
}

function definedOf(values: Readonly<Record<string, number | undefined>>): RetentionPolicy {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

function problem(key: string, message: string): Problem {
  return { key: `${tracingSection}.${key}`, message }
}

/** Spring allows hyphens. */
function camelCased(key: string): string {
  return key.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function numberOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) && Number(text) > 0 ? Number(text) : undefined
}

function durationOf(text: string): number | undefined {
  const milliseconds = millisecondsOf(text)
  return milliseconds >= 1 ? milliseconds : undefined
}

function flagOf(text: string): boolean | undefined {
  if (text === 'true') return true
  return text === 'false' ? false : undefined
}

/** Parses `a, b`, or a list as Java prints it: `[a, b]`. */
function namesOf(text: string): readonly string[] {
  return text
    .replace(/^\[(.*)\]$/s, '$1')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
