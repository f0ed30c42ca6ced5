import { spawn } from 'node:child_process'
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const children = new Set<ChildProcess>()
const directories = new Set<string>()

process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

/**
 * Makes the kernel end the child when its parent dies, for the deaths in which no exit handler
 * runs: a test worker that is killed would otherwise leave its servers behind.
 */
const dieWithParent = '/usr/bin/setpriv'

/** Starts a process that never outlives this one. */
export function spawnOwned(
  command: string,
  args: readonly string[],
  stdio: StdioOptions,
): ChildProcess {
  const child = existsSync(dieWithParent)
    ? spawn(dieWithParent, ['--pdeathsig', 'KILL', command, ...args], { stdio })
    : spawn(command, args, { stdio })
  children.add(child)
  child.once('exit', () => children.delete(child))
  child.once('error', () => children.delete(child))
  return child
}

/** Resolves when the process has ended; at once when it already has. */
export function exited(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasExited(child)) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
  })
}

export function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** A fresh directory that is removed at the latest when this process exits. */
export async function ownedDirectory(name: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `elasticjob-${name}-`))
  directories.add(directory)
  return directory
}

export function removeOwnedDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true })
  directories.delete(directory)
}
