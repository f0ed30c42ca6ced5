import { readFile } from 'node:fs/promises'
import { DataDirectoryError } from '../errors.ts'
import type { Directory } from './directory.ts'
import { lockName, parseName } from './names.ts'

/** A process, told apart from a later one with the same number by when it started. */
export interface ProcessIdentity {
  readonly pid: number
  /** `0` where the machine does not say. */
  readonly start: string
}

/** Who is there to hold locks. */
export interface Processes {
  self(): Promise<ProcessIdentity>
  isRunning(process: ProcessIdentity): Promise<boolean>
}

/** A directory that is this process's alone. */
export interface DirectoryLock {
  /** The processes whose locks were found although they run no more. */
  readonly inheritedFrom: readonly number[]
  release(): Promise<void>
}

/**
 * Takes the directory, or says who has it. Each server puts its lock up before it looks for others:
 * of two that come at the same time at least one sees the other, and never do both stay.
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

/** Somebody may have removed it already, by hand or with the whole directory. */
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
    `${directory.path} is in use by the server in process ${pid}: stop that one, or choose another ` +
      `directory. If there is no such server, remove ${file}`,
    { file },
  )
}

/** The processes of the machine. */
export const machineProcesses: Processes = {
  async self() {
    return { pid: process.pid, start: (await startOf(process.pid)) ?? '0' }
  },
  async isRunning({ pid, start }) {
    try {
      process.kill(pid, 0)
    } catch (error) {
      // Anything else says that it is there and somebody else's.
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    }
    const actual = await startOf(pid)
    return actual === undefined || start === '0' || actual === start
  },
}

/** When a process was started, within which run of the machine; only Linux says so. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    // The name of the program comes in parentheses and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // It has ended, and its parent has not taken note yet: no lock is named like this.
    if (fields[0] === 'Z') return 'ended'
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1')
    return `${fields[19]}-${boot.slice(0, 8)}`
  } catch {
    return undefined
  }
}
