/**
 * What a worker is told and says, be it Java's or ours: a command a line, an answer a line, as JSON. It
 * says an empty answer first, when it is connected; the end of its input ends it.
 */

/** A worker's one argument. */
export interface WorkerOptions {
  readonly servers: string
  readonly namespace: string
  /** In milliseconds; 0 is the scheduler's own default. */
  readonly sessionTimeout: number
  /** One for each instance that the process is. */
  readonly ips: readonly string[]
}

export interface WantedJob {
  readonly name: string
  readonly cron: string
  readonly shards: number
  readonly failover: boolean
  /** Whether its body never ends; otherwise it does nothing. */
  readonly lingers: boolean
}

export type Command =
  /** Every instance takes part in these jobs. */
  | { readonly do: 'start'; readonly jobs: readonly WantedJob[] }
  | { readonly do: 'stop'; readonly job: string }
  /** Forgets what has run. */
  | { readonly do: 'clear' }
  | { readonly do: 'runs' }
  /** Collects garbage, so that memory can be compared. */
  | { readonly do: 'collect' }
  /** Ours alone: fires of one job, as the process itself saw them, once there are so many more. */
  | { readonly do: 'own-fires'; readonly count: number }
  /** Ours alone: two transactions like those of a fire, without a scheduler. */
  | {
      readonly do: 'bare'
      readonly job: string
      readonly shards: number
      readonly failover: boolean
      readonly count: number
    }

export interface Started {
  /** The ids of the instances. */
  readonly instances: readonly string[]
  /** From the first call to the last job that takes part; of ours also: that has its shards. */
  readonly milliseconds: number
}

/** Job, shard, scheduled time and time of the first line of its code, in milliseconds since 1970. */
export type RunLine = readonly [job: string, item: number, fire: number, at: number]

/** How long fires took, in milliseconds. */
export interface FireTimes {
  /** From the moment when the scheduler saw its clock show the time until the registry knew the last end. */
  readonly sinceDue: readonly number[]
  /** And what the claim took before that time. */
  readonly withClaim: readonly number[]
}

/** Milliseconds of two transactions, one after the other. */
export interface BareTransactions {
  /** Once a second, as often as a fire. */
  readonly paced: readonly number[]
  /** As fast as they can. */
  readonly hot: readonly number[]
  /** Once a second, while two clients are told of every mark that comes and goes. */
  readonly watched: readonly number[]
}
