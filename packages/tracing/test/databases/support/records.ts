import type {
  Batch,
  ExecutionRecord,
  LogChunk,
  LostRun,
  Outcome,
  RunRecord,
  StatusRecord,
} from '../../../src/store/records.ts'

/** 2026-01-01T00:00:00Z. A whole second, as MySQL keeps them. */
export const epoch = Date.parse('2026-01-01T00:00:00Z')

export function execution(change: Partial<ExecutionRecord> = {}): ExecutionRecord {
  return {
    id: 'run-1',
    jobName: 'sync-orders',
    taskId: 'sync-orders@-@0@-@READY@-@10.0.0.1@-@17',
    hostname: 'worker-1',
    ip: '10.0.0.1',
    shardingItem: 0,
    source: 'NORMAL_TRIGGER',
    startTime: epoch,
    completeTime: epoch + 2000,
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
    fireTime: epoch - 5,
    attempt: 1,
    retries: 0,
    round: undefined,
    fencingToken: undefined,
    startTime: epoch,
    lateness: 5,
    completeTime: epoch + 2000,
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
    creationTime: epoch,
    ...change,
  }
}

export function chunk(change: Partial<LogChunk> = {}): LogChunk {
  return { runId: 'run-1', sequence: 0, time: epoch, stream: 'info', text: 'hello', ...change }
}

export function lostRun(change: Partial<LostRun> = {}): LostRun {
  return {
    runId: 'run-1',
    jobName: 'sync-orders',
    shardingItem: 0,
    instance: '10.0.0.1@-@17',
    source: 'cron',
    fireTime: epoch - 5,
    attempt: 1,
    round: undefined,
    startTime: epoch,
    time: epoch + 60_000,
    ...change,
  }
}

let batches = 0

/** One of its own writer's. */
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
  readonly item?: number
  /** After the epoch, in milliseconds. */
  readonly at?: number
  readonly lasts?: number
  readonly lateness?: number
  /** Undefined: it still runs. */
  readonly outcome?: Outcome | undefined
  readonly ip?: string
  readonly source?: RunRecord['source']
  readonly attempt?: number
  readonly fireTime?: number
}

/** The two records of a run. */
function recordsOf(sketch: RunSketch): { execution: ExecutionRecord; run: RunRecord } {
  const { id, jobName = 'sync-orders', item = 0, at = 0, lasts = 2000, ip = '10.0.0.1' } = sketch
  const outcome = 'outcome' in sketch ? sketch.outcome : 'success'
  const source = sketch.source ?? 'cron'
  const startTime = epoch + at
  const completeTime = outcome === undefined ? undefined : startTime + lasts
  return {
    execution: execution({
      id,
      jobName,
      shardingItem: item,
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
      shardingItem: item,
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
