/** What an operator is told of jobs, servers, instances and items. */
import type { JobConfiguration } from '../config/job-configuration.ts'
import type { RunOutcome, RunSource } from '../events.ts'
import type { Round } from '../job-tree/job-word.ts'
import type { Sentence } from '../sentence.ts'
import type { JobStatus, LegacyJobStatus } from './job-status.ts'
import type { ServerStatus } from './server-status.ts'
import type { LegacyShardStatus, ShardState, ShardStatus } from './shard-status.ts'

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
  /** What is wrong with its configuration, where it cannot be read; the fields from it are empty then. */
  readonly problem: string | undefined
  /** The same with its parts, for other languages; absent if it is English alone. */
  readonly problemSaid?: Sentence
}

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
  readonly rounds: JobRounds
  /** Whether the items are to be dealt out anew, or are being so. */
  readonly resharding: 'requested' | 'under way' | undefined
}

export interface JobRounds {
  /** The id of the last round that was asked for; 0 if none ever was. */
  readonly last: number
  readonly running: Round | undefined
  readonly pending: Round | undefined
  readonly previous: Round | undefined
}

/** One item of a job. */
export interface ShardDetail {
  readonly item: number
  /** What it is given by `shardingItemParameters`. */
  readonly parameter: string | undefined
  /** As the console of 2.x and 3.x says it. */
  readonly status: ShardStatus
  /** As the console of 1.x says it. */
  readonly legacyStatus: LegacyShardStatus
  /** More exactly than any of Java's consoles. */
  readonly state: ShardState
  /** Why it would not run now, in words; undefined if nothing is in the way. */
  readonly obstacle: string | undefined
  /** The same with its parts, for other languages. */
  readonly obstacleSaid?: Sentence
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

export interface ShardRun {
  readonly runId: string
  readonly instance: string
  readonly source: RunSource | undefined
  readonly attempt: number
  /** The round that it belongs to; undefined unless it was triggered. */
  readonly round: number | undefined
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
export interface JobServer {
  readonly server: string
  /** As the console of 1.x says it. */
  readonly status: ServerStatus
  readonly enabled: boolean
  readonly paused: boolean
  readonly instances: readonly string[]
  /** The items that its instances own. */
  readonly items: readonly number[]
}

/** One instance in one job. */
export interface JobInstance {
  readonly instance: string
  readonly server: string
  /** The word that the job's configuration gives to its instances. */
  readonly label: string | undefined
  readonly java: boolean
  readonly leads: boolean
  /** An operator has asked it to leave. */
  readonly leaving: boolean
  readonly items: readonly number[]
  /** Items that it runs now. */
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

export interface ServerDetail extends ServerSummary {
  readonly jobs: readonly ServerJob[]
}

/** One job on one server. */
export interface ServerJob {
  readonly jobName: string
  readonly status: ServerStatus
  readonly enabled: boolean
  readonly paused: boolean
  readonly instances: readonly string[]
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
export interface StoredConfiguration {
  readonly configuration: JobConfiguration
  /** The node's data, to the letter: comments and keys of others included. */
  readonly text: string
  /** Grows with every change. */
  readonly version: number
  readonly changed: Date
  /** What is read otherwise than its author may expect. */
  readonly warnings: readonly Sentence[]
}

export interface ConfigurationChange {
  readonly key: keyof JobConfiguration
  readonly from: unknown
  readonly to: unknown
}

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
