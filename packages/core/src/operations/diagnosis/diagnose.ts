/** Diagnoses why a job did not run: lists everything that prevents it, the most severe first. */
import { message, type Message } from '../../message.ts'
import type { JobDetail } from '../details.ts'
import type { Situation } from './check.ts'
import { byWeight, type Finding } from './finding.ts'
import { jobChecks } from './job-checks.ts'
import { scheduleChecks } from './schedule-checks.ts'
import { shardChecks } from './shard-checks.ts'

/** The diagnosis of one job. */
export interface Diagnosis {
  /** Undefined if the diagnosis was not about one job and no job was found. */
  readonly jobName: string | undefined
  /** One sentence: the most severe cause, or the next run. */
  readonly verdict: string
  /** The same as a message for translation. */
  readonly messageParts: Message
  /** Whether nothing prevents it from running. */
  readonly healthy: boolean
  readonly findings: readonly Finding[]
}

export function diagnose(job: JobDetail, situation: Situation): Diagnosis {
  // The leader deletes the shards that are left over from a larger shard count.
  const shards = job.shards.filter(({ shard }) => shard < job.shardingTotalCount)
  const present = { ...job, shards }
  const found = [...jobChecks, ...scheduleChecks, ...shardChecks].map((check) =>
    check(present, situation),
  )
  const findings = byWeight(found.filter((one) => one !== undefined))
  const [first] = findings
  if (first !== undefined && first.severity !== 'info') return ill(job.jobName, first, findings)
  const messageParts = whenWell(job)
  return { jobName: job.jobName, verdict: messageParts.text, messageParts, healthy: true, findings }
}

/** `first`: the most severe finding. */
export function ill(
  jobName: string | undefined,
  first: Finding,
  findings: readonly Finding[] = [first],
): Diagnosis {
  return {
    jobName,
    verdict: first.what,
    messageParts: first.messageParts.what,
    healthy: false,
    findings,
  }
}

function whenWell({ nextFireTime, instanceCount }: JobDetail): Message {
  const instances =
    instanceCount === 1
      ? message('one-instance')
      : message('instance-count', { count: instanceCount })
  if (nextFireTime === undefined) return message('trigger-awaited', { instances })
  return message('next-fire', { instances, time: nextFireTime.toISOString() })
}
