import { ElasticJob, type ElasticJobOptions } from '@elasticjob/core'

/** An instance for a measurement: whatever goes wrong ends it. */
export async function connect(
  servers: string,
  namespace: string,
  options: Partial<ElasticJobOptions> = {},
): Promise<ElasticJob> {
  const jobs = await ElasticJob.connect({ servers, namespace, logger: false, ...options })
  jobs.on('error:unhandled', ({ error }) => {
    throw error
  })
  return jobs
}

/** A job that fires when nobody measures any more. */
export const never = '0 0 0 1 1 ? 2199'

export async function noOp(): Promise<void> {}
