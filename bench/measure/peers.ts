/** Packages of others: each folder of `bench/peers` has a lockfile and a `node_modules` of its own. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { progress } from './progress.ts'

export function peerFolder(name: string): string {
  return fileURLToPath(new URL(`../peers/${name}/`, import.meta.url))
}

/**
 * Installs the packages of a folder, if they are not there.
 * @param afterFailure what to tell npm in a second attempt; without it there is none
 * @returns what went wrong in the first attempt; empty if nothing did
 */
export async function installPeer(name: string, afterFailure?: string): Promise<string> {
  if (existsSync(join(peerFolder(name), 'node_modules'))) return ''
  progress(`installing bench/peers/${name}`)
  try {
    await npmCi(name)
    return ''
  } catch (error) {
    if (afterFailure === undefined) throw error
    await npmCi(name, afterFailure).catch(() => {})
    return error instanceof Error ? error.message : String(error)
  }
}

async function npmCi(name: string, ...options: readonly string[]): Promise<void> {
  const folder = peerFolder(name)
  // Said aloud, or a silent `npm run` would make this one silent, too.
  const args = ['ci', '--prefix', folder, '--loglevel', 'error', ...options]
  await promisify(execFile)('npm', args, { cwd: folder })
}
