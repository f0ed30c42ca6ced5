/** Converts core's events into records, with Java's names and order. Pure functions. */
import type { CrashedRun, RunOutcome, RunReference, RunSource } from '@elasticjob/core'
import { detailsOf } from '@elasticjob/core/internal'

import { javaSourceOf } from '../store/java-source.ts'
import type {
  ExecutionRecord,
  LostRun,
  Outcome,
  RunRecord,
  StatusRecord,
  TaskState,
} from '../store/records.ts'
import { causeText } from './cause-text.ts'

/** The records of one event of a run: Java's row, our details, and the status changes. */
export interface RunRecords {
  readonly execution: ExecutionRecord
  readonly run: RunRecord
  readonly statuses: readonly StatusRecord[]
}

/** The recorder's knowledge besides the event. */
export interface Circumstances {
  readonly hostname: string
  /** When its code started, in the registry's time. */
  readonly startedAt: number
  readonly newId: () => string
}

/** How a run ended, as core reports it. */
export interface ToldEnding {
  readonly outcome: RunOutcome
  readonly error: unknown
  /** In milliseconds. */
  readonly duration: number
  /** How often its code was retried after failures. */
  readonly retries: number
}

/** The same, in stored form. */
export interface Ending extends Pick<ToldEnding, 'duration' | 'retries'> {
  readonly outcome: Outcome
  /** Why it did not succeed, with the stack. */
  readonly failureCause: string | undefined
}

export function endingOf({ outcome: told, error, duration, retries }: ToldEnding): Ending {
  const outcome = outcomeOf(told, error)
  const failureCause = outcome === 'success' ? undefined : causeText(outcome, error)
  return { outcome, failureCause, duration: Math.max(0, Math.round(duration)), retries }
}

/**
 * Each run is a task of its own: shards run and end independently here, and their code gets a task id with
 * the one shard. Java waits for all shards of a fire and writes one task for them.
 */
export function startOf(run: RunReference, around: Circumstances): RunRecords {
  const { startedAt } = around
  const begin = `Job '${run.jobName}' execute begin.`
  // If the clock was corrected in between, the claim could seem to be the later of the two.
  const stagedAt = Math.min(run.claimedAt, startedAt)
  return {
    execution: executionOf(run, around),
    run: runOf(run, around),
    statuses: [
      statusOf(run, around, 'TASK_STAGING', begin, stagedAt),
      statusOf(run, around, 'TASK_RUNNING', '', startedAt),
    ],
  }
}

/** Complete in itself: it may be the only record of the run. */
export function endOf(run: RunReference, around: Circumstances, ending: Ending): RunRecords {
  const { outcome, failureCause, duration, retries } = ending
  const completeTime = around.startedAt + duration
  const isSuccess = outcome === 'success'
  return {
    execution: { ...executionOf(run, around), completeTime, isSuccess, failureCause },
    run: { ...runOf(run, around), completeTime, duration, outcome, retries },
    statuses: [
      isSuccess
        ? statusOf(run, around, 'TASK_FINISHED', '', completeTime)
        : // Java prints its map of shards and stacks.
          statusOf(
            run,
            around,
            'TASK_ERROR',
            `{${run.shardingItem}=${failureCause}}`,
            completeTime,
          ),
    ],
  }
}

/** Undefined for a run of Java, whose outcome only Java records. */
export function lostOf(crash: CrashedRun, time: number): LostRun | undefined {
  if (crash.runId === '') return undefined
  const { runId, jobName, shardingItem, instance, attempt, claimedAt: startTime } = crash
  const isTrigger = crash.source === 'trigger'
  return {
    runId,
    jobName,
    shardingItem,
    instance,
    source: sourceOf(attempt, crash.source),
    // The shard state keeps the last scheduled fire time, also during a manual run.
    fireTime: isTrigger ? startTime : crash.fireTime,
    attempt,
    manualRun: isTrigger ? crash.manualRun : undefined,
    startTime,
    time,
  }
}

/**
 * The run that this one repeats: the instance that detected its crash may have died before it recorded it.
 */
export function formerOf(run: RunReference, time: number): LostRun | undefined {
  if (run.takenOver === undefined) return undefined
  const { jobName, shardingItem, fireTime, manualRun } = run
  const { runId, instance, claimedAt: startTime } = run.takenOver
  const attempt = Math.max(1, run.attempt - 1)
  const source = sourceOf(attempt, manualRun === undefined ? 'cron' : 'trigger')
  return {
    runId,
    jobName,
    shardingItem,
    instance,
    source,
    fireTime,
    attempt,
    manualRun,
    startTime,
    time,
  }
}

/** The last status of a task whose instance is gone. */
export function lostStatusOf(run: LostRun, newId: () => string): StatusRecord {
  const message = `Instance ${run.instance} is gone.`
  return statusOf(run, { newId }, 'TASK_LOST', message, run.time)
}

/** A shard state keeps the source of the first attempt. */
function sourceOf(attempt: number, first: RunSource = 'cron'): RunSource {
  return attempt > 1 ? 'failover' : first
}

function outcomeOf(outcome: RunOutcome, error: unknown): Outcome {
  const isTimeout = detailsOf(error).code === 'JOB_RUN_TIMEOUT'
  return outcome === 'failure' && isTimeout ? 'timeout' : outcome
}

function executionOf(run: RunReference, around: Circumstances): ExecutionRecord {
  return {
    id: run.runId,
    jobName: run.jobName,
    taskId: taskIdOf(run),
    hostname: around.hostname,
    ip: ipOf(run.instance),
    shardingItem: run.shardingItem,
    source: javaSourceOf(run.source),
    startTime: around.startedAt,
    completeTime: undefined,
    isSuccess: false,
    failureCause: undefined,
  }
}

function runOf(run: RunReference, { startedAt }: Circumstances): RunRecord {
  const { runId, jobName, shardingItem, instance, source, fireTime, attempt, manualRun } = run
  return {
    runId,
    jobName,
    shardingItem,
    instance,
    source,
    fireTime,
    attempt,
    retries: 0,
    manualRun,
    fencingToken: run.fencingToken,
    startTime: startedAt,
    // A repeated run was due when its instance died, and could not have started before that.
    lateness: source === 'failover' ? undefined : Math.max(0, startedAt - fireTime),
    completeTime: undefined,
    duration: undefined,
    outcome: undefined,
  }
}

type Task = Pick<RunReference, 'jobName' | 'shardingItem' | 'instance'>

function statusOf(
  task: Task,
  { newId }: Pick<Circumstances, 'newId'>,
  state: TaskState,
  message: string,
  creationTime: number,
): StatusRecord {
  return {
    id: newId(),
    jobName: task.jobName,
    originalTaskId: '',
    taskId: taskIdOf(task),
    slaveId: ipOf(task.instance),
    // Also for a failover run, as in the task id: Java's workers write nothing else.
    executionType: 'READY',
    shardingItems: [task.shardingItem],
    state,
    message,
    creationTime,
  }
}

/** Equal to the run's `context.taskId`. */
function taskIdOf({ jobName, shardingItem, instance }: Task): string {
  return `${jobName}@-@${shardingItem}@-@READY@-@${instance}`
}

function ipOf(instance: string): string {
  return instance.split('@-@', 1)[0] as string
}
