import type {
  Batch,
  ExecutionRecord,
  LogChunk,
  LostRun,
  Outcome,
  RunRecord,
  StatusRecord,
} from '../../../src/store/records.ts'

/** 2026-01-01T00:00:00Z. A whole second, as MySQL stores them. */
export const assignment = Date.parse('2026-01-01T00:00:00Z')

export function execution(change: Partial<ExecutionRecord> = {}): ExecutionRecord {
  return {
    id: 'run-1',
    jobName: 'sync-orders',
    taskId: 'sync-orders@-@0@-@READY@-@10.0.0.1@-@17',
    hostname: 'worker-1',
    ip: '10.0.0.1',
    shardingItem: 0,
    source: 'NORMAL_TRIGGER',
    startTime: assignment,
    completeTime: assignment + 2000,
    isSuccess: true,
    failureCause: undefined,
    ...change,
  }
}

export function run(change: Partial<RunRecord> = {}): RunRecord {
  return {
    runId: 'run-1',
    jobName: 'sync-orders',
    shardingItem: 0,
    instance: '10.0.0.1@-@17',
    source: 'cron',
    fireTime: assignment - 5,
    attempt: 1,
    retries: 0,
    manualRun: undefined,
    fencingToken: undefined,
    startTime: assignment,
    lateness: 5,
    completeTime: assignment + 2000,
    duration: 2000,
    outcome: 'success',
    ...change,
  }
}

export function status(change: Partial<StatusRecord> = {}): StatusRecord {
  return {
    id: 'status-1',
    jobName: 'sync-orders',
    originalTaskId: '',
    taskId: 'sync-orders@-@0@-@READY@-@10.0.0.1@-@17',
    slaveId: '10.0.0.1',
    executionType: 'READY',
    shardingItems: [0],
    state: 'TASK_RUNNING',
    message: '',
    creationTime: assignment,
    ...change,
  }
}

export function chunk(change: Partial<LogChunk> = {}): LogChunk {
  return { runId: 'run-1', sequence: 0, time: assignment, stream: 'info', text: 'hello', ...change }
}

export function lostRun(change: Partial<LostRun> = {}): LostRun {
  return {
    runId: 'run-1',
    jobName: 'sync-orders',
    shardingItem: 0,
    instance: '10.0.0.1@-@17',
    source: 'cron',
    fireTime: assignment - 5,
    attempt: 1,
    manualRun: undefined,
    startTime: assignment,
    time: assignment + 60_000,
    ...change,
  }
}

let batches = 0

/** A batch of its own writer. */
export function batch(change: Partial<Batch> = {}): Batch {
  batches += 1
  return {
    writer: 'writer',
    sequence: batches,
    executions: [],
    statuses: [],
    runs: [],
    logs: [],
    lost: [],
    ...change,
  }
}

export interface RunSketch {
  readonly id: string
  readonly jobName?: string
  readonly shard?: number
  /** Milliseconds after the epoch. */
  readonly at?: number
  readonly lasts?: number
  readonly lateness?: number
  /** Undefined: the run is in progress. */
  readonly outcome?: Outcome | undefined
  readonly ip?: string
  readonly source?: RunRecord['source']
  readonly attempt?: number
  readonly fireTime?: number
}

/** The two records of a run. */
function recordsOf(sketch: RunSketch): { execution: ExecutionRecord; run: RunRecord } {
  const { id, jobName = 'sync-orders', shard = 0, at = 0, lasts = 2000, ip = '10.0.0.1' } = sketch
  const outcome = 'outcome' in sketch ? sketch.outcome : 'success'
  const source = sketch.source ?? 'cron'
  const startTime = assignment + at
  const completeTime = outcome === undefined ? undefined : startTime + lasts
  return {
    execution: execution({
      id,
      jobName,
      shardingItem: shard,
      ip,
      hostname: `host-of-${ip}`,
      source:
        source === 'misfire' ? 'MISFIRE' : source === 'failover' ? 'FAILOVER' : 'NORMAL_TRIGGER',
      startTime,
      completeTime,
      isSuccess: outcome === 'success',
      failureCause: outcome === undefined || outcome === 'success' ? undefined : 'it failed',
    }),
    run: run({
      runId: id,
      jobName,
      shardingItem: shard,
      instance: `${ip}@-@17`,
      source,
      fireTime: sketch.fireTime ?? startTime - (sketch.lateness ?? 5),
      attempt: sketch.attempt ?? 1,
      startTime,
      lateness: sketch.lateness ?? 5,
      completeTime,
      duration: outcome === undefined ? undefined : lasts,
      outcome,
    }),
  }
}

/** A batch of runs. */
export function batchOf(sketches: readonly RunSketch[]): Batch {
  const records = sketches.map(recordsOf)
  return batch({
    executions: records.map((record) => record.execution),
    runs: records.map((record) => record.run),
  })
}
