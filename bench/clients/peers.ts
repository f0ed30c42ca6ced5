import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installPeer, peerFolder } from '../measure/peers.ts'

const folder = 'zookeeper-clients'
const requirePeer = createRequire(join(peerFolder(folder), 'package.json'))

/** As much of a failed installation's complaints as goes below the table. */
const reasonLength = 300

/** Why a client of npm cannot be measured here, by its name; those that can are not in it. */
export type Absences = ReadonlyMap<string, string>

/** One of the clients compiles a C library while it is installed; where that fails, the other is installed without it. */
export async function installClients(names: readonly string[]): Promise<Absences> {
  const failure = firstErrors(await installPeer(folder, '--ignore-scripts'))
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
