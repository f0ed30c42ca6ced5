/** The history: executions, status changes, statistics, the timeline, one run and its log. */
import { z } from 'zod'

import { count, moment, sourceQuery } from './common.ts'
import { runOutcome, runSource } from './jobs.ts'
import { messageParts } from './message.ts'

/** One run: Java's row, with the details of this library. */
const execution = z.object({
  /** The run id. */
  id: z.string(),
  jobName: z.string(),
  taskId: z.string(),
  hostname: z.string(),
  ip: z.string(),
  shardingItem: z.number(),
  source: runSource,
  startTime: moment,
  /** Absent while the run is active. */
  completeTime: moment.optional(),
  isSuccess: z.boolean(),
  failureCause: z.string().optional(),
  outcome: runOutcome,
  /** In milliseconds. */
  duration: z.number().optional(),
  /** Absent for a run that Java has recorded. */
  details: z
    .object({
      instance: z.string(),
      fireTime: moment,
      attempt: z.number(),
      retries: z.number(),
      manualRun: z.number().optional(),
      /** As text: the number can exceed the safe integer range. */
      fencingToken: z.string().optional(),
      lateness: z.number().optional(),
    })
    .optional(),
})
export type Execution = z.infer<typeof execution>

const window = z.object({
  /** Milliseconds since 1970: `from` is included, `to` is excluded. */
  from: z.coerce.number().optional(),
  to: z.coerce.number().optional(),
})

const paging = z.object({
  /** Default: 50. */
  limit: count.min(1).max(1000).optional(),
  /** `next` of the previous page. */
  cursor: z.string().max(1000).optional(),
})

/** Lists are comma-separated. */
export const executionQuery = sourceQuery
  .extend(window.shape)
  .extend(paging.shape)
  .extend({
    jobName: z.string().max(500).optional(),
    /** The address or the host name of the machine that ran it. */
    address: z.string().max(500).optional(),
    shard: count.optional(),
    /** A subset of `success,failure,timeout,aborted,stopped,not-started,lost,running`. */
    outcome: z.string().max(200).optional(),
    /** A subset of `cron,misfire,trigger,failover`. */
    runSource: z.string().max(200).optional(),
  })

/** Newest first. A page can have few rows or none and still have a `next`. */
export const executionPage = z.object({
  rows: z.array(execution),
  next: z.string().optional(),
})

const statusChange = z.object({
  id: z.string(),
  jobName: z.string(),
  originalTaskId: z.string(),
  taskId: z.string(),
  /** The address of the worker. */
  slaveId: z.string(),
  executionType: z.string(),
  shardingItems: z.array(z.number()),
  state: z.string(),
  message: z.string(),
  /** The message parts for translation; absent for a message of another component. */
  messageParts: messageParts.optional(),
  creationTime: moment,
})
export type StatusChange = z.infer<typeof statusChange>

export const statusQuery = sourceQuery
  .extend(window.shape)
  .extend(paging.shape)
  .extend({
    jobName: z.string().max(500).optional(),
    address: z.string().max(500).optional(),
    shard: count.optional(),
    /** A subset of `TASK_STAGING,TASK_RUNNING,TASK_FINISHED,TASK_ERROR,TASK_LOST` and further states of Java. */
    state: z.string().max(300).optional(),
    taskId: z.string().max(500).optional(),
  })

export const statusPage = z.object({ rows: z.array(statusChange), next: z.string().optional() })

/** One run with all attempts for the same shard and fire time, including itself. */
export const runHistory = z.object({ execution, attempts: z.array(execution) })
export type RunHistory = z.infer<typeof runHistory>

export const logChunk = z.object({
  sequence: z.number(),
  time: moment,
  stream: z.enum(['debug', 'info', 'warn', 'error', 'stdout', 'stderr']),
  text: z.string(),
})
export type LogChunk = z.infer<typeof logChunk>

export const logQuery = sourceQuery.extend({
  /** Only chunks after this sequence number. */
  after: z.coerce.number().int().optional(),
  /** Default: 1000. */
  limit: count.min(1).max(10_000).optional(),
})

export const runLog = z.object({ chunks: z.array(logChunk), hasMore: z.boolean() })

/** The runs of a window by instance, for a chart. */
export const timelineQuery = sourceQuery.extend({
  from: z.coerce.number(),
  to: z.coerce.number(),
  jobName: z.string().max(500).optional(),
  address: z.string().max(500).optional(),
  /** Default: 1000. */
  limit: count.min(1).max(10_000).optional(),
})

export const timeline = z.object({ runs: z.array(execution), isTruncated: z.boolean() })

export const statisticsQuery = sourceQuery.extend({
  jobName: z.string().min(1).max(500),
  from: z.coerce.number(),
  to: z.coerce.number(),
  step: z.enum(['minute', 'hour', 'day']),
})

/** In milliseconds. */
const percentiles = z.object({
  count: z.number(),
  p50: z.number().optional(),
  p95: z.number().optional(),
  p99: z.number().optional(),
  max: z.number().optional(),
})

export const bucket = z.object({
  /** The start of the bucket. */
  time: moment,
  runs: z.number(),
  /** Runs with the outcome `failure`, `timeout` or `lost`. */
  failures: z.number(),
  outcomes: z.partialRecord(runOutcome, z.number()),
  duration: percentiles,
  lateness: percentiles,
})
export type StatisticsBucket = z.infer<typeof bucket>

/** Empty buckets are omitted. */
export const statistics = z.object({ buckets: z.array(bucket), total: bucket })
export type Statistics = z.infer<typeof statistics>

/** `GET /event-trace/execution` and `/event-trace/status`, as in 2.x: pages by number. */
export const eventTraceQuery = sourceQuery.extend({
  per_page: count.min(1).max(1000).optional(),
  page: count.min(1).max(1000).optional(),
  /** Rows are sorted by time; another column is refused. */
  sort: z.string().max(100).optional(),
  order: z.enum(['asc', 'desc', 'ASC', 'DESC']).optional(),
  /** `2026-11-15 08:00:00`, in the server's zone, or ISO 8601. */
  startTime: z.string().max(40).optional(),
  endTime: z.string().max(40).optional(),
  /** Conditions on columns. */
  jobName: z.string().max(500).optional(),
  ip: z.string().max(500).optional(),
  isSuccess: z.enum(['true', 'false', '1', '0', '']).optional(),
  state: z.string().max(100).optional(),
  /** Further parameters that 2.x sends. */
  fields: z.string().max(1000).optional(),
})
export type EventTraceQuery = z.infer<typeof eventTraceQuery>

/** `total` is the number of rows up to the end of this page, plus one if there are more. */
export const eventTraceExecutions = z.object({ total: z.number(), rows: z.array(execution) })
export const eventTraceStatuses = z.object({ total: z.number(), rows: z.array(statusChange) })
