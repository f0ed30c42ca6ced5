import type { CrashedRun, RunReference } from '@elasticjob/core'

/** 2026-01-01T00:00:00Z, where a simulated clock begins. */
export const epoch = Date.parse('2026-01-01T00:00:00Z')

let made = 0

export function someRun(run: Partial<RunReference> = {}): RunReference {
  made++
  return {
    jobName: 'sync-orders',
    instance: '10.0.1.1@-@17-abc',
    shardingItem: 3,
    runId: `run-${made}`,
    source: 'cron',
    fireTime: epoch,
    attempt: 1,
    round: undefined,
    fencingToken: 42n,
    claimedAt: epoch,
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
    fireTime: epoch,
    round: 7,
    claimedAt: epoch + 5,
    ...crash,
  }
}
