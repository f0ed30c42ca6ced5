import type { RecoveryTarget } from '../durability.ts'
import { DataDirectoryError } from '../errors.ts'
import type { Directory } from './directory.ts'
import { type LogEnd, LogReader } from './log-reader.ts'
import { logName, type Name, parseName, setAsideName, snapshotName } from './names.ts'
import { zxidsOf } from './retention.ts'
import { loadSnapshot, type VerifiedSnapshot, verifySnapshot } from './snapshot-file.ts'

/** A snapshot that was not used because it is damaged. */
interface DamagedSnapshot {
  readonly zxid: number
  readonly error: DataDirectoryError
}

/** What is in a directory, as far as it has been read. */
export interface RecoveredState {
  readonly damaged: readonly DamagedSnapshot[]
  readonly log: LogEnd
}

/** Says what each file of the directory is, and refuses one that is none of a server's. */
export async function readNames(directory: Directory): Promise<Name[]> {
  const names: Name[] = []
  for (const file of await directory.list()) {
    const name = parseName(file)
    if (name === undefined) {
      throw new DataDirectoryError(
        'ZKS_DATA_DIR_FOREIGN_FILE',
        `${directory.path} holds ${file}, which is no file of this server: ` +
          'choose a directory of its own for the server, or move the file away',
        { file },
      )
    }
    names.push(name)
  }
  return names
}

/** Removes what an earlier server had begun to write and could not finish. */
export async function removeUnfinished(directory: Directory): Promise<void> {
  for (const file of await directory.list()) {
    if (parseName(file)?.kind === 'temporary') await directory.remove(file)
  }
}

/**
 * Fills the state with what is stored: the newest snapshot that is whole, and the log behind it. It
 * changes no file. Answers nothing if nothing was ever stored.
 */
export async function readState(
  directory: Directory,
  names: readonly Name[],
  target: RecoveryTarget,
): Promise<RecoveredState | undefined> {
  if (names.every(({ kind }) => kind === 'lock' || kind === 'temporary')) return undefined
  const segments = zxidsOf(names, 'log')
  const snapshots = zxidsOf(names, 'snapshot')
  const { usable, damaged } = await chooseSnapshot(directory, snapshots)
  const snapshotZxid = usable?.zxid ?? 0
  const [culprit] = damaged
  if (culprit !== undefined && !segments.includes(snapshotZxid + 1)) throw hopeless(culprit)
  if (usable !== undefined) await loadSnapshot(directory, usable, target)

  const reader = new LogReader(directory, segments, usable?.directoryId, (transaction) =>
    target.applyTransaction(transaction),
  )
  const log = await reader.read(snapshotZxid + 1)
  const required = Math.max(usable?.upTo ?? 0, ...damaged.map(({ zxid }) => zxid))
  if (log.lastZxid < required) throw tooShort(log, required)
  return { damaged, log }
}

/** The newest snapshot that is whole, and the damaged ones that are newer. */
async function chooseSnapshot(
  directory: Directory,
  snapshots: readonly number[],
): Promise<{ usable: VerifiedSnapshot | undefined; damaged: readonly DamagedSnapshot[] }> {
  const damaged: DamagedSnapshot[] = []
  for (const zxid of snapshots.toReversed()) {
    try {
      return { usable: await verifySnapshot(directory, zxid), damaged }
    } catch (error) {
      // One of a newer version is whole: the server that wrote it knows what to do with it.
      if (!(error instanceof DataDirectoryError) || error.code !== 'ZKS_DATA_DIR_CORRUPT')
        throw error
      damaged.push({ zxid, error })
    }
  }
  return { usable: undefined, damaged }
}

/** Makes the directory what it would be without the crash. Each step may be the last before another. */
export async function tidyUp(
  directory: Directory,
  { damaged, log }: RecoveredState,
): Promise<void> {
  if (log.unusedFile !== undefined) await directory.remove(log.unusedFile)
  const file = await directory.open(logName(log.firstZxid), 'write')
  try {
    if (log.tornTail !== undefined) await file.truncate(log.size)
    // What was read may never have reached the disk, and from now on clients are told of it.
    await file.sync()
  } finally {
    await file.close()
  }
  for (const { zxid } of damaged) {
    await directory.rename(snapshotName(zxid), setAsideName(snapshotName(zxid)))
  }
  await directory.sync()
}

function hopeless({ zxid, error }: DamagedSnapshot): DataDirectoryError {
  return new DataDirectoryError(
    'ZKS_DATA_DIR_CORRUPT',
    `${error.message}; and there is no older snapshot with the log that leads on from it. ` +
      'Restore the directory from a backup',
    { file: snapshotName(zxid), offset: error.offset ?? 0, cause: error },
  )
}

function tooShort({ firstZxid, size, lastZxid }: LogEnd, required: number): DataDirectoryError {
  const file = logName(firstZxid)
  return new DataDirectoryError(
    'ZKS_DATA_DIR_CORRUPT',
    `${file} ends at offset ${size} with transaction ${lastZxid}, but a snapshot tells of ` +
      `transaction ${required}: the end of the log was lost. Restore the directory from a backup; or ` +
      'give up what is lost: move away the newest snapshot',
    { file, offset: size },
  )
}
