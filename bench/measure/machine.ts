import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { promisify } from 'node:util'
import { javaAvailable } from '../../test/zookeeper/harness/java.ts'

/** Where a measurement was made: figures mean nothing without it. */
export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGigabytes: number
  readonly system: string
  readonly node: string
  readonly java: string
}

export async function describeMachine(): Promise<Machine> {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${distribution()}, ${type()} ${release()}`,
    node: process.version,
    java: await javaVersion(),
  }
}

/** Without a real ZooKeeper there is nothing to compare with. */
export function requireZooKeeper(): void {
  if (javaAvailable()) return
  throw new Error('This needs a real ZooKeeper and a JDK: npm run setup:zookeeper installs them.')
}

/** The processes that wanted a core during the last minute; what others do spoils the figures. */
export function load(): number {
  return loadavg()[0] ?? 0
}

function distribution(): string {
  const file = '/etc/os-release'
  if (!existsSync(file)) return process.platform
  return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? process.platform
}

/** Java speaks of its version on stderr. */
async function javaVersion(): Promise<string> {
  try {
    const { stderr } = await promisify(execFile)('java', ['-version'])
    return /version "([^"]+)"/.exec(stderr)?.[1] ?? 'unknown'
  } catch {
    return 'absent'
  }
}
