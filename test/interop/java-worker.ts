/** The Java worker: its jars come from Maven Central, its classes from the sources in `java/`. */
import type { ChildProcess } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { compileJava, isOnPath, spawnJava } from '../zookeeper/harness/java.ts'
import { mavenJars } from '../zookeeper/harness/maven.ts'

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
export function elasticJobJars(): Promise<readonly string[]> {
  return mavenJars(pom)
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
