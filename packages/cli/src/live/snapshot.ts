/** Everything that a view shows, read at one moment. */
import { isElasticJobError } from '@elasticjob/core'
import type { JobDetail, Operations } from '@elasticjob/core/operations'

export interface Snapshot {
  readonly time: Date
  readonly namespace: string
  readonly jobCount: number
  readonly jobs: readonly JobDetail[]
}

/** The maximum number of concurrent reads of jobs. */
const askedAtOnce = 16

/**
 * The jobs in detail, the first `limit` of them: each costs requests, and a screen has so many lines.
 * @param wanted names of jobs; empty for all
 */
export async function readSnapshot(
  operations: Operations,
  { wanted, limit, time }: { wanted: readonly string[]; limit: number; time: Date },
): Promise<Snapshot> {
  const all = wanted.length > 0 ? wanted : await operations.jobNames()
  const names = all.slice(0, limit)
  const jobs: JobDetail[] = []
  for (let at = 0; at < names.length; at += askedAtOnce) {
    const some = names.slice(at, at + askedAtOnce).map((name) => present(operations, name, wanted))
    jobs.push(...(await Promise.all(some)).filter((job) => job !== undefined))
  }
  return { time, namespace: operations.namespace, jobCount: all.length, jobs }
}

/** A job may be removed during the view; a job that was named must exist. */
async function present(
  operations: Operations,
  name: string,
  wanted: readonly string[],
): Promise<JobDetail | undefined> {
  try {
    return await operations.job(name)
  } catch (error) {
    if (wanted.length === 0 && isElasticJobError(error, 'JOB_NOT_FOUND')) return undefined
    throw error
  }
}
