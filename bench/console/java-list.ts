/**
 * The list of jobs as Java's console answers it. Its back end is not on Maven Central; what its list comes
 * from is: it calls `JobStatisticsAPI` of elasticjob-lite-lifecycle, which reads every node by itself.
 */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { elasticJobJars, mavenAvailable } from '../../test/interop/java-worker.ts'
import { compileJava, spawnJava } from '../../test/zookeeper/harness/java.ts'
import { exited } from '../../test/zookeeper/harness/owned-process.ts'
import { launcher } from '../measure/cores.ts'

export { mavenAvailable as javaListAvailable }

export interface JavaList {
  readonly took: readonly number[]
  readonly jobs: number
}

export async function measureJavaList(
  servers: string,
  namespace: string,
  times: number,
  pinned: boolean,
): Promise<JavaList> {
  const jars = await elasticJobJars()
  const source = fileURLToPath(new URL('java/JobList.java', import.meta.url))
  const child = spawnJava({
    mainClass: 'JobList',
    classpath: [await compileJava([source], jars), ...jars],
    args: [servers, namespace, String(times)],
    properties: { 'org.slf4j.simpleLogger.defaultLogLevel': 'off' },
    maxHeap: '1g',
    launcher: launcher('client', pinned),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (child.stdout === null) throw new Error('Java has no output')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  await exited(child)
  return JSON.parse(line) as JavaList
}
