import type { RecoveryTarget } from '../durability.ts'
import { DataDirectoryError } from '../errors.ts'
import type { Directory } from './directory.ts'
import { type DataLoss, replaceDamagedLog, setAside } from './data-loss.ts'
import { damageError, type LogDamage } from './log-damage.ts'
import { type LogEnd, LogReader } from './log-reader.ts'
import { logName, type Name, parseName, snapshotName } from './names.ts'
import { zxidsOf } from './retention.ts'
import { loadSnapshot, type VerifiedSnapshot, verifySnapshot } from './snapshot-file.ts'

/** A damaged snapshot that was not used. */
interface DamagedSnapshot {
  readonly zxid: number
  readonly error: DataDirectoryError
}

/** The state of a directory, as far as it can be read. */
export interface RecoveredState {
  readonly damaged: readonly DamagedSnapshot[]
  readonly log: LogEnd
  /** Why the rest of the log cannot be read, if its loss is accepted. */
  readonly damage: LogDamage | undefined
  /** The log files behind the damage. */
  readonly laterLogs: readonly string[]
}

/** What was done with unusable files. */
export interface TidiedUp {
  readonly snapshots: readonly {
    readonly file: string
    readonly renamedTo: string
    readonly error: Error
  }[]
  readonly loss: DataLoss | undefined
}

/** Parses the name of each file of the directory, and refuses files that no server created. */
export async function readNames(directory: Directory): Promise<Name[]> {
  const names: Name[] = []
  for (const file of await directory.list()) {
    const name = parseName(file)
    if (name === undefined) {
      throw new DataDirectoryError(
        'ZKS_DATA_DIR_FOREIGN_FILE',
        `${directory.path} contains ${file}, which is not a file of this server: ` +
          'use a directory that only the server uses, or move the file away',
        { file },
      )
    }
    names.push(name)
  }
  return names
}

/** Removes unfinished files of an earlier server. */
export async function removeUnfinished(directory: Directory): Promise<void> {
  for (const file of await directory.list()) {
    if (parseName(file)?.kind === 'temporary') await directory.remove(file)
  }
}

/**
 * Fills the state from storage: the newest intact snapshot, and the log after it. Modifies no file. Returns
 * undefined if nothing is stored. Throws on damage that may hide acknowledged writes, unless their loss is
 * accepted.
 */
export async function readState(
  directory: Directory,
  names: readonly Name[],
  target: RecoveryTarget,
  acceptDataLoss: boolean,
): Promise<RecoveredState | undefined> {
  if (names.every(({ kind }) => kind === 'lock' || kind === 'temporary')) return undefined
  const segments = zxidsOf(names, 'log')
  const snapshots = zxidsOf(names, 'snapshot')
  const { usable, damaged } = await chooseSnapshot(
    directory,
    snapshots,
    acceptDataLoss ? segments : undefined,
  )
  const snapshotZxid = usable?.zxid ?? 0
  const [culprit] = damaged
  if (culprit !== undefined && !segments.includes(snapshotZxid + 1)) throw hopeless(culprit)
  if (usable !== undefined) await loadSnapshot(directory, usable, target)

  const reader = new LogReader(directory, segments, usable?.directoryId, (transaction) =>
    target.applyTransaction(transaction),
  )
  const log = await reader.read(snapshotZxid + 1)
  const required = Math.max(usable?.upTo ?? 0, ...damaged.map(({ zxid }) => zxid))
  const damage = log.damage ?? (log.lastZxid < required ? lostEnd(log, required) : undefined)
  if (damage === undefined) return { damaged, log, damage, laterLogs: [] }
  if (!acceptDataLoss) throw damageError(damage)
  const laterLogs = segments.filter((zxid) => zxid > log.firstZxid).map(logName)
  return { damaged, log, damage, laterLogs }
}

/**
 * The newest intact snapshot, and the damaged ones that are newer. With `segments`, a snapshot is usable only
 * if the readable part of the log reaches as far as the snapshot needs.
 */
async function chooseSnapshot(
  directory: Directory,
  snapshots: readonly number[],
  segments: readonly number[] | undefined,
): Promise<{ usable: VerifiedSnapshot | undefined; damaged: readonly DamagedSnapshot[] }> {
  const damaged: DamagedSnapshot[] = []
  for (const zxid of snapshots.toReversed()) {
    try {
      const usable = await verifySnapshot(directory, zxid)
      if (segments !== undefined) await requireLog(directory, segments, usable)
      return { usable, damaged }
    } catch (error) {
      // A snapshot of a newer version is intact; the server that wrote it can use it.
      if (!(error instanceof DataDirectoryError) || error.code !== 'ZKS_DATA_DIR_CORRUPT')
        throw error
      damaged.push({ zxid, error })
    }
  }
  return { usable: undefined, damaged }
}

async function requireLog(
  directory: Directory,
  segments: readonly number[],
  { zxid, directoryId, upTo }: VerifiedSnapshot,
): Promise<void> {
  const log = await new LogReader(directory, segments, directoryId, () => {}).read(zxid + 1)
  if (log.lastZxid < upTo) throw damageError(lostEnd(log, upTo))
}

/**
 * Removes the traces of the crash, or the files behind the damage. Each step may be the last before another
 * crash: damage stays in place until everything else is done.
 */
export async function tidyUp(
  directory: Directory,
  { damaged, log, damage, laterLogs }: RecoveredState,
): Promise<TidiedUp> {
  if (damage === undefined) await tidyUpLog(directory, log)
  const snapshots = []
  for (const { zxid, error } of damaged) {
    const file = snapshotName(zxid)
    snapshots.push({ file, renamedTo: await setAside(directory, file), error })
  }
  await directory.sync()
  if (damage === undefined) return { snapshots, loss: undefined }

  const keptAs = snapshots.map(({ renamedTo }) => renamedTo)
  for (const file of laterLogs.toReversed()) keptAs.push(await setAside(directory, file))
  await directory.sync()
  keptAs.push(await replaceDamagedLog(directory, log))
  return { snapshots: [], loss: { ...damage, lastZxid: log.lastZxid, keptAs: keptAs.toSorted() } }
}

async function tidyUpLog(directory: Directory, log: LogEnd): Promise<void> {
  if (log.unusedFile !== undefined) await directory.remove(log.unusedFile)
  const file = await directory.open(logName(log.firstZxid), 'write')
  try {
    if (log.tornTail !== undefined) await file.truncate(log.size)
    // The content that was read may not be on disk yet, and clients see it from now on.
    await file.sync()
  } finally {
    await file.close()
  }
}

function hopeless({ zxid, error }: DamagedSnapshot): DataDirectoryError {
  return new DataDirectoryError(
    'ZKS_DATA_DIR_CORRUPT',
    `${error.message}, and there is no older snapshot with a log that continues it. ` +
      'Restore the directory from a backup',
    { file: snapshotName(zxid), offset: error.offset ?? 0, cause: error },
  )
}

function lostEnd({ firstZxid, size, lastZxid }: LogEnd, required: number): LogDamage {
  return {
    file: logName(firstZxid),
    offset: size,
    problem:
      `the end of the log is lost: it ends with transaction ${lastZxid}, but a snapshot contains ` +
      `transaction ${required}`,
    intact: { records: 0, transactions: 0 },
  }
}
