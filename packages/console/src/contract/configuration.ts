/** A job's configuration: as it is stored, as it may become, and what would change. */
import { z } from 'zod'

import { moment, problem } from './common.ts'
import { messageParts } from './message.ts'

/** Every key of ElasticJob 3, under its own name. */
export const jobConfiguration = z.object({
  jobName: z.string(),
  cron: z.string().optional(),
  timeZone: z.string().optional(),
  shardingTotalCount: z.number(),
  shardingItemParameters: z.string(),
  jobParameter: z.string(),
  monitorExecution: z.boolean(),
  failover: z.boolean(),
  misfire: z.boolean(),
  maxTimeDiffSeconds: z.number(),
  reconcileIntervalMinutes: z.number(),
  jobShardingStrategyType: z.string().optional(),
  jobExecutorThreadPoolSizeProviderType: z.string().optional(),
  jobErrorHandlerType: z.string().optional(),
  jobListenerTypes: z.array(z.string()),
  jobExtraConfigurations: z.array(z.string()),
  description: z.string(),
  props: z.record(z.string(), z.string()),
  disabled: z.boolean(),
  overwrite: z.boolean(),
  label: z.string().optional(),
  staticSharding: z.boolean(),
})
export type JobConfiguration = z.infer<typeof jobConfiguration>

/** `GET /jobs/config/{job}`: the same, with the names that 2.x had for what is in `props` today. */
export const jobSettings = jobConfiguration.extend({
  jobType: z.enum(['SIMPLE', 'DATAFLOW', 'SCRIPT', 'HTTP', '']),
  streamingProcess: z.boolean(),
  scriptCommandLine: z.string(),
  monitorPort: z.number(),
  /** For a change that must not overwrite another. */
  version: z.number(),
})
export type JobSettings = z.infer<typeof jobSettings>

/** What can be changed. A value of null takes its key out; a key that is absent stays as it is. */
const jobChanges = z
  .object({
    cron: z.string().max(1000).nullable(),
    timeZone: z.string().max(100).nullable(),
    shardingTotalCount: z.number(),
    shardingItemParameters: z.string().max(500_000),
    jobParameter: z.string().max(500_000),
    monitorExecution: z.boolean(),
    failover: z.boolean(),
    misfire: z.boolean(),
    maxTimeDiffSeconds: z.number(),
    reconcileIntervalMinutes: z.number(),
    jobShardingStrategyType: z.string().max(500).nullable(),
    jobExecutorThreadPoolSizeProviderType: z.string().max(500).nullable(),
    jobErrorHandlerType: z.string().max(500).nullable(),
    jobListenerTypes: z.array(z.string().max(500)).max(100),
    description: z.string().max(100_000),
    /** All of them: those that are left out go. */
    props: z.record(z.string().max(500), z.string().max(100_000)),
    disabled: z.boolean(),
    overwrite: z.boolean(),
    label: z.string().max(500).nullable(),
    staticSharding: z.boolean(),
  })
  .partial()
  .strict()
export type JobChanges = z.infer<typeof jobChanges>

/** `PUT /jobs/config`: as 2.x and 3.x send it; what is unknown is refused, what cannot change is ignored. */
export const jobSettingsBody = jobChanges.extend({
  jobName: z.string().min(1).max(500),
  version: z.number().int().optional(),
  jobExtraConfigurations: z.unknown().optional(),
  jobType: z.string().optional(),
  jobClass: z.string().optional(),
  streamingProcess: z.boolean().optional(),
  scriptCommandLine: z.string().optional(),
  monitorPort: z.number().optional(),
})
export type JobSettingsBody = z.infer<typeof jobSettingsBody>

export const storedConfiguration = z.object({
  configuration: jobConfiguration,
  /** The node's data, to the letter but for secrets, which only `revealConfiguration` shows. */
  text: z.string(),
  version: z.number(),
  changed: moment,
  warnings: z.array(z.string()),
  /** The same with their parts, for other languages. */
  warningParts: z.array(messageParts),
})
export type StoredConfiguration = z.infer<typeof storedConfiguration>

/** When a change takes effect on instances of ours that run. */
const takesEffect = z.enum([
  /** At once. */
  'now',
  /** From the next run on. */
  'next-run',
  /** At once, and shards are reassigned. */
  'resharding',
  /** When a process is started again. */
  'restart',
  /** It is stored and shown, and changes nothing else. */
  'never',
])
export type TakesEffect = z.infer<typeof takesEffect>

const configurationChange = z.object({
  key: z.string(),
  /** Absent: it was not set. */
  from: z.unknown().optional(),
  to: z.unknown().optional(),
  takesEffect,
})
export type ConfigurationChange = z.infer<typeof configurationChange>

export const configurationBody = z
  .object({
    changes: jobChanges,
    /** The version that the changes were made for; with another one stored meanwhile it is a conflict. */
    version: z.number().int().optional(),
  })
  .strict()

/** What a change would do; nothing is written. */
export const configurationCheck = z.object({
  /** Empty if it can be saved. */
  problems: z.array(problem),
  changes: z.array(configurationChange),
  /** The node's data before and after, for a difference line by line; secrets are masked. */
  before: z.string(),
  after: z.string().optional(),
  version: z.number(),
})
export type ConfigurationCheck = z.infer<typeof configurationCheck>

export const configurationUpdate = z.object({
  jobName: z.string(),
  changes: z.array(configurationChange),
  configuration: jobConfiguration,
  version: z.number(),
})
export type ConfigurationUpdate = z.infer<typeof configurationUpdate>
