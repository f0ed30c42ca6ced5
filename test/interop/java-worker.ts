/** The Java worker: its jars come from Maven Central, its classes from the sources in `java/`. */
import type { ChildProcess } from 'node:child_process'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compileJava, isOnPath, javaCache, spawnJava } from '../zookeeper/harness/java.ts'

const project = fileURLToPath(new URL('java/', import.meta.url))
const pom = join(project, 'pom.xml')
const sources = join(project, 'src/main/java/elasticjob/interop')
const resources = join(project, 'src/main/resources')

/** Whether this machine can build the worker. */
export function mavenAvailable(): boolean {
  return isOnPath('javac') && isOnPath('mvn')
}

/** Builds the worker, unless what it is made of has been built before, and gives its classpath. */
export async function buildJavaWorker(): Promise<readonly string[]> {
  const jars = await elasticJobJars()
  const files = (await readdir(sources)).toSorted().map((name) => join(sources, name))
  return [await compileJava(files, jars), resources, ...jars]
}

/** ElasticJob, and all that it needs. */
export async function elasticJobJars(): Promise<readonly string[]> {
  const directory = await fetchJars()
  const names = await readdir(directory)
  return names.toSorted().map((name) => join(directory, name))
}

/** The jars that the project names, and all that these need; kept for as long as it stays the same. */
async function fetchJars(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(pom))
  const jars = join(javaCache, `jars-${hash.digest('hex').slice(0, 20)}`)
  if (existsSync(jars)) return jars

  // Fetched elsewhere and renamed: nobody ever sees half of them.
  const unfinished = `${jars}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  await promisify(execFile)('mvn', [
    '--quiet',
    '--batch-mode',
    '--file',
    pom,
    'dependency:copy-dependencies',
    '-DincludeScope=runtime',
    `-DoutputDirectory=${unfinished}`,
  ])
  await rename(unfinished, jars).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true })
    if (!existsSync(jars)) throw error
  })
  return jars
}

export interface JavaWorkerOptions {
  readonly servers: string
  readonly namespace: string
  readonly sessionTimeout: number
  readonly ip: string
}

export async function spawnJavaWorker(options: JavaWorkerOptions): Promise<ChildProcess> {
  const { servers, namespace, sessionTimeout, ip } = options
  return spawnJava({
    mainClass: 'elasticjob.interop.JavaWorker',
    classpath: await buildJavaWorker(),
    args: [servers, namespace, `${sessionTimeout}`, ip],
    properties: {
      'org.slf4j.simpleLogger.defaultLogLevel': 'warn',
      'org.quartz.scheduler.skipUpdateCheck': 'true',
      // Scripts and time zones of the worker are those of the tests.
      'user.timezone': process.env['TZ'] ?? 'UTC',
    },
    flags: ['-XX:TieredStopAtLevel=1'],
    maxHeap: '128m',
    stdio: 'pipe',
  })
}
