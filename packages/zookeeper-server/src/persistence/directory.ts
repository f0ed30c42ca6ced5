import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { temporaryName } from './names.ts'

/** `read` what is there, `write` to what is there, `create` what must not be there yet. */
export type OpenMode = 'read' | 'write' | 'create'

/** A file that is open. */
export interface File {
  size(): Promise<number>
  /** Fills the target from this position on, and answers how much of it the file had bytes for. */
  read(target: Uint8Array, position: number): Promise<number>
  write(bytes: Uint8Array, position: number): Promise<void>
  truncate(size: number): Promise<void>
  /** Resolves when all that was written outlasts a loss of power. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** The files of one directory, by their names. All that persistence asks of the machine. */
export interface Directory {
  /** Where it is, for people. */
  readonly path: string
  /** Makes sure that it exists. */
  make(): Promise<void>
  list(): Promise<string[]>
  open(name: string, mode: OpenMode): Promise<File>
  /** Replaces what has the new name already. */
  rename(from: string, to: string): Promise<void>
  remove(name: string): Promise<void>
  /** Resolves when creations, renamings and removals outlast a loss of power. */
  sync(): Promise<void>
}

const flags: Readonly<Record<OpenMode, string>> = { read: 'r', write: 'r+', create: 'wx' }

/** The log holds the passwords of sessions and data that ACLs protect: nobody else may read it. */
const directoryPermissions = 0o700
const filePermissions = 0o600

/** A directory of the machine. */
export function machineDirectory(path: string): Directory {
  const at = (name: string): string => join(path, name)
  return {
    path,
    make: () => makeDirectory(resolve(path)),
    list: () => readdir(path),
    async open(name, mode) {
      return new MachineFile(await open(at(name), flags[mode], filePermissions))
    },
    rename: (from, to) => rename(at(from), at(to)),
    remove: (name) => rm(at(name)),
    sync: () => syncDirectory(path),
  }
}

async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: directoryPermissions })
  if (first === undefined) return
  // A new directory is an entry of the one above, and could be lost with all that is in it.
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await syncDirectory(dirname(made))
  }
}

async function syncDirectory(path: string): Promise<void> {
  // Windows opens no directories; what it does to names is in its journal without being asked.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

class MachineFile implements File {
  readonly #handle: FileHandle

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size
  }

  async read(target: Uint8Array, position: number): Promise<number> {
    let filled = 0
    while (filled < target.length) {
      const rest = target.length - filled
      const { bytesRead } = await this.#handle.read(target, filled, rest, position + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return filled
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    let written = 0
    // A disk that is nearly full takes a part and says so only by its size.
    while (written < bytes.length) {
      const rest = bytes.length - written
      const { bytesWritten } = await this.#handle.write(bytes, written, rest, position + written)
      written += bytesWritten
    }
  }

  truncate(size: number): Promise<void> {
    return this.#handle.truncate(size)
  }

  sync(): Promise<void> {
    return this.#handle.datasync()
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

/**
 * Makes a file that is either there as a whole or not at all: it has its name only once all of it
 * outlasts a loss of power.
 */
export async function publishFile(
  directory: Directory,
  name: string,
  fill: (file: File) => Promise<void>,
): Promise<void> {
  const temporary = temporaryName(name)
  const file = await directory.open(temporary, 'create')
  try {
    try {
      await fill(file)
      await file.sync()
    } finally {
      await file.close()
    }
    await directory.rename(temporary, name)
  } catch (error) {
    // What cannot be removed now is removed at the next start.
    await directory.remove(temporary).catch(() => undefined)
    throw error
  }
  await directory.sync()
}
