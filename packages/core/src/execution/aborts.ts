/** Errors that abort a run, and the outcome of an aborted run. The outcome depends on the reason of the abort. */
import { ElasticJobError, isElasticJobError } from '../errors.ts'
import type { RunOutcome } from '../events.ts'
import type { RunAbort } from './run-abort.ts'

/** The run exceeds the timeout of its job. */
export function timedOut(timeout: number): ElasticJobError {
  return new ElasticJobError('JOB_RUN_TIMEOUT', `the run took longer than ${timeout} ms`)
}

/**
 * The lease of the session that claimed the run is not valid any more. The run has to end before another instance may
 * run its shard.
 */
export function unproven(): ElasticJobError {
  return new ElasticJobError('JOB_STOPPED', 'the session is not proven to live any more')
}

export function stoppedByOperator(): ElasticJobError {
  return new ElasticJobError('JOB_RUN_STOPPED', 'an operator has stopped the run')
}

/**
 * The outcome of a run whose code ended with an error after the abort. A run that exceeded its timeout has failed, and
 * no instance takes it over: the run would exceed the timeout there, too.
 */
export function outcomeOfAborted({ reason }: RunAbort): RunOutcome {
  if (isElasticJobError(reason, 'JOB_RUN_TIMEOUT')) return 'failure'
  return isElasticJobError(reason, 'JOB_RUN_STOPPED') ? 'stopped' : 'aborted'
}

/** The outcome of a run that was aborted before its code started. A run that an operator stopped is not due again. */
export function outcomeOfUnbegun({ reason }: RunAbort): RunOutcome {
  return isElasticJobError(reason, 'JOB_RUN_STOPPED') ? 'stopped' : 'not-started'
}
