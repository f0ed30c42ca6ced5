import type { Directory, File, OpenMode } from '../../../src/persistence/directory.ts'

/** An operation of the disk, for a test that makes it fail. */
export interface Operation {
  readonly kind:
    | 'create'
    | 'write'
    | 'truncate'
    | 'syncFile'
    | 'rename'
    | 'remove'
    | 'syncDirectory'
  readonly name: string
}

export interface Failure {
  readonly error: Error
  /** The part of a write that is done before it fails. */
  readonly done: number
}

/** The fate of unsynced writes in a power failure. */
export type Fate = 'kept' | 'lost' | 'mixed'

type Change =
  | { readonly kind: 'write'; readonly bytes: Buffer; readonly position: number }
  | { readonly kind: 'truncate'; readonly size: number }

interface Inode {
  /** As every process sees it. */
  content: Buffer
  /** As it is after a power failure, and the writes since. */
  synced: Buffer
  unsynced: Change[]
}

const sectorSize = 512

/**
 * A directory in memory that knows which of its content is on disk: `crash` returns the files that another
 * server would find. `failure` decides before each operation whether it fails.
 */
export class MemoryDisk implements Directory {
  readonly path = '/memory'
  failure: (operation: Operation) => Failure | undefined = () => undefined
  /** All operations except reads. */
  readonly operations: Operation[] = []
  #entries = new Map<string, Inode>()
  /** The names after a power failure, and the changes since. */
  #syncedEntries = new Map<string, Inode>()
  #unsyncedEntries: Map<string, Inode>[] = []

  static of(files: ReadonlyMap<string, Uint8Array>): MemoryDisk {
    const disk = new MemoryDisk()
    for (const [name, bytes] of files) {
      disk.#entries.set(name, inodeOf(Buffer.from(bytes)))
    }
    disk.#syncedEntries = new Map(disk.#entries)
    return disk
  }

  /** All files as they are. */
  get files(): Map<string, Buffer> {
    return new Map(Array.from(this.#entries, ([name, { content }]) => [name, Buffer.from(content)]))
  }

  /** Ends the process; the machine continues, and unsynced content may still be lost later. */
  killProcess(): void {
    this.failure = () => undefined
    for (const name of this.#entries.keys()) if (isLock(name)) this.#entries.delete(name)
  }

  /** The files that are left after a power failure, or after the end of the process. */
  crash(fate: Fate, fraction: () => number = () => 0): MemoryDisk {
    const entries = this.#entriesAfter(fate, fraction)
    const left = [...entries].filter(([name]) => !isLock(name))
    return MemoryDisk.of(
      new Map(left.map(([name, inode]) => [name, contentAfter(inode, fate, fraction)])),
    )
  }

  async make(): Promise<void> {}

  async list(): Promise<string[]> {
    return [...this.#entries.keys()].toSorted()
  }

  async open(name: string, mode: OpenMode): Promise<File> {
    const known = this.#entries.get(name)
    if (mode !== 'create') {
      if (known === undefined) throw systemError('ENOENT', `no file ${name}`)
      return this.#fileOf(name, known)
    }
    this.#perform({ kind: 'create', name })
    if (known !== undefined) throw systemError('EEXIST', `file ${name} is there already`)
    const inode = inodeOf(Buffer.alloc(0))
    this.#changeEntries((entries) => entries.set(name, inode))
    return this.#fileOf(name, inode)
  }

  async rename(from: string, to: string): Promise<void> {
    this.#perform({ kind: 'rename', name: from })
    const inode = this.#entries.get(from)
    if (inode === undefined) throw systemError('ENOENT', `no file ${from}`)
    this.#changeEntries((entries) => {
      entries.delete(from)
      entries.set(to, inode)
    })
  }

  async remove(name: string): Promise<void> {
    this.#perform({ kind: 'remove', name })
    if (!this.#entries.has(name)) throw systemError('ENOENT', `no file ${name}`)
    this.#changeEntries((entries) => entries.delete(name))
  }

  async sync(): Promise<void> {
    this.#perform({ kind: 'syncDirectory', name: '' })
    this.#syncedEntries = new Map(this.#entries)
    this.#unsyncedEntries = []
  }

  #perform(operation: Operation): void {
    const failure = this.#attempt(operation)
    if (failure !== undefined) throw failure.error
  }

  #attempt(operation: Operation): Failure | undefined {
    this.operations.push(operation)
    return this.failure(operation)
  }

  #changeEntries(make: (entries: Map<string, Inode>) => void): void {
    make(this.#entries)
    this.#unsyncedEntries.push(new Map(this.#entries))
  }

  /** A journaling file system keeps the order of changes of names, but may lose the last ones. */
  #entriesAfter(fate: Fate, fraction: () => number): ReadonlyMap<string, Inode> {
    if (fate === 'kept') return this.#entries
    if (fate === 'lost') return this.#syncedEntries
    const states = [this.#syncedEntries, ...this.#unsyncedEntries]
    return states[Math.floor(fraction() * states.length)] ?? this.#entries
  }

  #fileOf(name: string, inode: Inode): File {
    return {
      size: async () => inode.content.length,
      read: async (target, position) => inode.content.copy(target, 0, position),
      write: async (bytes, position) => {
        const failure = this.#attempt({ kind: 'write', name })
        const done = Buffer.from(bytes.subarray(0, bytes.length * (failure?.done ?? 1)))
        if (done.length > 0) apply(inode, { kind: 'write', bytes: done, position })
        if (failure !== undefined) throw failure.error
      },
      truncate: async (size) => {
        this.#perform({ kind: 'truncate', name })
        apply(inode, { kind: 'truncate', size })
      },
      sync: async () => {
        this.#perform({ kind: 'syncFile', name })
        inode.synced = inode.content
        inode.unsynced = []
      },
      close: async () => undefined,
    }
  }
}

/** A lock belongs to the process that runs the tests, which would count as alive. */
function isLock(name: string): boolean {
  return name.startsWith('lock.')
}

function inodeOf(content: Buffer): Inode {
  return { content, synced: content, unsynced: [] }
}

function apply(inode: Inode, made: Change): void {
  inode.content = changed(inode.content, made)
  inode.unsynced.push(made)
}

function changed(content: Buffer, change: Change): Buffer {
  if (change.kind === 'truncate') return Buffer.from(content.subarray(0, change.size))
  const { bytes, position } = change
  const after = Buffer.alloc(Math.max(content.length, position + bytes.length))
  content.copy(after)
  bytes.copy(after, position)
  return after
}

/** Of an unsynced write, every sector may be written or not; missing sectors are zeros. */
function contentAfter(inode: Inode, fate: Fate, fraction: () => number): Buffer {
  if (fate === 'kept') return inode.content
  if (fate === 'lost') return inode.synced
  let content = inode.synced
  for (const change of inode.unsynced) {
    if (fraction() < 0.3) break
    content =
      change.kind === 'truncate' ? changed(content, change) : tornWrite(content, change, fraction)
  }
  return content
}

function tornWrite(
  content: Buffer,
  { bytes, position }: Change & { kind: 'write' },
  fraction: () => number,
): Buffer {
  const reached = Math.ceil(fraction() * bytes.length)
  let after = changed(content, {
    kind: 'write',
    bytes: Buffer.alloc(0),
    position: position + reached,
  })
  for (let start = 0; start < reached; start += sectorSize) {
    if (fraction() < 0.3) continue
    const sector = bytes.subarray(start, Math.min(start + sectorSize, reached))
    after = changed(after, { kind: 'write', bytes: sector, position: position + start })
  }
  return after
}

export function systemError(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code })
}
