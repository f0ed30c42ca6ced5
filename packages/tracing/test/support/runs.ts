import type { CrashedRun, RunReference } from '@elasticjob/core'

/** 2026-01-01T00:00:00Z, the start of a simulated clock. */
export const assignment = Date.parse('2026-01-01T00:00:00Z')

let made = 0

export function someRun(run: Partial<RunReference> = {}): RunReference {
  made++
  return {
    jobName: 'sync-orders',
    instance: '10.0.1.1@-@17-abc',
    shardingItem: 3,
    runId: `run-${made}`,
    source: 'cron',
    fireTime: assignment,
    attempt: 1,
    manualRun: undefined,
    fencingToken: 42n,
    claimedAt: assignment,
    takenOver: undefined,
    ...run,
  }
}

export function someCrash(crash: Partial<CrashedRun> = {}): CrashedRun {
  return {
    jobName: 'sync-orders',
    shardingItem: 3,
    runId: 'gone',
    source: 'cron',
    instance: '10.0.1.9@-@3-xyz',
    attempt: 1,
    fireTime: assignment,
    manualRun: 7,
    claimedAt: assignment + 5,
    ...crash,
  }
}
