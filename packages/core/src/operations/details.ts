/** Descriptions of jobs, servers, instances and shards for operators. */
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
  /** The status in the terms of the consoles of 2.x and 3.x. */
  readonly status: JobStatus
  /** The status in the terms of the console of 1.x. */
  readonly legacyStatus: LegacyJobStatus
  /** Whether the schedule of the whole job is paused. */
  readonly paused: boolean
  /** The servers on which the schedule is paused. */
  readonly pausedServers: readonly string[]
  /** Whether the job is being removed: its instances leave, and none may join. */
  readonly removing: boolean
  readonly description: string
  readonly cron: string | undefined
  readonly timeZone: string | undefined
  readonly shardingTotalCount: number
  readonly instanceCount: number
  readonly serverCount: number
  /** The kind of instances that take part: native (`ours`), Java, or both. */
  readonly kind: 'ours' | 'java' | 'mixed'
  /** The next fire time; undefined for a job without a schedule, and for one that is paused or disabled. */
  readonly nextFireTime: Date | undefined
  /** Instances that take no part because `maxTimeDiffSeconds` refuses their clock. */
  readonly refusedClocks: readonly RefusedClock[]
  /**
   * The problem of an unreadable configuration; the fields from the configuration are empty then. Otherwise the problem
   * of the first node in `broken`.
   */
  readonly problem: string | undefined
  /** The same as a message for translation; absent if the text exists in English only. */
  readonly problemParts?: Message
  /** The unreadable nodes. */
  readonly broken: readonly BrokenPart[]
}

/** An instance that takes no part until its clock is right. */
export interface RefusedClock {
  readonly instance: string
  readonly server: string
  /** By how many milliseconds its clock was ahead of the registry's when it left; negative if it was behind. */
  readonly difference: number
}

/** An unreadable node of a job. */
export interface BrokenPart {
  readonly kind: BrokenNode['kind']
  readonly path: string
  /** The shard, if the node is a shard state. */
  readonly shard?: number
  /** The problem, and the expected content. */
  readonly reason: string
  /** The same as a message for translation. */
  readonly messageParts: Message
}

/** A job with its configuration, instances, servers and shards. */
export interface JobDetail extends JobSummary {
  /** Undefined if it is unreadable; `problem` gives the reason. */
  readonly configuration: JobConfiguration | undefined
  /** The version of the stored configuration, for an update that must not overwrite a concurrent one. */
  readonly configurationVersion: number
  /** The instance id of the leader. */
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
  /** The id of the last requested manual run; 0 if there was none. */
  readonly last: number
  readonly running: ManualRun | undefined
  readonly pending: ManualRun | undefined
  readonly previous: ManualRun | undefined
}

/** One shard of a job. */
export interface ShardDetail {
  readonly shard: number
  /** Its parameter from `shardingItemParameters`. */
  readonly parameter: string | undefined
  /** The status in the terms of the consoles of 2.x and 3.x. */
  readonly status: ShardStatus
  /** The status in the terms of the console of 1.x. */
  readonly legacyStatus: LegacyShardStatus
  /** The exact state, which Java's consoles do not distinguish. */
  readonly state: ShardPhase
  /** Why the shard would not run now, as text; undefined if nothing prevents it. */
  readonly obstacle: string | undefined
  /** The same as a message for translation. */
  readonly obstacleParts?: Message
  /** The instance that owns the shard; undefined if it has no owner. */
  readonly owner: string | undefined
  readonly server: string | undefined
  /** Whether the owner currently takes part in the job. */
  readonly ownerOnline: boolean
  /** The instance that gets the shard when its current run ends. */
  readonly movesTo: string | undefined
  readonly disabled: boolean
  /** The instance that has taken over the shard from a crashed one. */
  readonly failover: string | undefined
  /** The current or the last run; undefined if none is recorded. */
  readonly run: ShardRun | undefined
  /** Whether its last run succeeded; 1.x calls it completed. */
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
  /** The manual run that it belongs to; undefined for other runs. */
  readonly manualRun: number | undefined
  readonly fireTime: Date | undefined
  readonly begin: Date
  /** Undefined while it runs. */
  readonly end: Date | undefined
  readonly outcome: RunOutcome | undefined
  readonly error: string | undefined
  /** Whether an operator has requested its end. */
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
  /** The label that the job's configuration gives to its instances. */
  readonly label: string | undefined
  readonly java: boolean
  readonly leads: boolean
  /** Whether an operator has asked it to leave. */
  readonly leaving: boolean
  readonly shards: readonly number[]
  /** The shards that it runs now. */
  readonly running: readonly number[]
}

/** One server in a list. */
export interface ServerSummary {
  readonly server: string
  /** Undefined unless it was requested and found. */
  readonly hostName: string | undefined
  readonly instances: readonly string[]
  readonly jobNames: readonly string[]
  readonly instanceCount: number
  readonly jobCount: number
  readonly disabledJobCount: number
  readonly pausedJobCount: number
  /**
   * The number of jobs that have no instance left on this server, although no operator asked the instances to leave.
   */
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

/** One instance in a list: a process, identified by the id of its session. */
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
  /** The exact data of the node, with comments and with keys of other tools. */
  readonly text: string
  /** Increases with every change. */
  readonly version: number
}

/** The stored configuration of a job. */
export interface StoredConfiguration extends StoredText {
  readonly configuration: JobConfiguration
  readonly changed: Date
  /** Settings whose effect may differ from what their author expects. */
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
  /** Empty if the configuration was already as requested; then nothing was written. */
  readonly changes: readonly ConfigurationChange[]
  readonly configuration: JobConfiguration
  readonly version: number
}

/** The effect that a change would have. */
export interface ConfigurationPreview extends ConfigurationUpdate {
  /** The version that is stored now. */
  readonly version: number
  /** The exact data of the node before and after the change. */
  readonly before: string
  readonly after: string
}
