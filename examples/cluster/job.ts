/** The job that the workers share. */
export const sampleJob = {
  jobName: 'sync-orders',
  cron: '0/5 * * * * ?',
  shardingTotalCount: 6,
} as const
