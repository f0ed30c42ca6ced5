import type { Durability, RecoveryTarget } from '../durability.ts'
import { insides } from '../running-server.ts'
import type { SnapshotNode, SnapshotSession } from '../transaction.ts'

/** A copy of a server's whole state at one moment. */
export interface Backup {
  readonly zxid: number
  readonly lastSessionId: bigint
  readonly sessions: readonly SnapshotSession[]
  readonly nodes: readonly SnapshotNode[]
}

/** Copies the state of a server of this process. */
export function backupOf(server: object): Backup {
  const parts = insides.get(server)
  if (parts === undefined) throw new TypeError('not a server that was started in this process')
  const { nodes, ...header } = parts.core.state.snapshot()
  return { ...header, nodes: [...nodes].map((node) => ({ ...node })) }
}

/** The options of a restore. */
export interface RestoreOptions {
  /**
   * The zxid at which the restored server continues. An ensemble begins a new epoch, whose zxids are higher
   * than any that a client has seen.
   * @default that of the backup
   */
  readonly zxid?: number
}

/** The initial state of a server that has lost everything since a backup. */
export function restoredFrom(
  backup: Backup,
  { zxid = backup.zxid }: RestoreOptions = {},
): Durability {
  return {
    durableZxid: Infinity,
    recover(target: RecoveryTarget): Promise<void> {
      target.loadHeader(zxid, backup.lastSessionId)
      for (const session of backup.sessions) target.loadSession(session)
      for (const node of backup.nodes) target.loadNode(node)
      return Promise.resolve()
    },
    start() {},
    append() {},
    close: () => Promise.resolve(),
  }
}
