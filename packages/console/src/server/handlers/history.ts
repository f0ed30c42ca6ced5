/** Queries of the history database. */
import { problem } from '@elasticjob/core/internal'
import type {
  Execution as StoredExecution,
  ExecutionOutcome,
  HistoryStore,
  StatusChange as StoredStatus,
} from '@elasticjob/tracing'

import {
  type EventTraceQuery,
  type Execution,
  type StatisticsBucket,
  bucket,
  type RunHistory,
  type StatusChange,
} from '../../contract/history.ts'
import { runOutcome, runSource } from '../../contract/jobs.ts'
import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import type { Identity } from '../http/identity.ts'
import type { Handlers } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { statusMessage } from '../status-message.ts'
import { partsOf } from '../message-fields.ts'

type HistoryHandlers = Pick<
  Handlers,
  | 'traceExecutions'
  | 'traceStatuses'
  | 'listExecutions'
  | 'listStatusChanges'
  | 'listHistoryJobs'
  | 'showRunStatistics'
  | 'showTimeline'
  | 'showRun'
  | 'showLog'
>

interface SourceAsk {
  readonly query: { readonly registry?: string | undefined; readonly source?: string | undefined }
  readonly identity: Identity
  readonly services: Services
}

/** The selected history: that of the query, of the registry, the user's default, or the first. */
export function historyOf(ask: SourceAsk): Promise<HistoryStore> {
  return ask.services.sources.history(ask.query.source, preferredSources(ask))
}

export function preferredSources({ query, identity, services }: SourceAsk): (string | undefined)[] {
  const { registry, source } = services.choices.of(identity.username)
  const meant = query.registry ?? registry ?? services.registries.names[0]
  return [meant === undefined ? undefined : services.registries.dataSourceOf(meant), source]
}

export const historyHandlers: HistoryHandlers = {
  listExecutions: async (ask) => {
    const {
      from,
      to,
      jobName,
      address,
      shard,
      outcome,
      runSource: sources,
      limit,
      cursor,
    } = ask.query
    const history = await historyOf(ask)
    const page = await history.executions(
      given({
        from,
        to,
        jobName,
        address,
        shardingItem: shard,
        outcomes: someOf('outcome', outcome, runOutcome.options),
        sources: someOf('runSource', sources, runSource.options),
      }),
      given({ limit, cursor }),
    )
    return { rows: page.rows.map(executionOf), next: page.next }
  },

  listStatusChanges: async (ask) => {
    const { from, to, jobName, address, shard, state, taskId, limit, cursor } = ask.query
    const history = await historyOf(ask)
    const page = await history.statusChanges(
      given({
        from,
        to,
        jobName,
        address,
        shardingItem: shard,
        states: state === undefined ? undefined : state.split(',').map((one) => one.trim()),
        taskId,
      }),
      given({ limit, cursor }),
    )
    return { rows: page.rows.map(statusOf), next: page.next }
  },

  listHistoryJobs: async (ask) => [...(await (await historyOf(ask)).jobNames())],

  showRunStatistics: async (ask) => {
    const { jobName, from, to, step } = ask.query
    const { buckets, total } = await (await historyOf(ask)).statistics({ jobName, from, to, step })
    return { buckets: buckets.map(statisticsOf), total: statisticsOf(total) }
  },

  showTimeline: async (ask) => {
    const { from, to, jobName, address, limit } = ask.query
    const history = await historyOf(ask)
    const { runs, isTruncated } = await history.timeline({
      from,
      to,
      ...given({ jobName, address, limit }),
    })
    return { runs: runs.map(executionOf), isTruncated }
  },

  showRun: async (ask) => {
    const found = await runHistoryOf(await historyOf(ask), ask.params.run)
    if (found !== undefined) return found
    throw new ConsoleError('CONSOLE_NOT_FOUND', message('run-unknown', { run: ask.params.run }))
  },

  showLog: async (ask) => {
    const { after, limit } = ask.query
    const history = await historyOf(ask)
    const { chunks, hasMore } = await history.log(ask.params.run, given({ after, limit }))
    return { chunks: chunks.map((chunk) => ({ ...chunk })), hasMore }
  },

  traceExecutions: async (ask) => {
    const { jobName, ip, isSuccess } = ask.query
    const history = await historyOf(ask)
    const outcomes: readonly ExecutionOutcome[] | undefined = outcomesOf(isSuccess)
    const filter = given({ ...windowOf(ask.query), jobName, address: ip, outcomes })
    return pageOf(ask.query, executionOf, (limit, cursor) =>
      history.executions(filter, given({ limit, cursor })),
    )
  },

  traceStatuses: async (ask) => {
    const { jobName, ip, state } = ask.query
    const history = await historyOf(ask)
    const states = state === undefined || state === '' ? undefined : [state]
    const filter = given({ ...windowOf(ask.query), jobName, address: ip, states })
    return pageOf(ask.query, statusOf, (limit, cursor) =>
      history.statusChanges(filter, given({ limit, cursor })),
    )
  },
}

/** Undefined if there is no such run. */
export async function runHistoryOf(
  history: HistoryStore,
  runId: string,
): Promise<RunHistory | undefined> {
  const found = await history.run(runId)
  return (
    found && {
      execution: executionOf(found.execution),
      attempts: found.attempts.map(executionOf),
    }
  )
}

function executionOf({ details, ...execution }: StoredExecution): Execution {
  return {
    ...execution,
    details: details && { ...details, fencingToken: details.fencingToken?.toString() },
  }
}

function statusOf(status: StoredStatus): StatusChange {
  const messageParts = statusMessage(status.message)
  return {
    ...status,
    shardingItems: [...status.shardingItems],
    ...(messageParts === undefined ? {} : { messageParts: partsOf(messageParts) }),
  }
}

function statisticsOf(stored: unknown): StatisticsBucket {
  return bucket.parse(stored)
}

/** Parses a comma-separated list; undefined selects all. */
function someOf<T extends string>(
  key: string,
  text: string | undefined,
  known: readonly T[],
): readonly T[] | undefined {
  if (text === undefined || text === '') return undefined
  const listed = text.split(',').map((one) => one.trim())
  const unknown = listed.find((one) => !known.some((each) => each === one))
  if (unknown === undefined) return known.filter((each) => listed.includes(each))
  throw new ConsoleError(
    'CONSOLE_INPUT_INVALID',
    message('filter-unknown', { key, value: unknown }),
    {
      problems: [problem(key, message('filter-choices', { values: known.join(', ') }))],
    },
  )
}

/** Pages by number on top of pages by cursor: all pages before are read as well, so their number is limited. */
async function pageOf<Stored, Row>(
  query: EventTraceQuery,
  rowOf: (stored: Stored) => Row,
  read: (
    limit: number,
    cursor: string | undefined,
  ) => Promise<{ readonly rows: readonly Stored[]; readonly next: string | undefined }>,
): Promise<{ total: number; rows: Row[] }> {
  const { per_page: size = 10, page = 1, order = 'desc' } = query
  requireByTime(query)
  if (order.toLowerCase() !== 'desc') {
    throw new ConsoleError('CONSOLE_INPUT_INVALID', message('order-unsupported'))
  }
  const first = (page - 1) * size
  if (first + size > mostRows) {
    throw new ConsoleError('CONSOLE_INPUT_INVALID', message('pages-exhausted', { rows: mostRows }))
  }
  const rows: Stored[] = []
  let cursor: string | undefined
  do {
    const { rows: some, next } = await read(Math.min(1000, first + size + 1), cursor)
    rows.push(...some)
    cursor = next
  } while (cursor !== undefined && rows.length <= first + size)
  const shown = rows.slice(first, first + size)
  return { total: Math.min(rows.length, first + size + 1), rows: shown.map(rowOf) }
}

const mostRows = 10_000

function requireByTime({ sort }: EventTraceQuery): void {
  if (sort === undefined || /^(startTime|creationTime|start_time|creation_time)?$/.test(sort))
    return
  throw new ConsoleError('CONSOLE_INPUT_INVALID', message('sort-unsupported', { sort }))
}

function outcomesOf(
  isSuccess: EventTraceQuery['isSuccess'],
): readonly ExecutionOutcome[] | undefined {
  if (isSuccess === undefined || isSuccess === '') return undefined
  if (isSuccess === 'true' || isSuccess === '1') return ['success']
  return ['failure', 'timeout', 'aborted', 'stopped', 'not-started', 'lost']
}

function windowOf({ startTime, endTime }: EventTraceQuery): {
  from: number | undefined
  to: number | undefined
} {
  return { from: timeOf('startTime', startTime), to: timeOf('endTime', endTime) }
}

function timeOf(key: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const time = Date.parse(text.replace(' ', 'T'))
  if (!Number.isNaN(time)) return time
  throw new ConsoleError('CONSOLE_INPUT_INVALID', message('filter-time-invalid', { key, text }), {
    problems: [problem(key, message('time-format'))],
  })
}

/** Omits undefined keys: for a store, an absent key is no condition. */
function given<T extends Record<string, unknown>>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
