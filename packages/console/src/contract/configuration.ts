/** The configuration of a job: as stored, and the effect of a change. */
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

/** `GET /jobs/config/{job}`: the same, with 2.x's names for values that are in `props` today. */
export const jobSettings = jobConfiguration.extend({
  jobType: z.enum(['SIMPLE', 'DATAFLOW', 'SCRIPT', 'HTTP', '']),
  streamingProcess: z.boolean(),
  scriptCommandLine: z.string(),
  monitorPort: z.number(),
  /** The version, for a change that must not overwrite another change. */
  version: z.number(),
})
export type JobSettings = z.infer<typeof jobSettings>

/** The values that can be changed. A value of null removes its key; an absent key stays as it is. */
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
    /** All props: those that are omitted are removed. */
    props: z.record(z.string().max(500), z.string().max(100_000)),
    disabled: z.boolean(),
    overwrite: z.boolean(),
    label: z.string().max(500).nullable(),
    staticSharding: z.boolean(),
  })
  .partial()
  .strict()
export type JobChanges = z.infer<typeof jobChanges>

/** `PUT /jobs/config`, as 2.x and 3.x send it: an unknown key is refused, a key that cannot change is ignored. */
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
  /** The exact data of the node, except for secrets, which only `revealConfiguration` shows. */
  text: z.string(),
  version: z.number(),
  changed: moment,
  warnings: z.array(z.string()),
  /** The message parts for translation. */
  warningParts: z.array(messageParts),
})
export type StoredConfiguration = z.infer<typeof storedConfiguration>

/** When a change takes effect on running instances of this library. */
const takesEffect = z.enum([
  /** At once. */
  'now',
  /** With the next run. */
  'next-run',
  /** At once; the leader reshards. */
  'resharding',
  /** When a process is restarted. */
  'restart',
  /** Never: the value is only stored and shown. */
  'never',
])
export type TakesEffect = z.infer<typeof takesEffect>

const configurationChange = z.object({
  key: z.string(),
  /** Absent if the key was not set. */
  from: z.unknown().optional(),
  to: z.unknown().optional(),
  takesEffect,
})
export type ConfigurationChange = z.infer<typeof configurationChange>

export const configurationBody = z
  .object({
    changes: jobChanges,
    /** The version that the change was made for; a conflict if the stored version differs. */
    version: z.number().int().optional(),
  })
  .strict()

/** The effect of a change; nothing is written. */
export const configurationCheck = z.object({
  /** Empty if the change can be saved. */
  problems: z.array(problem),
  changes: z.array(configurationChange),
  /** The data of the node before and after, for a line-by-line difference; secrets are masked. */
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
