import { DataDirectoryError } from '../errors.ts'

/** Options of the storage in a data directory. */
export interface DataDirectoryOptions {
  /**
   * Whether a write is acknowledged only once it survives a power failure. Without it, an acknowledged write
   * survives the end of the process, but not a crash of the machine.
   * @default true
   */
  readonly fsync?: boolean
  /**
   * The number of transactions between snapshots. A starting server replays up to twice as many.
   * @default 100000
   */
  readonly snapshotAfterTransactions?: number
  /**
   * The log size that triggers a snapshot, in bytes, if reached before the number of transactions.
   * @default 64 MiB
   */
  readonly snapshotAfterBytes?: number
  /**
   * How many snapshots to keep, with the logs from each of them to the present. With more than one, a damaged
   * snapshot loses nothing.
   * @default 3
   */
  readonly keepSnapshots?: number
  /**
   * Whether a server starts with the state before the damage although the log is damaged in the middle and
   * acknowledged writes are lost. The damaged files are kept under another name. Use it for one start, when
   * there is no backup; without it such a start is refused.
   * @default false
   */
  readonly acceptDataLoss?: boolean
}

export type ResolvedDataDirectoryOptions = Required<DataDirectoryOptions>

/** The defaults of `DataDirectoryOptions`. */
export const dataDirectoryDefaults: Readonly<ResolvedDataDirectoryOptions> = Object.freeze({
  fsync: true,
  snapshotAfterTransactions: 100_000,
  snapshotAfterBytes: 64 * 1024 * 1024,
  keepSnapshots: 3,
  acceptDataLoss: false,
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
    acceptDataLoss: options.acceptDataLoss ?? defaults.acceptDataLoss,
  }
  requirePositive('snapshotAfterTransactions', resolved.snapshotAfterTransactions)
  requirePositive('snapshotAfterBytes', resolved.snapshotAfterBytes)
  requirePositive('keepSnapshots', resolved.keepSnapshots)
  return resolved
}

/** Infinity is valid: no snapshot is triggered, or no snapshot is removed. */
function requirePositive(name: string, value: number): void {
  if ((Number.isInteger(value) && value > 0) || value === Infinity) return
  throw new DataDirectoryError(
    'ZKS_DATA_DIR_INVALID_OPTION',
    `${name} must be a positive integer or Infinity, not ${value}`,
  )
}
