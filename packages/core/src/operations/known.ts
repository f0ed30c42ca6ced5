/** Checks that the names that an operator passes exist. The error suggests a similar name. */
import { suggesting } from '../config/suggest.ts'
import { ElasticJobError } from '../errors.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { message, type Message } from '../message.ts'
import { serversOf } from './server-status.ts'

export function unknownJob(jobName: string, known: readonly string[]): ElasticJobError {
  const messageParts = message('job-unknown', { jobName })
  return new ElasticJobError('JOB_NOT_FOUND', suggesting(messageParts, jobName, known))
}

export function unknownServer(ip: string, known: readonly string[]): ElasticJobError {
  const messageParts = message('server-unknown', { server: ip })
  return new ElasticJobError('JOB_SERVER_NOT_FOUND', suggesting(messageParts, ip, known))
}

export function requireServer(view: JobView, ip: string): void {
  const known = serversOf(view)
  if (known.includes(ip)) return
  const messageParts = message('job-server-unknown', { jobName: view.jobName, server: ip })
  throw new ElasticJobError('JOB_SERVER_NOT_FOUND', suggesting(messageParts, ip, known))
}

export function requireInstance(view: JobView, instance: string): void {
  if (view.instances.has(instance)) return
  const messageParts = message('instance-unknown', { instance, jobName: view.jobName })
  const known = [...view.instances]
  throw new ElasticJobError('JOB_INSTANCE_NOT_FOUND', suggesting(messageParts, instance, known))
}

/** `total`: the number of shards of the job. */
export function requireShard({ jobName }: JobView, shard: number, total: number): void {
  if (Number.isInteger(shard) && shard >= 0 && shard < total) return
  throw new ElasticJobError(
    'JOB_SHARD_NOT_FOUND',
    message('shard-unknown', { jobName, shard, shards: shardsUpTo(total) }),
  )
}

function shardsUpTo(total: number): Message {
  if (total === 0) return message('shards-none')
  return total === 1 ? message('shards-one') : message('shards-range', { last: total - 1 })
}
