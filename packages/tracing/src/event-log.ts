import { messageOf } from '@elasticjob/core/internal'
import type { LogLevel } from '@elasticjob/core'

import type { TracingEvents } from './events.ts'
import type { DroppedRows } from './recorder/metrics.ts'

type Line = readonly [level: LogLevel, text: string]

type Lines = {
  readonly [Name in keyof TracingEvents]?: (payload: TracingEvents[Name][0]) => Line | undefined
}

const lines: Lines = {
  'history:dropped': ({ database, rows, total }) => [
    'warn',
    `History in ${database}: dropped ${textOf(rows)} (${textOf(total)} in total), because they could not be written in time`,
  ],
  'history:refused': ({ database, jobName, reason }) => [
    'warn',
    database === undefined
      ? `Job '${jobName}' is recorded in the default database of this process: ${reason}`
      : `${jobName === undefined ? 'A record' : `Job '${jobName}'`} cannot be recorded: ${reason}`,
  ],
  // Once per outage; the metrics count further failures.
  'history:failed': ({ database, error, inARow }) =>
    inARow === 1
      ? ['warn', `History in ${database}: writing failed and is retried: ${messageOf(error)}`]
      : undefined,
  'history:recovered': ({ database }) => ['info', `History in ${database}: writing works again`],
}

/** The log line of an event; undefined for an event without one. */
export function logLineOf<Name extends keyof TracingEvents>(
  name: Name,
  payload: TracingEvents[Name][0],
): Line | undefined {
  return lines[name]?.(payload)
}

function textOf({ executions, statuses, logs, lost, ends }: DroppedRows): string {
  const parts = [
    count(executions, 'run'),
    count(ends, 'end'),
    count(statuses, 'status change'),
    count(logs, 'log chunk'),
    count(lost, 'lost run'),
  ].filter((part) => part !== '')
  return parts.join(', ') || 'nothing'
}

function count(number: number, one: string, many = `${one}s`): string {
  if (number === 0) return ''
  return `${number} ${number === 1 ? one : many}`
}
