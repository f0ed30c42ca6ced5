/** What the schedulers are told beyond their defaults; the report prints it. */

/** How soon a crash is to be noticed by those that are told so, in milliseconds. */
const noticed = 4_000

export const elasticJob = {
  crash: {
    defaults: {},
    /** A session as short as this needs a server that counts time in steps shorter than its 2 s. */
    quick: { sessionTimeoutMilliseconds: noticed, serverTickTime: 500, abortTime: 500 },
  },
} as const

export const bullMq = {
  /** The concurrency of the guide's example; done jobs are not kept, in its words for that. */
  worker: { concurrency: 50, removeOnComplete: { count: 0 } },
  crash: { defaults: {}, quick: { lockDuration: noticed, stalledInterval: 1_000 } },
} as const

export const pgBoss = {
  /** The shortest pause between two looks into a queue that it accepts; the default is 2 s. */
  worker: { pollingIntervalSeconds: 0.5 },
  /** How many jobs a look into a queue takes at most; the default is one. */
  batchSize: 10_000,
  crash: {
    defaults: { boss: {}, queue: {} },
    quick: {
      boss: { maintenanceIntervalSeconds: 1 },
      queue: { expireInSeconds: noticed / 1_000 },
    },
  },
} as const

export const agenda = {
  /** How often it looks for jobs. The default of 5 s would skip four of five fires. */
  processEvery: { second: 1_000, minute: 5_000 },
  crash: {
    defaults: { agenda: {}, job: {} },
    quick: { agenda: { processEvery: 1_000 }, job: { lockLifetime: noticed } },
  },
} as const

/** How often a job says that it lives, where a scheduler wants to hear it. */
export const touchEvery: number = noticed / 4
