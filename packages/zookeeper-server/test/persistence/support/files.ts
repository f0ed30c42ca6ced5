import { headerSize } from '../../../src/persistence/file-header.ts'
import { frameHeaderSize } from '../../../src/persistence/frame.ts'

/** Where the frames of a file begin. */
export function frameOffsets(bytes: Buffer): number[] {
  const offsets: number[] = []
  for (let offset = headerSize; offset < bytes.length;) {
    offsets.push(offset)
    offset += frameHeaderSize + bytes.readInt32BE(offset)
  }
  return offsets
}

/** The files with one of them replaced or removed. */
export function withFile(
  files: ReadonlyMap<string, Buffer>,
  name: string,
  bytes: Buffer | undefined,
): Map<string, Buffer> {
  const changed = new Map(files)
  if (bytes === undefined) changed.delete(name)
  else changed.set(name, bytes)
  return changed
}

export function flipped(bytes: Buffer, offset: number, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[offset] = (copy[offset] as number) ^ (1 << bit)
  return copy
}

/** The names of one kind, oldest first. */
export function named(files: ReadonlyMap<string, Buffer>, kind: 'log' | 'snapshot'): string[] {
  return [...files.keys()].filter((name) => name.startsWith(`${kind}.`)).toSorted()
}

/** The name of the newest file of a kind. */
export function newest(files: ReadonlyMap<string, Buffer>, kind: 'log' | 'snapshot'): string {
  const name = named(files, kind).at(-1)
  if (name === undefined) throw new Error(`there is no ${kind}`)
  return name
}
