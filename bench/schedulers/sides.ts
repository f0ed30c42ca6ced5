/** Whom is compared: Java's scheduler and ours, each as a program that does what the contract says. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { elasticJobJars, mavenAvailable } from '../../test/interop/java-worker.ts'
import { compileJava } from '../../test/zookeeper/harness/java.ts'
import type { WorkerOptions } from '../drivers/schedulers/contract.ts'
import { program } from '../measure/build.ts'
import type { Comparison } from '../report/report.ts'
import { Worker } from './worker.ts'

export const java = 'Java ElasticJob'
export const ours = '@elasticjob/core'
export const comparison: Comparison = { subject: ours, baseline: java }

/** As many as a machine of this size gives them by default would not fit beside each other. */
const javaFlags: readonly string[] = ['-XX:+UseSerialGC', '-Xmx2g']

export interface Side {
  readonly name: string
  readonly version: string
  readonly settings: string
  /** A process of this side; resolves when it is connected. */
  start(options: WorkerOptions): Promise<Worker>
}

/** Java first: it is the one compared with. */
export type Sides = readonly [java: Side, ours: Side]

export async function findSides(): Promise<Sides> {
  return [await javaSide(), await ourSide()]
}

async function javaSide(): Promise<Side> {
  if (!mavenAvailable()) {
    throw new Error('This needs Java ElasticJob, which Maven fetches: apt-get install maven')
  }
  const folder = fileURLToPath(new URL('java/', import.meta.url))
  const sources = (await readdir(folder)).toSorted().map((name) => join(folder, name))
  const jars = await elasticJobJars()
  const classpath = [await compileJava(sources, jars), ...jars].join(':')
  return {
    name: java,
    version: versionOf(jars, 'elasticjob-lite-core'),
    settings: `${javaFlags.join(' ')}, Curator ${versionOf(jars, 'curator-recipes')}, Quartz ${versionOf(jars, 'quartz')}, ZooKeeper client ${versionOf(jars, 'zookeeper')}, its own defaults, log level warn`,
    start: (options) =>
      Worker.start(java, [
        'java',
        ...javaFlags,
        '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
        '-Dorg.quartz.scheduler.skipUpdateCheck=true',
        '-cp',
        classpath,
        'elasticjob.bench.Worker',
        JSON.stringify(options),
      ]),
  }
}

async function ourSide(): Promise<Side> {
  const manifest = new URL('../../packages/core/package.json', import.meta.url)
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const [node = '', ...script] = program('drivers/schedulers/worker.js')
  return {
    name: ours,
    version,
    settings: 'compiled, its own defaults, no log',
    start: (options) =>
      Worker.start(ours, [node, '--expose-gc', ...script, JSON.stringify(options)]),
  }
}

/** The version in a jar's name. */
function versionOf(jars: readonly string[], artifact: string): string {
  const pattern = new RegExp(`^${artifact}-(\\d.*)\\.jar$`)
  for (const jar of jars) {
    const version = pattern.exec(basename(jar))?.[1]
    if (version !== undefined) return version
  }
  return 'unknown'
}
