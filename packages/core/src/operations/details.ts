/** What an operator is told of jobs, servers, instances and shards. */
import type { JobConfiguration } from '../config/job-configuration.ts'
import type { RunOutcome, RunSource } from '../events.ts'
import type { BrokenNode } from '../job-tree/broken-node.ts'
import type { ManualRun } from '../job-tree/job-state.ts'
import type { Message } from '../message.ts'
import type { JobStatus, LegacyJobStatus } from './job-status.ts'
import type { ServerState } from './server-status.ts'
import type { LegacyShardStatus, ShardPhase, ShardStatus } from './shard-status.ts'

/** One job in a list. */
export interface JobSummary {
  readonly jobName: string
  /** As the console of 2.x and 3.x says it. */
  readonly status: JobStatus
  /** As the console of 1.x says it. */
  readonly legacyStatus: LegacyJobStatus
  /** Whether cron fires are off for the whole job. */
  readonly paused: boolean
  /** Servers on which cron fires are off. */
  readonly pausedServers: readonly string[]
  /** Whether it is being removed: instances leave, and nobody may join. */
  readonly removing: boolean
  readonly description: string
  readonly cron: string | undefined
  readonly timeZone: string | undefined
  readonly shardingTotalCount: number
  readonly instanceCount: number
  readonly serverCount: number
  /** Whether Java instances take part, and instances of ours, too. */
  readonly kind: 'ours' | 'java' | 'mixed'
  /** When it fires next; undefined for a job that waits to be triggered, is paused or disabled. */
  readonly nextFireTime: Date | undefined
  /** Instances that take no part because `maxTimeDiffSeconds` refuses their clock. */
  readonly refusedClocks: readonly RefusedClock[]
  /**
   * What is wrong with its configuration, where it cannot be read; the fields from it are empty then. Else what is
   * wrong with the first of `broken`.
   */
  readonly problem: string | undefined
  /** The same with its parts, for other languages; absent if it is English alone. */
  readonly problemParts?: Message
  /** Nodes that cannot be read. */
  readonly broken: readonly BrokenPart[]
}

/** An instance that takes no part until its clock is right. */
export interface RefusedClock {
  readonly instance: string
  readonly server: string
  /** By how many milliseconds its clock was ahead of the registry's when it left; negative for behind. */
  readonly difference: number
}

/** A node of a job that cannot be read. */
export interface BrokenPart {
  readonly kind: BrokenNode['kind']
  readonly path: string
  /** The shard whose state it is. */
  readonly shard?: number
  /** What is wrong with it, and what would be right. */
  readonly reason: string
  /** The same with its parts, for other languages. */
  readonly messageParts: Message
}

/** A job with its configuration, instances, servers and shards. */
export interface JobDetail extends JobSummary {
  /** Undefined if it cannot be read: `problem` says why. */
  readonly configuration: JobConfiguration | undefined
  /** The version of the stored configuration, for a change that must not overwrite another. */
  readonly configurationVersion: number
  /** The id of the instance that leads. */
  readonly leader: string | undefined
  readonly shards: readonly ShardDetail[]
  readonly servers: readonly JobServer[]
  readonly instances: readonly JobInstance[]
  readonly manualRuns: JobManualRuns
  /** Whether a resharding is requested or in progress. */
  readonly resharding: 'requested' | 'under way' | undefined
}

/** The manual runs of a job: the previous, the running and the pending one. */
export interface JobManualRuns {
  /** The id of the last manual run that was asked for; 0 if none ever was. */
  readonly last: number
  readonly running: ManualRun | undefined
  readonly pending: ManualRun | undefined
  readonly previous: ManualRun | undefined
}

/** One shard of a job. */
export interface ShardDetail {
  readonly shard: number
  /** What it is given by `shardingItemParameters`. */
  readonly parameter: string | undefined
  /** As the console of 2.x and 3.x says it. */
  readonly status: ShardStatus
  /** As the console of 1.x says it. */
  readonly legacyStatus: LegacyShardStatus
  /** More exactly than any of Java's consoles. */
  readonly state: ShardPhase
  /** Why it would not run now, as text; undefined if nothing is in the way. */
  readonly obstacle: string | undefined
  /** The same with its parts, for other languages. */
  readonly obstacleParts?: Message
  /** The instance that owns it; undefined if nobody does. */
  readonly owner: string | undefined
  readonly server: string | undefined
  /** Whether the owner takes part at this moment. */
  readonly ownerOnline: boolean
  /** Who gets it when its present run ends. */
  readonly movesTo: string | undefined
  readonly disabled: boolean
  /** Who has taken it over from a crashed instance. */
  readonly failover: string | undefined
  /** What is known of its last run, or of the one that goes on; undefined if nothing was written down. */
  readonly run: ShardRun | undefined
  /** Whether its last run has ended well; what 1.x called completed. */
  readonly completed: boolean
  readonly lastBeginTime: Date | undefined
  readonly lastCompleteTime: Date | undefined
  readonly nextFireTime: Date | undefined
}

/** The current or the last run of a shard. */
export interface ShardRun {
  readonly runId: string
  readonly instance: string
  readonly source: RunSource | undefined
  readonly attempt: number
  /** The manual run that it belongs to; undefined unless it was triggered. */
  readonly manualRun: number | undefined
  readonly fireTime: Date | undefined
  readonly begin: Date
  /** Undefined while it runs. */
  readonly end: Date | undefined
  readonly outcome: RunOutcome | undefined
  readonly error: string | undefined
  /** An operator has asked for its end. */
  readonly stopping: boolean
}

/** One server in one job. */
export interface JobServer extends ServerState {
  readonly server: string
  /** The shards that its instances own. */
  readonly shards: readonly number[]
}

/** One instance in one job. */
export interface JobInstance {
  readonly instance: string
  readonly server: string
  /** The state that the job's configuration gives to its instances. */
  readonly label: string | undefined
  readonly java: boolean
  readonly leads: boolean
  /** An operator has asked it to leave. */
  readonly leaving: boolean
  readonly shards: readonly number[]
  /** Shards that it runs now. */
  readonly running: readonly number[]
}

/** One server in a list. */
export interface ServerSummary {
  readonly server: string
  /** Undefined unless it was asked for, and found. */
  readonly hostName: string | undefined
  readonly instances: readonly string[]
  readonly jobNames: readonly string[]
  readonly instanceCount: number
  readonly jobCount: number
  readonly disabledJobCount: number
  readonly pausedJobCount: number
  /** Jobs of which none of its instances is left, although nobody asked them to leave. */
  readonly crashedJobCount: number
}

/** A server with its jobs. */
export interface ServerDetail extends ServerSummary {
  readonly jobs: readonly ServerJob[]
}

/** One job on one server. */
export interface ServerJob extends ServerState {
  readonly jobName: string
}

/** One instance in a list: a process, by the id of its session. */
export interface InstanceSummary {
  readonly instance: string
  readonly server: string
  readonly java: boolean
  readonly jobNames: readonly string[]
  /** The jobs that it leads. */
  readonly leads: readonly string[]
}

/** A job's configuration as it is stored. */
export interface StoredText {
  /** The node's data, to the letter: comments and keys of others included. */
  readonly text: string
  /** Grows with every change. */
  readonly version: number
}

/** The configuration of a job as the registry has it. */
export interface StoredConfiguration extends StoredText {
  readonly configuration: JobConfiguration
  readonly changed: Date
  /** What is read otherwise than its author may expect. */
  readonly warnings: readonly Message[]
}

/** One key of a configuration that changes. */
export interface ConfigurationChange {
  readonly key: keyof JobConfiguration
  readonly from: unknown
  readonly to: unknown
}

/** A configuration that was changed. */
export interface ConfigurationUpdate {
  readonly jobName: string
  /** Empty if everything was so already; then nothing was written. */
  readonly changes: readonly ConfigurationChange[]
  readonly configuration: JobConfiguration
  readonly version: number
}

/** What a change would do. */
export interface ConfigurationPreview extends ConfigurationUpdate {
  /** Of what is stored now. */
  readonly version: number
  /** The node's data, to the letter, and what they would become. */
  readonly before: string
  readonly after: string
}
