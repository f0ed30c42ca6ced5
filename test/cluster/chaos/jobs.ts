/** The jobs of a chaos run: one for each way in which a job may be set up, all of them busy. */
import type { JobOptions } from '@elasticjob/core'

export interface ChaosJob {
  readonly options: JobOptions & { readonly failover: boolean; readonly misfire: boolean }
  /** How far apart its scheduled times are, in milliseconds; undefined for one that is only triggered. */
  readonly period: number | undefined
  /** How long its code works, at least and at most, in milliseconds. */
  readonly work: readonly [number, number]
  /** Whether its code saves an offset as it goes on. */
  readonly savesOffset: boolean
}

function every(
  seconds: number,
  jobName: string,
  shardingTotalCount: number,
  work: readonly [number, number],
  more: {
    failover?: boolean
    misfire?: boolean
    savesOffset?: boolean
    props?: Readonly<Record<string, string>>
  } = {},
): ChaosJob {
  const { failover = true, misfire = true, savesOffset = false, props = {} } = more
  const cron = cronOf(seconds * 1000)
  return {
    options: { jobName, cron, shardingTotalCount, failover, misfire, props },
    period: seconds * 1000,
    work,
    savesOffset,
  }
}

/** The expression that fires at the multiples of a period that divides a minute. */
export function cronOf(period: number): string {
  return `0/${period / 1000} * * * * ?`
}

export const chaosJobs: readonly ChaosJob[] = [
  every(2, 'failing-over', 6, [100, 900], { savesOffset: true }),
  every(2, 'at-most-once', 5, [100, 900], { failover: false }),
  // Often longer than its period: what comes meanwhile is dropped.
  every(3, 'without-misfire', 4, [500, 4500], { misfire: false }),
  // Longer than a session: an instance that dies has nearly always left something.
  every(10, 'long', 4, [4000, 12_000], { savesOffset: true }),
  every(5, 'more-items-than-instances', 20, [100, 1500]),
  every(2, 'all-caught-up', 3, [50, 300], { props: { 'catch.up': 'all' } }),
  every(5, 'caught-up-once', 3, [50, 500], { failover: false, props: { 'catch.up': 'once' } }),
  {
    options: { jobName: 'triggered', shardingTotalCount: 6, failover: true, misfire: true },
    period: undefined,
    work: [100, 3000],
    savesOffset: false,
  },
]

/** A job with a schedule. */
export type CronJob = ChaosJob & { readonly period: number }

export const cronJobs: readonly CronJob[] = chaosJobs.filter(
  (job): job is CronJob => job.period !== undefined,
)

export const triggeredJob = 'triggered'

/** Different for every shard and time, and the same whoever runs it. */
export function workTime(
  { work: [least, most] }: ChaosJob,
  shard: number,
  fireTime: number,
): number {
  const mixed = Math.imul(Math.floor(fireTime / 1000) + shard * 7919, 0x9e3779b1) >>> 0
  return least + (mixed % (most - least + 1))
}
