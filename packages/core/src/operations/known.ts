/** Names that an operator gives have to exist; if one does not, the error says which one may be meant. */
import { suggesting } from '../config/suggest.ts'
import { ElasticJobError } from '../errors.ts'
import type { JobView } from '../job-tree/job-view.ts'
import { say, type Sentence } from '../sentence.ts'
import { serversOf } from './server-status.ts'

export function unknownJob(jobName: string, known: readonly string[]): ElasticJobError {
  const said = say`there is no job "${jobName}" in this namespace`
  return new ElasticJobError('JOB_NOT_FOUND', suggesting(said, jobName, known))
}

export function unknownServer(ip: string, known: readonly string[]): ElasticJobError {
  const said = say`no job of this namespace has a server "${ip}"`
  return new ElasticJobError('JOB_SERVER_NOT_FOUND', suggesting(said, ip, known))
}

export function requireServer(view: JobView, ip: string): void {
  const known = serversOf(view)
  if (known.includes(ip)) return
  const said = say`job ${view.jobName} has no server "${ip}"`
  throw new ElasticJobError('JOB_SERVER_NOT_FOUND', suggesting(said, ip, known))
}

export function requireInstance(view: JobView, instance: string): void {
  if (view.instances.has(instance)) return
  const said = say`no instance "${instance}" takes part in job ${view.jobName}`
  const known = [...view.instances]
  throw new ElasticJobError('JOB_INSTANCE_NOT_FOUND', suggesting(said, instance, known))
}

/** `total`: how many items the job has. */
export function requireItem({ jobName }: JobView, item: number, total: number): void {
  if (Number.isInteger(item) && item >= 0 && item < total) return
  throw new ElasticJobError(
    'JOB_ITEM_NOT_FOUND',
    say`job ${jobName} has no item ${item}: it has ${itemsUpTo(total)}`,
  )
}

function itemsUpTo(total: number): Sentence {
  if (total === 0) return say`none that is known`
  return total === 1 ? say`one item, 0` : say`items 0 to ${total - 1}`
}
