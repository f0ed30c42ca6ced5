import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { progress } from '../measure/progress.ts'

const peersFolder = fileURLToPath(new URL('../peers/', import.meta.url))
const requirePeer = createRequire(join(peersFolder, 'package.json'))

/** As much of a failed installation's complaints as goes below the table. */
const reasonLength = 300

/** Why a client of npm cannot be measured here, by its name; those that can are not in it. */
export type Absences = ReadonlyMap<string, string>

/**
 * Installs the clients of npm into their own folder, if they are not there. One compiles a C library
 * while it is installed; where that fails, the other is installed without it.
 */
export async function installPeers(names: readonly string[]): Promise<Absences> {
  let failure = ''
  if (!existsSync(join(peersFolder, 'node_modules'))) {
    progress('installing the clients of npm into bench/peers')
    failure = await npmCi()
    if (failure !== '') await npmCi('--ignore-scripts')
  }
  const absences = new Map<string, string>()
  for (const name of names) {
    const reason = loadFailure(name)
    if (reason !== undefined) absences.set(name, `${reason} ${failure}`.trim())
  }
  return absences
}

export function peerVersion(name: string): string {
  return (requirePeer(`${name}/package.json`) as { version: string }).version
}

/** Runs `npm ci`; answers what went wrong, or nothing. */
async function npmCi(...options: readonly string[]): Promise<string> {
  // Said aloud, or a silent `npm run` would make this one silent, too.
  const args = ['ci', '--prefix', peersFolder, '--loglevel', 'error', ...options]
  try {
    await promisify(execFile)('npm', args, { cwd: peersFolder })
    return ''
  } catch (error) {
    return firstErrors(error instanceof Error ? error.message : String(error))
  }
}

/** What npm and the compiler call an error, shortened for a line below the table. */
function firstErrors(text: string): string {
  const lines = text.split('\n').filter((line) => /error/i.test(line))
  return lines.join('; ').slice(0, reasonLength) || text.slice(0, reasonLength)
}

/** Loaded here and not only when it is measured: a native module may be there and not fit this Node. */
function loadFailure(name: string): string | undefined {
  try {
    requirePeer(name)
    return undefined
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}
