import { sql } from 'kysely'

import type { Database } from '../dialects/dialect.ts'
import { ours } from '../dialects/our-tables.ts'
import { javaSourceOf } from '../recorder/records-of.ts'
import { cleanSpan, cleanTime, ourTimes } from './clean.ts'
import { classOf } from './histogram.ts'
import type { ExecutionRecord, LostRun, Outcome, RunRecord } from './records.ts'
import { executionRows, runRows, successValue } from './rows.ts'
import type { Tables } from './tables.ts'

const lost: Outcome = 'lost'

/** How many are looked for by one statement. */
const chunk = 50

interface OpenRun {
  readonly run_id: string
  readonly start_time: number
}

/**
 * Closes runs whose end is not known, in both tables, inside a transaction. If the end comes after all,
 * from an instance that was only thought dead, it replaces this. Returns how many there were.
 */
export async function closeAsLost(
  db: Database,
  tables: Tables,
  runs: readonly LostRun[],
): Promise<number> {
  // Who finds a run and who takes it over may both have told of it. In the order of their keys, as batches.
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

/** An instance that dies may have written nothing yet of what it had begun. */
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
    // Its name is not known to others.
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
    round: run.round,
    fencingToken: undefined,
    startTime: run.startTime,
    lateness: undefined,
    completeTime: undefined,
    duration: undefined,
    outcome: undefined,
  }
}

/** Returns false where its end has come in the meantime. */
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
  const cause = `The instance ${instance} was lost before the run had ended.`
  await sql`update ${sql.table(schema.executions.name)}
    set is_success = ${successValue(schema.isSuccessBoolean, false)},
      complete_time = ${expressions.time(cleanTime(time, expressions.times))},
      failure_cause = ${cause}
    where id = ${runId} and complete_time is null`.execute(db)
  return true
}
