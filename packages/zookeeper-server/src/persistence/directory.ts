import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { temporaryName } from './names.ts'

/** `read` an existing file, `write` to an existing file, `create` a new file. */
export type OpenMode = 'read' | 'write' | 'create'

/** An open file. */
export interface File {
  size(): Promise<number>
  /** Reads from this position, and returns the number of bytes read. */
  read(target: Uint8Array, position: number): Promise<number>
  write(bytes: Uint8Array, position: number): Promise<void>
  truncate(size: number): Promise<void>
  /** Resolves when everything written survives a power failure. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** The files of one directory, by name: all file system access of the persistence layer. */
export interface Directory {
  /** Its path, for messages. */
  readonly path: string
  /** Creates it if it does not exist. */
  make(): Promise<void>
  list(): Promise<string[]>
  open(name: string, mode: OpenMode): Promise<File>
  /** Replaces an existing file of the new name. */
  rename(from: string, to: string): Promise<void>
  remove(name: string): Promise<void>
  /** Resolves when creations, renames and removals survive a power failure. */
  sync(): Promise<void>
}

const flags: Readonly<Record<OpenMode, string>> = { read: 'r', write: 'r+', create: 'wx' }

/** The log contains session passwords and data protected by ACLs, so only the owner may read it. */
const directoryPermissions = 0o700
const filePermissions = 0o600

/** A directory of the local file system. */
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
  // A new directory is an entry of its parent, and could be lost with all its content.
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await syncDirectory(dirname(made))
  }
}

async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open directories; its file system journals names by itself.
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
    // A nearly full disk may write a part only and report it through the returned size.
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

/** Creates a file atomically: it gets its name only once its whole content survives a power failure. */
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
    // A file that cannot be removed now is removed at the next start.
    await directory.remove(temporary).catch(() => undefined)
    throw error
  }
  await directory.sync()
}
