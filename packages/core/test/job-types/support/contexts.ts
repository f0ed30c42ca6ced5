import type {
  MultiShardingContext,
  RunControl,
  ShardingContext,
} from '../../../src/job-types/context.ts'
import { RecordingLogger } from './recording-logger.ts'

/** A context for one shard; what a test is about is given, the rest is made up. */
export function shardContext(given: Partial<ShardingContext> = {}): ShardingContext {
  return {
    jobName: 'sync-orders',
    taskId: 'sync-orders@-@0,1@-@READY@-@10.0.0.1@-@4711',
    runId: 'run-1',
    shardingTotalCount: 2,
    jobParameter: 'all',
    parameter: 'all',
    monitorExecution: true,
    shardingItem: 0,
    shardingParameter: 'Beijing',
    source: 'cron',
    fireTime: new Date('2026-03-01T10:00:00.000Z'),
    fetchDataCount: 1,
    attempt: 1,
    offset: undefined,
    saveOffset: () => Promise.resolve(),
    fencingToken: undefined,
    signal: new AbortController().signal,
    logger: new RecordingLogger(),
    ...given,
  }
}

export function instanceContext(given: Partial<MultiShardingContext> = {}): MultiShardingContext {
  const first = shardContext()
  const second = shardContext({ shardingItem: 1, shardingParameter: 'Shanghai', runId: 'run-2' })
  const { jobName, taskId, shardingTotalCount, jobParameter, parameter, monitorExecution } = first
  const { source, fireTime, fetchDataCount, signal, logger } = first
  return {
    jobName,
    taskId,
    shardingTotalCount,
    jobParameter,
    parameter,
    monitorExecution,
    source,
    fireTime,
    fetchDataCount,
    signal,
    logger,
    shardingItems: [first, second],
    ...given,
  }
}

/** A control that counts, and that a test may change in the middle of a run. */
export class TestControl implements RunControl {
  yielding = false
  props: Readonly<Record<string, string>>
  succeeded = 0
  failed = 0

  constructor(props: Readonly<Record<string, string>> = {}) {
    this.props = props
  }

  count(succeeded: number, failed: number): void {
    this.succeeded += succeeded
    this.failed += failed
  }
}
