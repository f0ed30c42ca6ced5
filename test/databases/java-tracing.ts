/** Real Java ElasticJob with its tracing: its jars come from Maven Central, its class from `java/`. */
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { compileJava, isOnPath, spawnJava } from '../zookeeper/harness/java.ts'
import { mavenJars } from '../zookeeper/harness/maven.ts'

const project = fileURLToPath(new URL('java/', import.meta.url))
const pom = join(project, 'pom.xml')
const source = join(project, 'src/JavaTracing.java')

/** Whether this machine can build it. */
export function javaTracingAvailable(): boolean {
  return isOnPath('java') && isOnPath('javac') && isOnPath('mvn')
}

/**
 * `run`: a job of three shards every second, the middle one of which fails, until its input ends. `measure`: so many
 * runs told to Java's tracing; the line that it prints says what that took.
 */
export async function spawnJavaTracing(
  command: 'run' | 'measure',
  database: { readonly url: string; readonly user: string },
  args: readonly string[],
  launcher: readonly string[] = [],
): Promise<ChildProcess> {
  const jars = await mavenJars(pom)
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
