import type { Name } from './names.ts'

/**
 * What may go: first the snapshots, then the logs. The other way round, a crash in between would leave
 * a snapshot that looks usable without the log it needs.
 */
export interface RetentionPlan {
  /** Zxids of snapshots, the oldest first. */
  readonly snapshots: readonly number[]
  /** First zxids of logs, the oldest first. */
  readonly logs: readonly number[]
}

/**
 * Keeps the newest snapshots and what the log needs to start from any of them. The oldest one kept
 * is as good as the newest: its log leads to the same state, should the others be damaged.
 */
export function planRetention(names: readonly Name[], keepSnapshots: number): RetentionPlan {
  const snapshots = zxidsOf(names, 'snapshot')
  const oldestKept = snapshots.at(-keepSnapshots)
  if (oldestKept === undefined) return { snapshots: [], logs: [] }
  return {
    snapshots: snapshots.filter((zxid) => zxid < oldestKept),
    // The log begins a new file with the first transaction after every snapshot.
    logs: zxidsOf(names, 'log').filter((firstZxid) => firstZxid <= oldestKept),
  }
}

/** The zxids of all names of a kind, in ascending order. */
export function zxidsOf(names: readonly Name[], kind: 'log' | 'snapshot'): number[] {
  const zxids: number[] = []
  for (const name of names) if (name.kind === kind) zxids.push(name.zxid)
  return zxids.toSorted((a, b) => a - b)
}
