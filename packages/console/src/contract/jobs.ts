/** Jobs: in a list, and one with its shard map. */
import { z } from 'zod'

import { count, moment, registryQuery } from './common.ts'
import { jobConfiguration } from './configuration.ts'
import { manualRun } from './results.ts'
import { messageParts } from './message.ts'

/**
 * As the consoles of 2.x and 3.x say it; SHARDING_FLAG: the shards have to be assigned. BROKEN, which theirs do not
 * know: the configuration or a state of the job cannot be read.
 */
const jobStatus = z.enum(['OK', 'DISABLED', 'CRASHED', 'SHARDING_FLAG', 'BROKEN'])

/** What a list is filtered by: a job is in exactly one of them; the first that is true counts. */
export const jobState = z.enum([
  /** Instances leave, and nobody may join. */
  'removing',
  /** Its configuration, or a state of it, cannot be read. */
  'broken',
  /** No instance is there. */
  'crashed',
  'disabled',
  'paused',
  /** The shards have to be assigned. */
  'sharding',
  /** At least one shard runs now. */
  'running',
  /** Nothing is in its way. */
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

/** One run in the strip of recent ones. */
const recentRun = z.object({
  runId: z.string(),
  shard: z.number(),
  begin: moment,
  /** Absent while it runs. */
  end: moment.optional(),
  outcome: runOutcome,
})
export type RecentRun = z.infer<typeof recentRun>

/** One job in a list. The first six fields are those of the console of 2.x and 3.x. */
export const jobEntry = z.object({
  jobName: z.string(),
  status: jobStatus,
  description: z.string(),
  /** Empty for a job that waits to be triggered. */
  cron: z.string().optional(),
  instanceCount: z.number(),
  shardingTotalCount: z.number(),
  state: jobState,
  /** As the console of 1.x says it. */
  legacyStatus: z.enum(['OK', 'PARTIAL_ALIVE', 'DISABLED', 'ALL_CRASHED']),
  paused: z.boolean(),
  pausedServers: z.array(z.string()),
  removing: z.boolean(),
  /** Instances that take no part because `maxTimeDiffSeconds` refuses their clock; `difference` in milliseconds. */
  refusedClocks: z.array(
    z.object({ instance: z.string(), server: z.string(), difference: z.number() }),
  ),
  timeZone: z.string().optional(),
  serverCount: z.number(),
  /** Who runs it: instances of ours, of Java's, or both. */
  kind: z.enum(['ours', 'java', 'mixed']),
  nextFireTime: moment.optional(),
  /** What is wrong with its configuration, or with a state of it. */
  problem: z.string().optional(),
  /** The same with its parts, for other languages; absent if it is English alone. */
  problemParts: messageParts.optional(),
  /** How many shards run now. */
  runningCount: z.number(),
  disabledShardCount: z.number(),
  /** Shards that wait to be taken over, or were left by a crashed instance. */
  leftShardCount: z.number(),
  /** The last run that has ended. */
  last: recentRun.optional(),
  /** The oldest first, at most 20. */
  recent: z.array(recentRun),
})
export type JobEntry = z.infer<typeof jobEntry>

export const jobListQuery = registryQuery.extend({
  /** Part of the name or of the description, whatever the case. */
  search: z.string().max(200).optional(),
  /** One or several, with commas between. */
  state: z.string().max(200).optional(),
  sort: z
    .enum(['jobName', 'status', 'nextFireTime', 'last', 'instanceCount', 'shardingTotalCount'])
    .optional(),
  order: z.enum(['asc', 'desc']).optional(),
  offset: count.optional(),
  /** All if absent. `X-Total-Count` says how many match, `X-Revision` what the stream goes on from. */
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

/** One shard as the console of 2.x tells of it: `GET /jobs/{job}/sharding`. */
export const shardEntry = z.object({
  item: z.number(),
  serverIp: z.string(),
  /** What follows `@-@` in the id of the instance: the process. */
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
  /** An operator has asked for its end. */
  stopping: z.boolean(),
})
export type ShardRun = z.infer<typeof shardRun>

/** One shard in the shard map. */
const shard = z.object({
  shard: z.number(),
  parameter: z.string().optional(),
  status: z.enum(['DISABLED', 'RUNNING', 'SHARDING_FLAG', 'PENDING']),
  legacyStatus: z.enum(['RUNNING', 'COMPLETED', 'PENDING']),
  state: shardState,
  /** Why it would not run now, as text; absent if nothing is in the way. */
  obstacle: z.string().optional(),
  /** The same with its parts, for other languages. */
  obstacleParts: messageParts.optional(),
  owner: z.string().optional(),
  server: z.string().optional(),
  ownerOnline: z.boolean(),
  /** Who gets it when its present run ends. */
  movesTo: z.string().optional(),
  disabled: z.boolean(),
  /** Who has taken it over from a crashed instance. */
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

/** One server in one job. */
const jobServer = z.object({
  server: z.string(),
  status: serverStatus,
  enabled: z.boolean(),
  paused: z.boolean(),
  instances: z.array(z.string()),
  shards: z.array(z.number()),
})
export type JobServer = z.infer<typeof jobServer>

/** One instance in one job. */
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

/** One job with everything: `GET /jobs/{job}/detail`, and the stream's `job` message. */
export const jobDetail = jobEntry.extend({
  /** Absent if it cannot be read: `problem` says why. */
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

/** What the living instances of a job have counted, where it asks them to. */
export const instanceStatistics = z.object({
  instance: z.string(),
  server: z.string(),
  interval: z.object({ from: moment, until: moment, runs: tally, elements: tally }),
  total: z.object({ since: moment, runs: tally, elements: tally }),
})
