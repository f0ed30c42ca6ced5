import { MalformedRecordError } from '@elasticjob/zookeeper/protocol'
import type { RecoveryTarget, Snapshot } from '../durability.ts'
import { DataDirectoryError } from '../errors.ts'
import { type Directory, type File, publishFile } from './directory.ts'
import { encodeHeader, headerSize, readHeader } from './file-header.ts'
import { completeFrame } from './frame.ts'
import { FrameReader } from './frame-reader.ts'
import { snapshotName } from './names.ts'
import { decodeEnd, SnapshotDecoder, SnapshotEncoder } from './snapshot-codec.ts'

/** The log that continues while a snapshot is written. */
export interface LogProgress {
  readonly lastZxid: number
  sync(): Promise<void>
}

export interface WrittenSnapshot {
  readonly zxid: number
  readonly file: string
  readonly nodes: number
  readonly bytes: number
}

/** Writes the state to a file, one block at a time. */
export async function writeSnapshot(
  directory: Directory,
  directoryId: bigint,
  snapshot: Snapshot,
  log: LogProgress,
  signal: AbortSignal,
): Promise<WrittenSnapshot> {
  const { zxid } = snapshot
  const name = snapshotName(zxid)
  const encoder = new SnapshotEncoder(snapshot)
  const header = encodeHeader({ kind: 'snapshot', directoryId, zxid })
  let size = 0
  await publishFile(directory, name, async (file) => {
    const write = async (bytes: Buffer): Promise<void> => {
      signal.throwIfAborted()
      await file.write(bytes, size)
      size += bytes.length
    }
    const writeFrame = (frame: Buffer): Promise<void> => {
      completeFrame(frame, header.seed, size)
      return write(frame)
    }
    await write(header.bytes)
    for (const frame of encoder.blocks()) await writeFrame(frame)
    await writeFrame(encoder.end(log.lastZxid))
    // The nodes show transactions up to now. If these were missing from the log after a crash, the snapshot
    // would contain half of something that never happened.
    await log.sync()
  })
  return { zxid, file: name, nodes: encoder.nodes, bytes: size }
}

/** A snapshot that was read to its end and is intact. */
export interface VerifiedSnapshot {
  readonly zxid: number
  readonly directoryId: bigint
  /** The snapshot is usable only if the log reaches this zxid. */
  readonly upTo: number
}

/** Reads a snapshot without applying it: a damaged one must not leave a partial state. */
export async function verifySnapshot(
  directory: Directory,
  zxid: number,
): Promise<VerifiedSnapshot> {
  const name = snapshotName(zxid)
  return withFile(directory, name, async (file) => {
    const { directoryId, seed } = await readHeader(file, name, 'snapshot', zxid)
    const reader = new FrameReader(file, await file.size(), seed, headerSize)
    for await (const payload of frames(reader, name)) {
      const upTo = decodeEnd(payload)
      if (upTo === undefined) continue
      if (reader.remaining === 0) return { zxid, directoryId, upTo }
      throw damaged(name, reader.offset, 'it continues after its end')
    }
    throw damaged(name, reader.offset, 'its end is missing')
  })
}

/** Fills a state from a verified snapshot. */
export async function loadSnapshot(
  directory: Directory,
  { zxid }: VerifiedSnapshot,
  target: RecoveryTarget,
): Promise<void> {
  const name = snapshotName(zxid)
  await withFile(directory, name, async (file) => {
    const { seed } = await readHeader(file, name, 'snapshot', zxid)
    const reader = new FrameReader(file, await file.size(), seed, headerSize)
    const decoder = new SnapshotDecoder(zxid, target)
    for await (const payload of frames(reader, name)) {
      try {
        decoder.decode(payload)
      } catch (error) {
        if (!(error instanceof MalformedRecordError)) throw error
        throw damaged(name, reader.offset, `${error.message}. Restore the directory from a backup`)
      }
    }
  })
}

async function withFile<T>(
  directory: Directory,
  name: string,
  use: (file: File) => Promise<T>,
): Promise<T> {
  const file = await directory.open(name, 'read')
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

async function* frames(reader: FrameReader, name: string): AsyncGenerator<Buffer> {
  for (;;) {
    const reading = await reader.next()
    if (reading.kind === 'end') return
    if (reading.kind === 'damage') throw damaged(name, reader.offset, reading.problem)
    yield reading.payload
  }
}

function damaged(file: string, offset: number, problem: string): DataDirectoryError {
  return new DataDirectoryError(
    'ZKS_DATA_DIR_CORRUPT',
    `${file} is damaged at offset ${offset}: ${problem}`,
    { file, offset },
  )
}
