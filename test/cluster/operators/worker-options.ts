/** What such a process is told, as an argument. */
export interface InsistentOptions {
  readonly servers: string
  readonly namespace: string
  readonly ip: string
  readonly jobNames: readonly string[]
  readonly logFile: string
}

/** A run as it writes it down, when its code begins. */
export interface LoggedRun {
  readonly jobName: string
  readonly shardingItem: number
  readonly fireTime: number
  readonly source: string
  readonly attempt: number
}
