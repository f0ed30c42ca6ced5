import { type Directory, type File, publishFile } from './directory.ts'
import { encodeHeader, headerSize } from './file-header.ts'
import type { LogDamage } from './log-damage.ts'
import type { LogEnd } from './log-reader.ts'
import { logName, setAsideName } from './names.ts'

/** What a start with `acceptDataLoss` dropped. */
export interface DataLoss extends LogDamage {
  /** The transaction that the server continues from. */
  readonly lastZxid: number
  /** The names of the preserved damaged files. */
  readonly keptAs: readonly string[]
}

/** Renames a file that is not usable any more, and returns its new name. */
export async function setAside(directory: Directory, file: string): Promise<string> {
  const name = setAsideName(file, await directory.list())
  await directory.rename(file, name)
  return name
}

/**
 * Replaces a damaged log file by its readable part, and returns the name of the preserved original. The
 * original is copied, not renamed: a crash in between leaves the damage unchanged, and no gap.
 */
export async function replaceDamagedLog(directory: Directory, log: LogEnd): Promise<string> {
  const name = logName(log.firstZxid)
  const keptAs = setAsideName(name, await directory.list())
  const { directoryId, firstZxid: zxid } = log
  await publishFile(directory, keptAs, (file) => copyBytes(directory, name, file, 0))
  await publishFile(directory, name, async (file) => {
    await file.write(encodeHeader({ kind: 'log', directoryId, zxid }).bytes, 0)
    await copyBytes(directory, name, file, headerSize, log.size)
  })
  return keptAs
}

const chunkSize = 1024 * 1024

async function copyBytes(
  directory: Directory,
  name: string,
  to: File,
  start: number,
  end?: number,
): Promise<void> {
  const from = await directory.open(name, 'read')
  try {
    const last = end ?? (await from.size())
    for (let offset = start; offset < last; offset += chunkSize) {
      const chunk = Buffer.alloc(Math.min(chunkSize, last - offset))
      await from.read(chunk, offset)
      await to.write(chunk, offset)
    }
  } finally {
    await from.close()
  }
}
