/** One clean-up: job by job, step by step. */
import { millisecondsOf } from '@elasticjob/core/internal'

import type { Database } from '../dialects/dialect.ts'
import type { RetentionOptions, RetentionPolicy, RetentionResult } from './history-store.ts'
import { findJobNames } from './job-names.ts'
import { endLease, takeLease } from './lease.ts'
import {
  checkPolicy,
  cutOff,
  deleteLogs,
  deleteRuns,
  deleteWriters,
  limitsOf,
  type RetentionStep,
} from './retention.ts'
import type { Tables } from './tables.ts'

const leaseName = 'retention'
const usualStep = 500
const usualLease = 60_000

/** What a clean-up needs from its store: every step is one transaction with the store's timeout. */
export interface CleanUpHost {
  readonly tables: Tables
  readonly holder: string
  now(): number
  step<Result>(work: (db: Database) => Promise<Result>): Promise<Result>
}

export async function cleanUp(
  host: CleanUpHost,
  policy: RetentionPolicy,
  { signal, stepSize = usualStep, lease = usualLease }: RetentionOptions,
): Promise<RetentionResult> {
  checkPolicy(policy)
  const result = { hasRun: true, executions: 0, statuses: 0, logChunks: 0 }
  const { tables, holder } = host
  const take = (db: Database): Promise<boolean> =>
    takeLease(db, tables.writing, {
      name: leaseName,
      holder,
      now: host.now(),
      length: millisecondsOf(lease),
    })

  /** Whether to continue: not aborted, and still the holder of the lease. */
  const repeat = async (step: (db: Database) => Promise<RetentionStep>): Promise<boolean> => {
    for (;;) {
      if (signal?.aborted === true) return false
      const done = await host.step(async (db) => ((await take(db)) ? step(db) : undefined))
      if (done === undefined) return false
      result.executions += done.executions
      result.statuses += done.statuses
      result.logChunks += done.logChunks
      if (!done.hasMore) return true
    }
  }

  if (!(await host.step(take))) return { ...result, hasRun: false }
  await everything()
  await host.step((db) => endLease(db, leaseName, holder))
  return result

  async function everything(): Promise<void> {
    await host.step((db) => deleteWriters(db, host.now()))
    for (const jobName of await host.step((db) => findJobNames(db, tables))) {
      const limits = limitsOf(policy, jobName)
      const before = await host.step((db) => cutOff(db, tables, jobName, limits, host.now()))
      if (before === undefined) continue
      const step = { jobName, before, size: stepSize }
      if (!(await repeat((db) => deleteRuns(db, tables, step)))) return
    }
    const { logCharacters } = policy
    if (logCharacters !== undefined) await repeat((db) => deleteLogs(db, logCharacters, stepSize))
  }
}
