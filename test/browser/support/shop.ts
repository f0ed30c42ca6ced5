/** The jobs of the shop that the console's page is tried with: some well, some not. */
import type { JobOptions } from '@elasticjob/core'

/** What a run of a job does, in words that the worker understands. */
export type Conduct = 'quick' | 'steady' | 'long' | 'failing'

export interface ShopJob extends JobOptions {
  readonly runAction: Conduct
}

export const shopJobs: readonly ShopJob[] = [
  {
    jobName: 'sync-orders',
    description: 'Brings orders of all regions to the warehouse',
    cron: '0/5 * * * * ?',
    timeZone: 'Asia/Shanghai',
    shardingTotalCount: 6,
    shardingItemParameters: {
      0: 'Beijing',
      1: 'Shanghai',
      2: 'Guangzhou',
      3: 'Shenzhen',
      4: 'Chengdu',
      5: 'Hangzhou',
    },
    failover: true,
    runAction: 'steady',
  },
  {
    jobName: 'count-stock',
    description: 'Counts what is left',
    cron: '0/4 * * * * ?',
    shardingTotalCount: 4,
    runAction: 'quick',
  },
  {
    jobName: 'bill-customers',
    description: 'Fails for one of its shards',
    cron: '0/6 * * * * ?',
    shardingTotalCount: 3,
    jobErrorHandlerType: 'IGNORE',
    runAction: 'failing',
  },
  {
    jobName: 'rebuild-index',
    description: 'Takes its time, and writes about it',
    shardingTotalCount: 2,
    failover: true,
    runAction: 'long',
  },
  {
    jobName: 'send-newsletter',
    description: 'Every weekday in the morning',
    cron: '0 30 9 ? * MON-FRI',
    timeZone: 'Europe/Berlin',
    shardingTotalCount: 12,
    runAction: 'quick',
  },
  {
    jobName: '<img src=x onerror=alert(1)>',
    description: '<script>document.title="taken"</script>',
    cron: '0 0 3 * * ?',
    shardingTotalCount: 1,
    shardingItemParameters: { 0: '<b>bold</b>' },
    runAction: 'quick',
  },
]
