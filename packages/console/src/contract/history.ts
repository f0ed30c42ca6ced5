/** What ran: executions, changes of status, statistics, the timeline, one run and its log. */
import { z } from 'zod'

import { count, moment, sourceQuery } from './common.ts'
import { runOutcome, runSource } from './jobs.ts'
import { messageParts } from './message.ts'

/** One run: Java's row, and beside it what we know more of it. */
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
  /** Absent while it runs. */
  completeTime: moment.optional(),
  isSuccess: z.boolean(),
  failureCause: z.string().optional(),
  outcome: runOutcome,
  /** In milliseconds. */
  duration: z.number().optional(),
  /** Absent for a run that Java has written. */
  details: z
    .object({
      instance: z.string(),
      fireTime: moment,
      attempt: z.number(),
      retries: z.number(),
      manualRun: z.number().optional(),
      /** As text: it may be larger than a number holds exactly. */
      fencingToken: z.string().optional(),
      lateness: z.number().optional(),
    })
    .optional(),
})
export type Execution = z.infer<typeof execution>

const window = z.object({
  /** Milliseconds since 1970: from this one on, up to but not at the other. */
  from: z.coerce.number().optional(),
  to: z.coerce.number().optional(),
})

const paging = z.object({
  /** 50 if absent. */
  limit: count.min(1).max(1000).optional(),
  /** `next` of the page before. */
  cursor: z.string().max(1000).optional(),
})

/** Lists are given with commas between. */
export const executionQuery = sourceQuery
  .extend(window.shape)
  .extend(paging.shape)
  .extend({
    jobName: z.string().max(500).optional(),
    /** The address or the host name of the machine that ran it. */
    address: z.string().max(500).optional(),
    shard: count.optional(),
    /** Some of `success,failure,timeout,aborted,stopped,not-started,lost,running`. */
    outcome: z.string().max(200).optional(),
    /** Some of `cron,misfire,trigger,failover`. */
    runSource: z.string().max(200).optional(),
  })

/** From the newest to the oldest. It may hold few rows or none and still have a `next`. */
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
  /** The same with its parts, for other languages; absent of what is not ours. */
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
    /** Some of `TASK_STAGING,TASK_RUNNING,TASK_FINISHED,TASK_ERROR,TASK_LOST` and others'. */
    state: z.string().max(300).optional(),
    taskId: z.string().max(500).optional(),
  })

export const statusPage = z.object({ rows: z.array(statusChange), next: z.string().optional() })

/** One run with the other attempts at the same shard and time, itself among them. */
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
  /** Pieces after this sequence number only. */
  after: z.coerce.number().int().optional(),
  /** 1000 if absent. */
  limit: count.min(1).max(10_000).optional(),
})

export const runLog = z.object({ chunks: z.array(logChunk), hasMore: z.boolean() })

/** Who ran what, for a picture of bars over instances. */
export const timelineQuery = sourceQuery.extend({
  from: z.coerce.number(),
  to: z.coerce.number(),
  jobName: z.string().max(500).optional(),
  address: z.string().max(500).optional(),
  /** 1000 if absent. */
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
  /** When the bucket begins. */
  time: moment,
  runs: z.number(),
  /** Ended by `failure`, `timeout` or `lost`. */
  failures: z.number(),
  outcomes: z.partialRecord(runOutcome, z.number()),
  duration: percentiles,
  lateness: percentiles,
})
export type StatisticsBucket = z.infer<typeof bucket>

/** Empty buckets are left out. */
export const statistics = z.object({ buckets: z.array(bucket), total: bucket })
export type Statistics = z.infer<typeof statistics>

/** `GET /event-trace/execution` and `/event-trace/status`, as 2.x asks: pages by number. */
export const eventTraceQuery = sourceQuery.extend({
  per_page: count.min(1).max(1000).optional(),
  page: count.min(1).max(1000).optional(),
  /** Rows come by time; another column is refused. */
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
  /** What else 2.x sends. */
  fields: z.string().max(1000).optional(),
})
export type EventTraceQuery = z.infer<typeof eventTraceQuery>

/** `total` counts the rows up to and including this page, and one more if there are more. */
export const eventTraceExecutions = z.object({ total: z.number(), rows: z.array(execution) })
export const eventTraceStatuses = z.object({ total: z.number(), rows: z.array(statusChange) })
