import { DataDirectoryError } from '../errors.ts'

/** How a server keeps its state in a directory. */
export interface DataDirectoryOptions {
  /**
   * Whether a write is answered only once it outlasts a loss of power. Without it an answered write
   * outlasts the end of the process, not that of the machine.
   * @default true
   */
  readonly fsync?: boolean
  /**
   * After how many transactions a snapshot is taken. A server that starts has to go through up to
   * twice as many.
   * @default 100000
   */
  readonly snapshotAfterTransactions?: number
  /**
   * After how many bytes of log a snapshot is taken, should they come before the transactions.
   * @default 64 MiB
   */
  readonly snapshotAfterBytes?: number
  /**
   * How many snapshots are kept, with the logs that lead from each of them to the present. With more
   * than one, a damaged snapshot costs nothing.
   * @default 3
   */
  readonly keepSnapshots?: number
}

export type ResolvedDataDirectoryOptions = Required<DataDirectoryOptions>

export const dataDirectoryDefaults: Readonly<ResolvedDataDirectoryOptions> = Object.freeze({
  fsync: true,
  snapshotAfterTransactions: 100_000,
  snapshotAfterBytes: 64 * 1024 * 1024,
  keepSnapshots: 3,
})

export function resolveDataDirectoryOptions(
  options: DataDirectoryOptions,
): ResolvedDataDirectoryOptions {
  const defaults = dataDirectoryDefaults
  const resolved = {
    fsync: options.fsync ?? defaults.fsync,
    snapshotAfterTransactions:
      options.snapshotAfterTransactions ?? defaults.snapshotAfterTransactions,
    snapshotAfterBytes: options.snapshotAfterBytes ?? defaults.snapshotAfterBytes,
    keepSnapshots: options.keepSnapshots ?? defaults.keepSnapshots,
  }
  requirePositive('snapshotAfterTransactions', resolved.snapshotAfterTransactions)
  requirePositive('snapshotAfterBytes', resolved.snapshotAfterBytes)
  requirePositive('keepSnapshots', resolved.keepSnapshots)
  return resolved
}

/** Infinity is a number of transactions or bytes that never comes; of snapshots, none is removed. */
function requirePositive(name: string, value: number): void {
  if ((Number.isInteger(value) && value > 0) || value === Infinity) return
  throw new DataDirectoryError(
    'ZKS_DATA_DIR_INVALID_OPTION',
    `${name} must be a positive integer or Infinity, not ${value}`,
  )
}
