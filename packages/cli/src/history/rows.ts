/** The rows of a history, as tables and as JSON. */
import type { Execution, StatisticsBucket, StatusChange } from '@elasticjob/tracing'

import { dateTime, duration } from '../output/moments.ts'
import type { Paint, Style } from '../output/style.ts'
import type { Column } from '../output/table.ts'

const sources: Readonly<Record<string, string>> = Object.freeze({
  cron: 'schedule',
  misfire: 'missed fire',
  trigger: 'trigger',
  failover: 'failover',
})

export function executionColumns(style: Style): readonly Column<Execution>[] {
  return [
    { title: 'STARTED', cell: ({ startTime }) => dateTime(startTime) },
    { title: 'JOB', cell: ({ jobName }) => jobName },
    { title: 'SHARD', align: 'right', cell: ({ shardingItem }) => String(shardingItem) },
    { title: 'SERVER', cell: ({ ip }) => ip },
    {
      title: 'OUTCOME',
      cell: ({ outcome }) => ({ text: outcome, paint: paintOf(style, outcome) }),
    },
    { title: 'TOOK', align: 'right', cell: (each) => spanText(each.duration) },
    { title: 'LATE', align: 'right', cell: ({ details }) => spanText(details?.lateness) },
    { title: 'BY', cell: ({ source }) => sources[source] ?? source },
    { title: 'RUN', cell: ({ id }) => id },
    { title: 'CAUSE', cell: ({ failureCause }) => failureCause?.split('\n', 1)[0] ?? '' },
  ]
}

export function statusColumns(style: Style): readonly Column<StatusChange>[] {
  return [
    { title: 'TIME', cell: ({ creationTime }) => dateTime(creationTime) },
    { title: 'JOB', cell: ({ jobName }) => jobName },
    { title: 'SHARDS', cell: ({ shardingItems }) => shardingItems.join(' ') },
    { title: 'SERVER', cell: ({ slaveId }) => slaveId },
    {
      title: 'STATE',
      cell: ({ state }) => ({
        text: state,
        paint: stateColors[state]?.(style) ?? ((text) => text),
      }),
    },
    { title: 'MESSAGE', cell: ({ message }) => message.split('\n', 1)[0] ?? '' },
  ]
}

export const statisticsColumns: readonly Column<StatisticsBucket>[] = [
  { title: 'FROM', cell: ({ time }) => dateTime(time) },
  { title: 'RUNS', align: 'right', cell: ({ runs }) => String(runs) },
  { title: 'FAILED', align: 'right', cell: ({ failures }) => String(failures) },
  ...(['duration', 'lateness'] as const).flatMap((what) =>
    (['p50', 'p95', 'p99'] as const).map((percentile): Column<StatisticsBucket> => ({
      title: `${what === 'duration' ? 'TOOK' : 'LATE'} ${percentile}`,
      align: 'right',
      cell: (bucket) => spanText(bucket[what][percentile]),
    })),
  ),
]

const stateColors: Readonly<Record<string, (style: Style) => Paint>> = Object.freeze({
  TASK_FINISHED: ({ good }) => good,
  TASK_ERROR: ({ bad }) => bad,
  TASK_FAILED: ({ bad }) => bad,
  TASK_LOST: ({ bad }) => bad,
})

function paintOf(style: Style, outcome: Execution['outcome']): Paint {
  if (outcome === 'success') return style.good
  if (outcome === 'running') return style.accent
  const isBad = outcome === 'failure' || outcome === 'timeout' || outcome === 'lost'
  return isBad ? style.bad : style.doubtful
}

function spanText(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '-' : duration(milliseconds)
}

/** Times are ISO 8601; a fencing token is a text, because it may exceed the range of numbers. */
export function executionJson(execution: Execution): unknown {
  const { details, startTime, completeTime, ...rest } = execution
  return {
    ...rest,
    startTime: isoTime(startTime),
    completeTime: isoTime(completeTime),
    ...(details === undefined
      ? {}
      : {
          details: {
            ...details,
            fireTime: isoTime(details.fireTime),
            fencingToken: details.fencingToken?.toString(),
          },
        }),
  }
}

export function statusJson({ creationTime, ...rest }: StatusChange): unknown {
  return { ...rest, creationTime: isoTime(creationTime) }
}

export function statisticsJson({ time, ...rest }: StatisticsBucket): unknown {
  return { time: isoTime(time), ...rest }
}

export function isoTime(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString()
}
