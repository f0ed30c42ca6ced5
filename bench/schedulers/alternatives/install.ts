import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { progress } from '../../measure/progress.ts'
import { type Contender, peers } from './contenders.ts'

/** Installs the schedulers of npm into their own folders, if they are not there. */
export async function installPeers(): Promise<void> {
  for (const peer of peers) await install(peer)
}

async function install({ name, id }: Contender): Promise<void> {
  const folder = fileURLToPath(new URL(id, import.meta.url))
  if (existsSync(join(folder, 'node_modules'))) return
  progress(`installing ${name}`)
  // Said aloud, or a silent `npm run` would make this one silent, too.
  const args = ['ci', '--prefix', folder, '--loglevel', 'error']
  await promisify(execFile)('npm', args, { cwd: folder })
}
