import type { RunOptions } from './run-options.ts'

/**
 * The configuration of a job as the registry stores it: every key of ElasticJob 3.0.5, under its own name. Java
 * instances fail on keys that they do not know, so the additional settings are in `props`.
 */
export interface JobConfiguration {
  readonly jobName: string
  /** The cron expression; undefined for a one-off job, which runs when it is triggered. */
  readonly cron: string | undefined
  /** The time zone of the cron expression; undefined for the zone of each process. */
  readonly timeZone: string | undefined
  readonly shardingTotalCount: number
  /** In stored form: `0=Beijing,1=Shanghai`. */
  readonly shardingItemParameters: string
  readonly jobParameter: string
  readonly monitorExecution: boolean
  readonly failover: boolean
  readonly misfire: boolean
  readonly maxTimeDiffSeconds: number
  readonly reconcileIntervalMinutes: number
  /** Undefined means AVG_ALLOCATION; a new job is stored with ROUND_ROBIN. */
  readonly jobShardingStrategyType: string | undefined
  /** Undefined means no limit. */
  readonly jobExecutorThreadPoolSizeProviderType: string | undefined
  /** Undefined means LOG. */
  readonly jobErrorHandlerType: string | undefined
  readonly jobListenerTypes: readonly string[]
  /** The YAML text of each element, with its tag. Stored for Java instances, never interpreted. */
  readonly jobExtraConfigurations: readonly string[]
  readonly description: string
  readonly props: Readonly<Record<string, string>>
  readonly disabled: boolean
  readonly overwrite: boolean
  readonly label: string | undefined
  readonly staticSharding: boolean
}

/** The options of a job. The names are ElasticJob's own. */
export interface JobOptions extends RunOptions {
  /** The name of the job, the same on all instances; also the name of its node in the registry. */
  readonly jobName: string
  /**
   * The cron expression in Quartz syntax: `0/10 * * * * ?` fires every ten seconds.
   * @default none: a one-off job, which runs when it is triggered
   */
  readonly cron?: string | undefined
  /**
   * The time zone of the cron expression, such as `Europe/Berlin` or `GMT+08:00`. Java instances accept only the second
   * form.
   * @default the zone of each process
   */
  readonly timeZone?: string | undefined
  /** The number of shards (ElasticJob calls them sharding items). Each shard runs on one instance at a time. */
  readonly shardingTotalCount: number
  /**
   * The parameter of each shard: `{ 0: 'Beijing', 1: 'Shanghai' }`, or the same as text, `0=Beijing,1=Shanghai`.
   * @default {}
   */
  readonly shardingItemParameters?: string | Readonly<Record<number, string>> | undefined
  /**
   * The parameter of all shards.
   * @default ''
   */
  readonly jobParameter?: string | undefined
  /**
   * Whether the registry records runs. Without it there is no failover, no misfire, no protection against two
   * concurrent runs of a shard, and no run state to inspect. It saves two writes per run, for jobs that take
   * milliseconds.
   * @default true
   */
  readonly monitorExecution?: boolean | undefined
  /**
   * Whether another instance repeats the runs of a crashed instance at once. Requires `monitorExecution`.
   * @default false
   */
  readonly failover?: boolean | undefined
  /**
   * Whether a fire time that passes while the shard is still running is run when the shard's run ends.
   * @default true
   */
  readonly misfire?: boolean | undefined
  /**
   * The maximum difference between the clocks of an instance and the registry, in seconds. An instance beyond it does
   * not run the job. -1 disables the check.
   * @default -1
   */
  readonly maxTimeDiffSeconds?: number | undefined
  /**
   * How often the leader checks the job for inconsistencies, in minutes. A value below 1 disables the check.
   * @default 10
   */
  readonly reconcileIntervalMinutes?: number | undefined
  /**
   * The strategy that assigns shards to instances: AVG_ALLOCATION, ODEVITY, ROUND_ROBIN, SINGLE_SHARDING_BALANCE,
   * STICKY, SPREAD, or the name of a custom strategy.
   * @default 'ROUND_ROBIN' for a new job; an existing job keeps its strategy, or AVG_ALLOCATION if it has none
   */
  readonly jobShardingStrategyType?: string | undefined
  /**
   * How many shards of the job run concurrently on an instance: CPU (twice the number of processors), SINGLE_THREAD
   * (one), or a number.
   * @default no limit
   */
  readonly jobExecutorThreadPoolSizeProviderType?: string | undefined
  /**
   * The handler of failures: LOG, THROW, IGNORE, or the name of a custom handler.
   * @default 'LOG'
   */
  readonly jobErrorHandlerType?: string | undefined
  /**
   * The names of the job's listeners.
   * @default []
   */
  readonly jobListenerTypes?: readonly string[] | undefined
  /**
   * Settings of extensions for Java instances: the YAML text of each element, with its tag.
   * @default []
   */
  readonly jobExtraConfigurations?: readonly string[] | undefined
  /**
   * A description for operators.
   * @default ''
   */
  readonly description?: string | undefined
  /**
   * Settings of the job type, of the error handler and of this library.
   * @default {}
   */
  readonly props?: Readonly<Record<string, string | number | boolean>> | undefined
  /**
   * Whether an instance that registers for the first time is disabled until an operator enables it.
   * @default false
   */
  readonly disabled?: boolean | undefined
  /**
   * Whether these options replace the stored configuration. Without it, the stored configuration stays in effect.
   * @default false
   */
  readonly overwrite?: boolean | undefined
  /**
   * A free text for operators, stored and displayed.
   * @default none
   */
  readonly label?: string | undefined
  /**
   * Whether shards stay with their live owners when other instances join.
   * @default false
   */
  readonly staticSharding?: boolean | undefined
  /**
   * The class of Java instances of the same job. It protects against two jobs with the same name and is not part of the
   * stored configuration. If the registry stores a class or a type for the job, only a program with the same one can
   * join.
   * @default none, or the type of a body that has one, such as SCRIPT
   */
  readonly jobClass?: string | undefined
}

/** The defaults of the options. */
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

/** The kind of value of each key, in the order in which Java writes the keys. */
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
