import { readFile } from 'node:fs/promises'
import { DataDirectoryError } from '../errors.ts'
import type { Directory } from './directory.ts'
import { lockName, parseName } from './names.ts'

/** A process, distinguished from a later process with the same pid by its start time. */
export interface ProcessIdentity {
  readonly pid: number
  /** `0` where the system does not report it. */
  readonly start: string
}

/** Access to the processes of the machine. */
export interface Processes {
  self(): Promise<ProcessIdentity>
  isRunning(process: ProcessIdentity): Promise<boolean>
}

/** Exclusive use of a directory. */
export interface DirectoryLock {
  /** The dead processes whose locks were found. */
  readonly inheritedFrom: readonly number[]
  release(): Promise<void>
}

/**
 * Locks the directory, or reports its owner. Each server creates its lock before it looks for others: of two
 * that start at the same time at least one sees the other, and never do both continue.
 */
export async function lockDirectory(
  directory: Directory,
  processes: Processes = machineProcesses,
): Promise<DirectoryLock> {
  const self = await processes.self()
  const own = lockName(self.pid, self.start)
  await putUp(directory, own, self)
  try {
    const inheritedFrom: number[] = []
    for (const name of await directory.list()) {
      const lock = parseName(name)
      if (lock?.kind !== 'lock' || name === own) continue
      if (await processes.isRunning(lock)) throw locked(directory, name, lock.pid)
      inheritedFrom.push(lock.pid)
      await directory.remove(name)
    }
    return { inheritedFrom, release: () => takeDown(directory, own) }
  } catch (error) {
    await takeDown(directory, own)
    throw error
  }
}

async function putUp(directory: Directory, name: string, self: ProcessIdentity): Promise<void> {
  try {
    const file = await directory.open(name, 'create')
    await file.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw locked(directory, name, self.pid)
  }
}

/** The lock may already be gone, for example with the whole directory. */
async function takeDown(directory: Directory, name: string): Promise<void> {
  try {
    await directory.remove(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function locked(directory: Directory, file: string, pid: number): DataDirectoryError {
  return new DataDirectoryError(
    'ZKS_DATA_DIR_LOCKED',
    `${directory.path} is in use by the server with pid ${pid}: stop that server, or choose another ` +
      `directory. If no such server runs, delete ${file}`,
    { file },
  )
}

export const machineProcesses: Processes = {
  async self() {
    return { pid: process.pid, start: (await startOf(process.pid)) ?? '0' }
  },
  async isRunning({ pid, start }) {
    try {
      process.kill(pid, 0)
    } catch (error) {
      // Any other error means that the process exists and belongs to another user.
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    }
    const actual = await startOf(pid)
    return actual === undefined || start === '0' || actual === start
  },
}

/** The start time of a process and the boot id of the machine; only Linux reports them. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    // The program name is in parentheses and may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie: it has ended, and its parent has not reaped it. No lock has this name.
    if (fields[0] === 'Z') return 'ended'
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1')
    return `${fields[19]}-${boot.slice(0, 8)}`
  } catch {
    return undefined
  }
}
