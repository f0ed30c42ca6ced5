import { JuteReader, JuteWriter } from '@elasticjob/zookeeper/protocol'
import { crc32 } from 'node:zlib'
import { DataDirectoryError } from '../errors.ts'
import { writeLong } from '../wire.ts'
import type { File } from './directory.ts'
import { readLong } from './long.ts'

export type FileKind = 'log' | 'snapshot'

/** The header of every file. */
export interface FileHeader {
  readonly kind: FileKind
  /**
   * The same in all files of a directory and unique to it, so that a file of another directory is detected.
   */
  readonly directoryId: bigint
  /** The first transaction of a log, or the last of a snapshot; also in the file name. */
  readonly zxid: number
}

export interface EncodedHeader {
  readonly bytes: Buffer
  /** The start value of the checksums of the file's frames. */
  readonly seed: number
}

export const headerSize = 32

const magic: Readonly<Record<FileKind, number>> = {
  log: 0x455a4c31, // EZL1
  snapshot: 0x455a5331, // EZS1
}
const formatVersion = 1
const checkedSize = headerSize - 4

export function encodeHeader({ kind, directoryId, zxid }: FileHeader): EncodedHeader {
  const writer = new JuteWriter()
  writer.int(magic[kind])
  writer.int(formatVersion)
  writer.long(directoryId)
  writeLong(writer, zxid)
  writer.int(0)
  writer.int(0)
  const bytes = writer.take()
  const seed = crc32(bytes.subarray(0, checkedSize))
  bytes.writeUInt32BE(seed, checkedSize)
  return { bytes, seed }
}

/** Reads the header of a file, and checks its kind and zxid. */
export async function readHeader(
  file: File,
  name: string,
  kind: FileKind,
  zxid: number,
): Promise<FileHeader & { readonly seed: number }> {
  const bytes = Buffer.alloc(headerSize)
  const length = await file.read(bytes, 0)
  if (length < headerSize)
    throw damaged(name, `it has ${length} bytes, which is less than its header`)
  const reader = new JuteReader(bytes)
  if (reader.int() !== magic[kind]) throw damaged(name, `it does not begin like a ${kind} file`)
  const seed = crc32(bytes.subarray(0, checkedSize))
  if (bytes.readUInt32BE(checkedSize) !== seed) throw damaged(name, 'its header is damaged')
  const version = reader.int()
  if (version !== formatVersion) {
    throw new DataDirectoryError(
      'ZKS_DATA_DIR_VERSION',
      `${name} has format version ${version}, but this server supports only version ${formatVersion}: ` +
        'use the version of the server that wrote it, or another directory',
      { file: name, offset: 4 },
    )
  }
  const directoryId = reader.long()
  const written = readLong(reader)
  if (written !== zxid) {
    throw damaged(
      name,
      `its header says zxid ${written}, which does not match its name: the file was renamed`,
    )
  }
  return { kind, directoryId, zxid, seed }
}

function damaged(file: string, problem: string): DataDirectoryError {
  return new DataDirectoryError('ZKS_DATA_DIR_CORRUPT', `cannot use ${file}: ${problem}`, {
    file,
    offset: 0,
  })
}
