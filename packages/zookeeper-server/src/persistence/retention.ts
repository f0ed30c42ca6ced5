import type { Name } from './names.ts'

/**
 * The files to remove: first the snapshots, then the logs. In the other order, a crash in between would leave
 * a snapshot that looks usable without the log it needs.
 */
export interface RetentionPlan {
  /** Zxids of snapshots, oldest first. */
  readonly snapshots: readonly number[]
  /** First zxids of logs, oldest first. */
  readonly logs: readonly number[]
}

/**
 * Keeps the newest snapshots and the logs to start from any of them. The oldest kept snapshot is as good as
 * the newest: its log leads to the same state if the others are damaged.
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

/** The zxids of all files of a kind, in ascending order. */
export function zxidsOf(names: readonly Name[], kind: 'log' | 'snapshot'): number[] {
  const zxids: number[] = []
  for (const name of names) if (name.kind === kind) zxids.push(name.zxid)
  return zxids.toSorted((a, b) => a - b)
}
