/** Real Java ElasticJob with its tracing: its jars come from Maven Central, its class from `java/`. */
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
const source = join(project, 'src/JavaTracing.java')

/** Whether this machine can build it. */
export function javaTracingAvailable(): boolean {
  return isOnPath('java') && isOnPath('javac') && isOnPath('mvn')
}

/**
 * `run`: a job of three items every second, the middle one of which fails, until its input ends.
 * `measure`: so many runs told to Java's tracing; the line that it prints says what that took.
 */
export async function spawnJavaTracing(
  command: 'run' | 'measure',
  database: { readonly url: string; readonly user: string },
  args: readonly string[],
  launcher: readonly string[] = [],
): Promise<ChildProcess> {
  const jars = await fetchJars()
  return spawnJava({
    mainClass: 'JavaTracing',
    classpath: [await compileJava([source], jars), ...jars],
    args: [command, jdbcUrlOf(database.url), database.user, ...args],
    properties: {
      'org.slf4j.simpleLogger.defaultLogLevel': 'warn',
      'org.quartz.scheduler.skipUpdateCheck': 'true',
      'user.timezone': process.env['TZ'] ?? 'UTC',
    },
    flags: ['-XX:TieredStopAtLevel=1'],
    maxHeap: '256m',
    stdio: 'pipe',
    ...(launcher.length === 0 ? {} : { launcher }),
  })
}

/** Java's address of a database that ours names. */
function jdbcUrlOf(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `jdbc:${protocol === 'mysql:' ? 'mysql' : 'postgresql'}://${host}${pathname}`
}

/** The jars that the project names, and all that these need; kept for as long as it stays the same. */
async function fetchJars(): Promise<readonly string[]> {
  const hash = createHash('sha256').update(await readFile(pom))
  const directory = join(javaCache, `jars-${hash.digest('hex').slice(0, 20)}`)
  if (!existsSync(directory)) {
    // Fetched elsewhere and renamed: nobody ever sees half of them.
    const unfinished = `${directory}.${process.pid}`
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
    await rename(unfinished, directory).catch(async (error: unknown) => {
      await rm(unfinished, { recursive: true })
      if (!existsSync(directory)) throw error
    })
  }
  return (await readdir(directory)).toSorted().map((name) => join(directory, name))
}
