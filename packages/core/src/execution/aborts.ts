/** What an abort makes of a run: that depends on who wanted it. */
import { ElasticJobError, isElasticJobError } from '../errors.ts'
import type { RunOutcome } from '../events.ts'
import type { RunAbort } from './run-abort.ts'

/** The run took longer than its job allows. */
export function timedOut(timeout: number): ElasticJobError {
  return new ElasticJobError('JOB_RUN_TIMEOUT', `the run took longer than ${timeout} ms`)
}

/** Nothing proves the session that claimed the run: it has to end before others may run its shard. */
export function unproven(): ElasticJobError {
  return new ElasticJobError('JOB_STOPPED', 'the session is not proven to live any more')
}

/** An operator wants the run to end. */
export function stoppedByOperator(): ElasticJobError {
  return new ElasticJobError('JOB_RUN_STOPPED', 'an operator has stopped the run')
}

/**
 * What came of a run whose code has ended with an error after its abort. One that took too long has
 * failed, and nobody takes it over: it would take too long elsewhere, too.
 */
export function outcomeOfAborted({ reason }: RunAbort): RunOutcome {
  if (isElasticJobError(reason, 'JOB_RUN_TIMEOUT')) return 'failure'
  return isElasticJobError(reason, 'JOB_RUN_STOPPED') ? 'stopped' : 'aborted'
}

/** What came of a run whose code had not begun: what an operator has stopped is not due again. */
export function outcomeOfUnbegun({ reason }: RunAbort): RunOutcome {
  return isElasticJobError(reason, 'JOB_RUN_STOPPED') ? 'stopped' : 'not-started'
}
