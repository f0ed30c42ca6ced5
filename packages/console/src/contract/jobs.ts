/** Jobs: as list entries, and one with its shard map. */
import { z } from 'zod'

import { count, moment, registryQuery } from './common.ts'
import { jobConfiguration } from './configuration.ts'
import { manualRun } from './results.ts'
import { messageParts } from './message.ts'

/**
 * The values of the consoles of 2.x and 3.x; SHARDING_FLAG: the shards have to be assigned. BROKEN is new: the
 * configuration or a state of the job cannot be read.
 */
const jobStatus = z.enum(['OK', 'DISABLED', 'CRASHED', 'SHARDING_FLAG', 'BROKEN'])

/** The filter of a list: each job is in exactly one state, the first that applies. */
export const jobState = z.enum([
  /** Instances are leaving, and no instance can join. */
  'removing',
  /** Its configuration or one of its states cannot be read. */
  'broken',
  /** No instance takes part. */
  'crashed',
  'disabled',
  'paused',
  /** The shards have to be assigned. */
  'sharding',
  /** At least one shard is running. */
  'running',
  /** Nothing prevents the job from running. */
  'ok',
])
export type JobState = z.infer<typeof jobState>

export const runSource = z.enum(['cron', 'misfire', 'trigger', 'failover'])
export type RunSource = z.infer<typeof runSource>

export const runOutcome = z.enum([
  'success',
  'failure',
  'timeout',
  'aborted',
  'stopped',
  'not-started',
  'lost',
  'running',
])
export type RunOutcome = z.infer<typeof runOutcome>

/** One run in the strip of recent runs. */
const recentRun = z.object({
  runId: z.string(),
  shard: z.number(),
  begin: moment,
  /** Absent while the run is active. */
  end: moment.optional(),
  outcome: runOutcome,
})
export type RecentRun = z.infer<typeof recentRun>

/** One job in a list. The first six fields are those of the consoles of 2.x and 3.x. */
export const jobEntry = z.object({
  jobName: z.string(),
  status: jobStatus,
  description: z.string(),
  /** Empty for a job without a schedule. */
  cron: z.string().optional(),
  instanceCount: z.number(),
  shardingTotalCount: z.number(),
  state: jobState,
  /** The status in the console of 1.x. */
  legacyStatus: z.enum(['OK', 'PARTIAL_ALIVE', 'DISABLED', 'ALL_CRASHED']),
  paused: z.boolean(),
  pausedServers: z.array(z.string()),
  removing: z.boolean(),
  /** Instances that do not take part because `maxTimeDiffSeconds` refuses their clock; `difference` in milliseconds. */
  refusedClocks: z.array(
    z.object({ instance: z.string(), server: z.string(), difference: z.number() }),
  ),
  timeZone: z.string().optional(),
  serverCount: z.number(),
  /** The instances that take part: of this library, of Java, or both. */
  kind: z.enum(['ours', 'java', 'mixed']),
  nextFireTime: moment.optional(),
  /** Why its configuration or one of its states cannot be read. */
  problem: z.string().optional(),
  /** The message parts for translation; absent if the message is English only. */
  problemParts: messageParts.optional(),
  /** The number of running shards. */
  runningCount: z.number(),
  disabledShardCount: z.number(),
  /** The number of shards whose run crashed, including those that wait for failover. */
  leftShardCount: z.number(),
  /** The last run that has ended. */
  last: recentRun.optional(),
  /** Oldest first, at most 20. */
  recent: z.array(recentRun),
})
export type JobEntry = z.infer<typeof jobEntry>

export const jobListQuery = registryQuery.extend({
  /** A part of the name or of the description, case-insensitive. */
  search: z.string().max(200).optional(),
  /** One or several states, comma-separated. */
  state: z.string().max(200).optional(),
  sort: z
    .enum(['jobName', 'status', 'nextFireTime', 'last', 'instanceCount', 'shardingTotalCount'])
    .optional(),
  order: z.enum(['asc', 'desc']).optional(),
  offset: count.optional(),
  /**
   * Default: all. `X-Total-Count` is the number of matches, `X-Revision` the revision that the stream continues from.
   */
  limit: count.optional(),
})
export type JobListQuery = z.infer<typeof jobListQuery>

const shardState = z.enum([
  'running',
  'stopping',
  'taken-over',
  'waiting-for-failover',
  'crashed',
  'abandoned',
  'unreadable',
  'disabled',
  'no-owner',
  'owner-away',
  'paused',
  'pending',
])
export type ShardState = z.infer<typeof shardState>

/** One shard in the form of 2.x: `GET /jobs/{job}/sharding`. */
export const shardEntry = z.object({
  item: z.number(),
  serverIp: z.string(),
  /** The part of the instance id after `@-@`: the process. */
  instanceId: z.string(),
  status: z.enum(['DISABLED', 'RUNNING', 'SHARDING_FLAG', 'PENDING']),
  failover: z.boolean(),
})
export type ShardEntry = z.infer<typeof shardEntry>

const shardRun = z.object({
  runId: z.string(),
  instance: z.string(),
  source: runSource.optional(),
  attempt: z.number(),
  manualRun: z.number().optional(),
  fireTime: moment.optional(),
  begin: moment,
  end: moment.optional(),
  outcome: z.string().optional(),
  error: z.string().optional(),
  /** An operator has asked the run to end. */
  stopping: z.boolean(),
})
export type ShardRun = z.infer<typeof shardRun>

/** One shard of the shard map. */
const shard = z.object({
  shard: z.number(),
  parameter: z.string().optional(),
  status: z.enum(['DISABLED', 'RUNNING', 'SHARDING_FLAG', 'PENDING']),
  legacyStatus: z.enum(['RUNNING', 'COMPLETED', 'PENDING']),
  state: shardState,
  /** What prevents the shard from running, as text; absent if nothing does. */
  obstacle: z.string().optional(),
  /** The message parts for translation. */
  obstacleParts: messageParts.optional(),
  owner: z.string().optional(),
  server: z.string().optional(),
  ownerOnline: z.boolean(),
  /** The instance that owns the shard after its active run. */
  movesTo: z.string().optional(),
  disabled: z.boolean(),
  /** The instance that has taken it over from a crashed one. */
  failover: z.string().optional(),
  run: shardRun.optional(),
  completed: z.boolean(),
  lastBeginTime: moment.optional(),
  lastCompleteTime: moment.optional(),
  nextFireTime: moment.optional(),
})
export type Shard = z.infer<typeof shard>

export const serverStatus = z.enum([
  'READY',
  'RUNNING',
  'DISABLED',
  'PAUSED',
  'CRASHED',
  'SHUTDOWN',
])
export type ServerStatus = z.infer<typeof serverStatus>

/** One server of a job. */
const jobServer = z.object({
  server: z.string(),
  status: serverStatus,
  enabled: z.boolean(),
  paused: z.boolean(),
  instances: z.array(z.string()),
  shards: z.array(z.number()),
})
export type JobServer = z.infer<typeof jobServer>

/** One instance of a job. */
const jobInstance = z.object({
  instance: z.string(),
  server: z.string(),
  label: z.string().optional(),
  java: z.boolean(),
  leads: z.boolean(),
  leaving: z.boolean(),
  shards: z.array(z.number()),
  running: z.array(z.number()),
})
export type JobInstance = z.infer<typeof jobInstance>

/** One job with all details: `GET /jobs/{job}/detail`, and the message `job` of the stream. */
export const jobDetail = jobEntry.extend({
  /** Absent if it cannot be read: `problem` has the reason. */
  configuration: jobConfiguration.optional(),
  configurationVersion: z.number(),
  leader: z.string().optional(),
  shards: z.array(shard),
  servers: z.array(jobServer),
  instances: z.array(jobInstance),
  manualRuns: z.object({
    last: z.number(),
    running: manualRun.optional(),
    pending: manualRun.optional(),
    previous: manualRun.optional(),
  }),
  resharding: z.enum(['requested', 'under way']).optional(),
})
export type JobDetail = z.infer<typeof jobDetail>

const tally = z.object({ succeeded: z.number(), failed: z.number() })

/** The counts of the live instances of a job, if it has statistics. */
export const instanceStatistics = z.object({
  instance: z.string(),
  server: z.string(),
  interval: z.object({ from: moment, until: moment, runs: tally, elements: tally }),
  total: z.object({ since: moment, runs: tally, elements: tally }),
})
