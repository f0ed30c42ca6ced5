import type { RunOptions } from './run-options.ts'

/**
 * A job's configuration as it is kept in the registry: every key of ElasticJob 3.0.5, under its own
 * name. Keys that Java does not know would make Java instances fail, so ours live in `props`.
 */
export interface JobConfiguration {
  readonly jobName: string
  /** When it fires; undefined for a one-off job, which runs when it is told to. */
  readonly cron: string | undefined
  /** The zone that the cron expression is read in; undefined for that of each process. */
  readonly timeZone: string | undefined
  readonly shardingTotalCount: number
  /** As it is stored: `0=Beijing,1=Shanghai`. */
  readonly shardingItemParameters: string
  readonly jobParameter: string
  readonly monitorExecution: boolean
  readonly failover: boolean
  readonly misfire: boolean
  readonly maxTimeDiffSeconds: number
  readonly reconcileIntervalMinutes: number
  /** Undefined means AVG_ALLOCATION; a new job is stored with ROUND_ROBIN. */
  readonly jobShardingStrategyType: string | undefined
  /** Undefined means without a limit. */
  readonly jobExecutorThreadPoolSizeProviderType: string | undefined
  /** Undefined means LOG. */
  readonly jobErrorHandlerType: string | undefined
  readonly jobListenerTypes: readonly string[]
  /** Each the YAML text of one element, its tag included. Kept for Java instances, never interpreted. */
  readonly jobExtraConfigurations: readonly string[]
  readonly description: string
  readonly props: Readonly<Record<string, string>>
  readonly disabled: boolean
  readonly overwrite: boolean
  readonly label: string | undefined
  readonly staticSharding: boolean
}

/** A job as its author describes it. The names are ElasticJob's own. */
export interface JobOptions extends RunOptions {
  /** The name by which the fleet knows the job; also the name of its node in the registry. */
  readonly jobName: string
  /**
   * When the job fires, in Quartz's dialect: `0/10 * * * * ?` is every ten seconds.
   * @default none: a one-off job, which runs when it is triggered
   */
  readonly cron?: string | undefined
  /**
   * The zone that the cron expression is read in, such as `Europe/Berlin` or `GMT+08:00`. Java
   * instances take only the second form.
   * @default the zone of each process
   */
  readonly timeZone?: string | undefined
  /** Into how many shards the job is divided. Each shard runs on one instance at a time. */
  readonly shardingTotalCount: number
  /**
   * What each shard is given: `{ 0: 'Beijing', 1: 'Shanghai' }`, or the same as text,
   * `0=Beijing,1=Shanghai`.
   * @default {}
   */
  readonly shardingItemParameters?: string | Readonly<Record<number, string>> | undefined
  /**
   * What every shard is given.
   * @default ''
   */
  readonly jobParameter?: string | undefined
  /**
   * Whether the registry knows what runs. Without it there is no failover, no misfire, no protection
   * against two runs of a shard, and nothing to see; it spares two writes a run, for jobs of
   * milliseconds.
   * @default true
   */
  readonly monitorExecution?: boolean | undefined
  /**
   * Whether what a crashed instance was running is run again at once by another one. Needs
   * `monitorExecution`.
   * @default false
   */
  readonly failover?: boolean | undefined
  /**
   * Whether a fire that came while the shard was still running is made up for when it ends.
   * @default true
   */
  readonly misfire?: boolean | undefined
  /**
   * How far the clock of an instance may be from the registry's, in seconds; beyond it the instance
   * does not run the job. -1 does not look.
   * @default -1
   */
  readonly maxTimeDiffSeconds?: number | undefined
  /**
   * How often the leader looks for what went wrong unnoticed, in minutes. Below 1 it does not.
   * @default 10
   */
  readonly reconcileIntervalMinutes?: number | undefined
  /**
   * How shards are given to instances: AVG_ALLOCATION, ODEVITY, ROUND_ROBIN, SINGLE_SHARDING_BALANCE,
   * STICKY, SPREAD, or a strategy of your own by its name.
   * @default 'ROUND_ROBIN' for a new job; an existing one keeps its own, and AVG_ALLOCATION if it has none
   */
  readonly jobShardingStrategyType?: string | undefined
  /**
   * How many shards of the job run at once on an instance: CPU (twice the number of processors),
   * SINGLE_THREAD (one), or a number.
   * @default without a limit
   */
  readonly jobExecutorThreadPoolSizeProviderType?: string | undefined
  /**
   * What becomes of a failure: LOG, THROW, IGNORE, or a handler by its name.
   * @default 'LOG'
   */
  readonly jobErrorHandlerType?: string | undefined
  /**
   * Listeners around the job, by their names.
   * @default []
   */
  readonly jobListenerTypes?: readonly string[] | undefined
  /**
   * Settings of extensions for Java instances, each the YAML text of one element, its tag included.
   * @default []
   */
  readonly jobExtraConfigurations?: readonly string[] | undefined
  /**
   * For people.
   * @default ''
   */
  readonly description?: string | undefined
  /**
   * Settings of the job's type, its error handler and of this library.
   * @default {}
   */
  readonly props?: Readonly<Record<string, string | number | boolean>> | undefined
  /**
   * Whether an instance that registers for the first time is disabled until an operator enables it.
   * @default false
   */
  readonly disabled?: boolean | undefined
  /**
   * Whether this description replaces what the registry has. Without it, the registry's stands.
   * @default false
   */
  readonly overwrite?: boolean | undefined
  /**
   * A free text of the operator, stored and shown.
   * @default none
   */
  readonly label?: string | undefined
  /**
   * Whether shards stay with their living owners, whoever joins.
   * @default false
   */
  readonly staticSharding?: boolean | undefined
  /**
   * The class that Java instances of the same job have. It guards against two jobs under one name
   * and is not part of the stored configuration. A job that names a class or a type in the registry is
   * joined only by a program that names the same.
   * @default none, or the type of a body that has one, such as SCRIPT
   */
  readonly jobClass?: string | undefined
}

/** What holds for every option that is left out. */
export const jobDefaults: Readonly<Omit<JobConfiguration, 'jobName' | 'shardingTotalCount'>> =
  Object.freeze({
    cron: undefined,
    timeZone: undefined,
    shardingItemParameters: '',
    jobParameter: '',
    monitorExecution: true,
    failover: false,
    misfire: true,
    maxTimeDiffSeconds: -1,
    reconcileIntervalMinutes: 10,
    jobShardingStrategyType: undefined,
    jobExecutorThreadPoolSizeProviderType: undefined,
    jobErrorHandlerType: undefined,
    jobListenerTypes: Object.freeze([]),
    jobExtraConfigurations: Object.freeze([]),
    description: '',
    props: Object.freeze({}),
    disabled: false,
    overwrite: false,
    label: undefined,
    staticSharding: false,
  })

type JobKey = keyof JobConfiguration

/** What each key holds, in the order in which Java writes them. */
export const jobKeys: Readonly<
  Record<JobKey, 'text' | 'number' | 'flag' | 'texts' | 'extras' | 'props'>
> = Object.freeze({
  cron: 'text',
  description: 'text',
  disabled: 'flag',
  failover: 'flag',
  jobErrorHandlerType: 'text',
  jobExecutorThreadPoolSizeProviderType: 'text',
  jobExtraConfigurations: 'extras',
  jobListenerTypes: 'texts',
  jobName: 'text',
  jobParameter: 'text',
  jobShardingStrategyType: 'text',
  label: 'text',
  maxTimeDiffSeconds: 'number',
  misfire: 'flag',
  monitorExecution: 'flag',
  overwrite: 'flag',
  props: 'props',
  reconcileIntervalMinutes: 'number',
  shardingItemParameters: 'text',
  shardingTotalCount: 'number',
  staticSharding: 'flag',
  timeZone: 'text',
})
