import { sql } from 'kysely'

import type { Database } from '../dialects/dialect.ts'
import { ours } from '../dialects/our-tables.ts'
import { cleanSpan, cleanTime, ourTimes } from './clean.ts'
import { classOf } from './histogram.ts'
import { javaSourceOf } from './java-source.ts'
import type { ExecutionRecord, LostRun, Outcome, RunRecord } from './records.ts'
import { executionRows, runRows, successValue } from './rows.ts'
import type { Tables } from './tables.ts'

const lost: Outcome = 'lost'

/** The number of runs per statement. */
const chunk = 50

interface OpenRun {
  readonly run_id: string
  readonly start_time: number
}

/**
 * Closes runs with an unknown end in both tables, inside a transaction. If the end arrives later, from an
 * instance that was wrongly considered dead, it replaces this. Returns the number of closed runs.
 */
export async function closeAsLost(
  db: Database,
  tables: Tables,
  runs: readonly LostRun[],
): Promise<number> {
  // The instance that detects a lost run and the one that takes it over may both report it. Sorted by key, as
  // in batches.
  const byId = new Map(runs.map((run) => [run.runId, run]))
  const once = [...byId.values()].toSorted((one, other) => (one.runId < other.runId ? -1 : 1))
  let closed = 0
  for (let index = 0; index < once.length; index += chunk)
    closed += await closeSome(db, tables, once.slice(index, index + chunk))
  return closed
}

async function closeSome(db: Database, tables: Tables, runs: readonly LostRun[]): Promise<number> {
  await addUnknown(db, tables, runs)
  const ids = runs.map(({ runId }) => sql`${runId}`)
  const { rows } = await sql<OpenRun>`
    select run_id, start_time from ${sql.table(ours.runs)}
    where outcome is null and run_id in (${sql.join(ids)})`.execute(db)
  let closed = 0
  for (const row of rows) {
    const run = runs.find(({ runId }) => runId === row.run_id)
    if (run !== undefined && (await closeOne(db, tables, row, run))) closed += 1
  }
  return closed
}

/** An instance may die before it has written the start of its runs. */
async function addUnknown(
  db: Database,
  { schema, expressions, writing }: Tables,
  runs: readonly LostRun[],
): Promise<void> {
  await writing.insertNew(db, executionRows(schema, expressions, runs.map(executionOf)))
  await writing.insertNew(db, runRows(schema, runs.map(runOf)))
}

function executionOf(run: LostRun): ExecutionRecord {
  const { runId: id, jobName, shardingItem, instance, startTime } = run
  const ip = instance.split('@-@', 1)[0] as string
  return {
    id,
    jobName,
    taskId: `${jobName}@-@${shardingItem}@-@READY@-@${instance}`,
    // Its host name is unknown to others.
    hostname: ip,
    ip,
    shardingItem,
    source: javaSourceOf(run.source),
    startTime,
    completeTime: undefined,
    isSuccess: false,
    failureCause: undefined,
  }
}

function runOf(run: LostRun): RunRecord {
  return {
    runId: run.runId,
    jobName: run.jobName,
    shardingItem: run.shardingItem,
    instance: run.instance,
    source: run.source,
    fireTime: run.fireTime,
    attempt: run.attempt,
    retries: 0,
    manualRun: run.manualRun,
    fencingToken: undefined,
    startTime: run.startTime,
    lateness: undefined,
    completeTime: undefined,
    duration: undefined,
    outcome: undefined,
  }
}

/** Returns false if its end has arrived meanwhile. */
async function closeOne(
  db: Database,
  { schema, expressions }: Tables,
  { run_id: runId, start_time: startTime }: OpenRun,
  { instance, time }: LostRun,
): Promise<boolean> {
  const end = cleanTime(time, ourTimes)
  const duration = cleanSpan(end - startTime)
  const changed = await sql`update ${sql.table(ours.runs)}
    set outcome = ${lost}, complete_time = ${end}, duration = ${duration},
      duration_class = ${classOf(duration)}
    where run_id = ${runId} and outcome is null`.execute(db)
  if (Number(changed.numAffectedRows ?? 0) === 0) return false
  const cause = `Instance ${instance} was lost before the run ended.`
  await sql`update ${sql.table(schema.executions.name)}
    set is_success = ${successValue(schema.isSuccessBoolean, false)},
      complete_time = ${expressions.time(cleanTime(time, expressions.times))},
      failure_cause = ${cause}
    where id = ${runId} and complete_time is null`.execute(db)
  return true
}
