/** What a worker is told, as an argument. */
export interface WorkerOptions {
  readonly worker: number
  readonly servers: string
  readonly namespace: string
  /** An address of its own, so that it can be disabled alone. */
  readonly ip: string
  readonly logFile: string
  readonly jobs: readonly WorkerJob[]
}

export interface WorkerJob {
  readonly jobName: string
  readonly shardingTotalCount: number
  readonly props: Readonly<Record<string, string>>
}

/** The event that it writes down when it was kept from doing anything, by the machine or by itself. */
export const stallEvent = 'worker:stalled'
