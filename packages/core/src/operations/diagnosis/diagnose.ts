/** Why did it not run? Everything that is in the way of a job, the weightiest first. */
import type { JobDetail } from '../details.ts'
import type { Situation } from './check.ts'
import { byWeight, type Finding } from './finding.ts'
import { jobChecks } from './job-checks.ts'
import { scheduleChecks } from './schedule-checks.ts'
import { shardChecks } from './shard-checks.ts'

export interface Diagnosis {
  /** Undefined where no job was asked for and none was found. */
  readonly jobName: string | undefined
  /** One sentence: the cause that weighs most, or when it runs next. */
  readonly verdict: string
  /** Whether nothing keeps it from running. */
  readonly healthy: boolean
  readonly findings: readonly Finding[]
}

export function diagnose(job: JobDetail, situation: Situation): Diagnosis {
  // What is left of a time when there were more items is cleared by the leader.
  const shards = job.shards.filter(({ item }) => item < job.shardingTotalCount)
  const present = { ...job, shards }
  const found = [...jobChecks, ...scheduleChecks, ...shardChecks].map((check) =>
    check(present, situation),
  )
  return diagnosisOf(
    job.jobName,
    found.filter((one) => one !== undefined),
    whenWell(job),
  )
}

/** `well`: what there is to say if nothing is in the way. */
export function diagnosisOf(
  jobName: string | undefined,
  found: readonly Finding[],
  well = '',
): Diagnosis {
  const findings = byWeight(found)
  const [first] = findings
  const healthy = first === undefined || first.severity === 'note'
  return { jobName, verdict: healthy ? well : first.what, healthy, findings }
}

function whenWell({ nextFireTime, instanceCount }: JobDetail): string {
  const instances = instanceCount === 1 ? 'one instance' : `${instanceCount} instances`
  if (nextFireTime === undefined) return `it waits to be triggered, on ${instances}`
  return `nothing is in its way: ${instances}, next fire at ${nextFireTime.toISOString()}`
}
