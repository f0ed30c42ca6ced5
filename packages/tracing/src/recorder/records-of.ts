/** From what core tells to what is written, in Java's words and sequence. Everything here is pure. */
import type { CrashedRun, RunOutcome, RunReference, RunSource } from '@elasticjob/core'

import type {
  ExecutionRecord,
  JavaExecutionSource,
  LostRun,
  Outcome,
  RunRecord,
  StatusRecord,
  TaskState,
} from '../store/records.ts'
import { causeText } from './cause-text.ts'

/** What one event makes of a run: its row, what Java has no column for, and what it went through. */
export interface RunRecords {
  readonly execution: ExecutionRecord
  readonly run: RunRecord
  readonly statuses: readonly StatusRecord[]
}

/** What the recorder knows beside the event. */
export interface Circumstances {
  readonly hostname: string
  /** When its code began, by the registry's time. */
  readonly startedAt: number
  readonly newId: () => string
}

/** How a run has ended, as core tells it. */
export interface ToldEnding {
  readonly outcome: RunOutcome
  readonly error: unknown
  /** In milliseconds. */
  readonly duration: number
  /** How often its code was begun again, after failures. */
  readonly retries: number
}

/** The same, in what is kept of it. */
export interface Ending extends Pick<ToldEnding, 'duration' | 'retries'> {
  readonly outcome: Outcome
  /** Why it has not succeeded, with the stack. */
  readonly failureCause: string | undefined
}

export function endingOf({ outcome: told, error, duration, retries }: ToldEnding): Ending {
  const outcome = outcomeOf(told, error)
  const failureCause = outcome === 'success' ? undefined : causeText(outcome, error)
  return { outcome, failureCause, duration: Math.max(0, Math.round(duration)), retries }
}

/**
 * Each run is a task of its own: its items run and end independently here, and their code is given a task
 * id with the one item. Java, which waits for all items of a trigger, writes one task for them.
 */
export function startOf(run: RunReference, around: Circumstances): RunRecords {
  const { startedAt } = around
  const begin = `Job '${run.jobName}' execute begin.`
  // By a clock that was corrected in between, the claim could seem to be the later of the two.
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

/** Complete in itself: it may be all that is ever written of the run. */
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
        : // Java prints its map of items and stacks.
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

/** Undefined for a run of Java's: it is Java's to say what came of it. */
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
    // The item's word keeps the last scheduled time, also while it runs for a trigger.
    fireTime: isTrigger ? startTime : crash.fireTime,
    attempt,
    round: isTrigger ? crash.round : undefined,
    startTime,
    time,
  }
}

/** The run that this one makes good: whoever found it dead may have died before it could write that. */
export function formerOf(run: RunReference, time: number): LostRun | undefined {
  if (run.takenOver === undefined) return undefined
  const { jobName, shardingItem, fireTime, round } = run
  const { runId, instance, claimedAt: startTime } = run.takenOver
  const attempt = Math.max(1, run.attempt - 1)
  const source = sourceOf(attempt, round === undefined ? 'cron' : 'trigger')
  return {
    runId,
    jobName,
    shardingItem,
    instance,
    source,
    fireTime,
    attempt,
    round,
    startTime,
    time,
  }
}

/** The last that is heard of a task whose instance is gone. */
export function lostStatusOf(run: LostRun, newId: () => string): StatusRecord {
  const message = `Instance ${run.instance} is gone.`
  return statusOf(run, { newId }, 'TASK_LOST', message, run.time)
}

/** Java has no word for a trigger by hand. */
export function javaSourceOf(source: RunSource): JavaExecutionSource {
  if (source === 'misfire') return 'MISFIRE'
  return source === 'failover' ? 'FAILOVER' : 'NORMAL_TRIGGER'
}

/** A word keeps the source of the first attempt. */
function sourceOf(attempt: number, first: RunSource = 'cron'): RunSource {
  return attempt > 1 ? 'failover' : first
}

function outcomeOf(outcome: RunOutcome, error: unknown): Outcome {
  const isTimeout =
    error instanceof Error && (error as { readonly code?: unknown }).code === 'JOB_RUN_TIMEOUT'
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
  const { runId, jobName, shardingItem, instance, source, fireTime, attempt, round } = run
  return {
    runId,
    jobName,
    shardingItem,
    instance,
    source,
    fireTime,
    attempt,
    retries: 0,
    round,
    fencingToken: run.fencingToken,
    startTime: startedAt,
    // What is made good was due when its instance died, and nobody could have begun it before that.
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
    // Also of what failover has brought, as in the task id: Java's own workers write nothing else.
    executionType: 'READY',
    shardingItems: [task.shardingItem],
    state,
    message,
    creationTime,
  }
}

/** As the run's own `context.taskId`. */
function taskIdOf({ jobName, shardingItem, instance }: Task): string {
  return `${jobName}@-@${shardingItem}@-@READY@-@${instance}`
}

function ipOf(instance: string): string {
  return instance.split('@-@', 1)[0] as string
}
