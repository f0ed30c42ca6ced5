/** Names that an operator gives have to exist; if one does not, the error says which one may be meant. */
import { suggest } from '../config/suggest.ts'
import { ElasticJobError } from '../errors.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { serversOf } from './server-status.ts'

export function unknownJob(jobName: string, known: readonly string[]): ElasticJobError {
  return new ElasticJobError(
    'JOB_NOT_FOUND',
    `there is no job "${jobName}" in this namespace${suggest(jobName, known)}`,
  )
}

export function unknownServer(ip: string, known: readonly string[]): ElasticJobError {
  return new ElasticJobError(
    'JOB_SERVER_NOT_FOUND',
    `no job of this namespace has a server "${ip}"${suggest(ip, known)}`,
  )
}

export function requireServer(view: JobView, ip: string): void {
  const known = serversOf(view)
  if (known.includes(ip)) return
  throw new ElasticJobError(
    'JOB_SERVER_NOT_FOUND',
    `job ${view.jobName} has no server "${ip}"${suggest(ip, known)}`,
  )
}

export function requireInstance(view: JobView, instance: string): void {
  if (view.instances.has(instance)) return
  throw new ElasticJobError(
    'JOB_INSTANCE_NOT_FOUND',
    `no instance "${instance}" takes part in job ${view.jobName}${suggest(instance, [...view.instances])}`,
  )
}

/** `total`: how many items the job has. */
export function requireItem({ jobName }: JobView, item: number, total: number): void {
  if (Number.isInteger(item) && item >= 0 && item < total) return
  const known =
    total === 0 ? 'none that is known' : total === 1 ? 'one item, 0' : `items 0 to ${total - 1}`
  throw new ElasticJobError(
    'JOB_ITEM_NOT_FOUND',
    `job ${jobName} has no item ${item}: it has ${known}`,
  )
}
