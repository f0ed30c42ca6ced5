import type { LogLevel } from '@elasticjob/core'

import type { TracingEvents } from './events.ts'
import type { DroppedRows } from './recorder/figures.ts'

type Line = readonly [level: LogLevel, text: string]

type Lines = {
  readonly [Name in keyof TracingEvents]?: (payload: TracingEvents[Name][0]) => Line | undefined
}

const lines: Lines = {
  'history:dropped': ({ database, rows, total }) => [
    'warn',
    `The history in ${database} lacks ${wordsOf(rows)}, ${wordsOf(total)} in all: it could not be written in time`,
  ],
  'history:refused': ({ jobName, reason }) => [
    'warn',
    `${jobName === undefined ? 'A record' : `Job '${jobName}'`} cannot be recorded: ${reason}`,
  ],
  // Once for each outage: what follows is in the figures.
  'history:failed': ({ database, error, inARow }) =>
    inARow === 1
      ? ['warn', `The history in ${database} cannot be written: ${textOf(error)}`]
      : undefined,
  'history:recovered': ({ database }) => ['info', `The history in ${database} is written again`],
}

/** The line for an event; undefined for one that only programs care about. */
export function logLineOf<Name extends keyof TracingEvents>(
  name: Name,
  payload: TracingEvents[Name][0],
): Line | undefined {
  return lines[name]?.(payload)
}

function wordsOf({ executions, statuses, logs, lost, ends }: DroppedRows): string {
  const parts = [
    count(executions, 'run'),
    count(ends, 'end'),
    count(statuses, 'status change'),
    count(logs, 'piece of logs', 'pieces of logs'),
    count(lost, 'lost run'),
  ].filter((part) => part !== '')
  return parts.join(', ') || 'nothing'
}

function count(number: number, one: string, many = `${one}s`): string {
  if (number === 0) return ''
  return `${number} ${number === 1 ? one : many}`
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
