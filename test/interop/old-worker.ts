/** A process with Elastic-Job 2.1.5, and what it says of its runs. */
import { fileURLToPath } from 'node:url'

import { compileJava, spawnJava } from '../zookeeper/harness/java.ts'
import { JsonLines } from '../zookeeper/harness/json-lines.ts'
import { mavenJars } from '../zookeeper/harness/maven.ts'
import type { JavaWorkerOptions } from './java-worker.ts'

const project = new URL('java-2x/', import.meta.url)
const pom = fileURLToPath(new URL('pom.xml', project))
const source = fileURLToPath(
  new URL('src/main/java/elasticjob/interop/old/OldWorker.java', project),
)

/** The class of its job. */
export const oldJob = 'elasticjob.interop.old.OldWorker$RecordedJob'

/** Builds the worker, unless it has been built before, and gives its classpath. */
export async function buildOldWorker(): Promise<readonly string[]> {
  const jars = await mavenJars(pom)
  return [await compileJava([source], jars), ...jars]
}

export class OldWorker {
  readonly #talk: JsonLines
  readonly #ran = new Map<string, () => void>()

  private constructor(
    talk: (onEvent: (event: Readonly<Record<string, unknown>>) => void) => JsonLines,
  ) {
    this.#talk = talk(({ job }) => this.#ran.get(job as string)?.())
  }

  /** Starts the process; it is connected when this resolves. */
  static async spawn({
    servers,
    namespace,
    sessionTimeout,
    ip,
  }: JavaWorkerOptions): Promise<OldWorker> {
    const child = spawnJava({
      mainClass: 'elasticjob.interop.old.OldWorker',
      classpath: await buildOldWorker(),
      args: [servers, namespace, `${sessionTimeout}`, ip],
      properties: {
        'org.slf4j.simpleLogger.defaultLogLevel': 'warn',
        'org.quartz.scheduler.skipUpdateCheck': 'true',
      },
      flags: ['-XX:TieredStopAtLevel=1'],
      maxHeap: '128m',
      stdio: 'pipe',
    })
    const worker = new OldWorker((onEvent) => new JsonLines(child, onEvent))
    await worker.#talk.send({ op: 'connect' })
    return worker
  }

  /** Takes part in a job; gives the id under which it does. */
  async start(job: string, cron: string, shards: number): Promise<string> {
    return (await this.#talk.send({ op: 'start', job, cron, shards })) as string
  }

  /** Resolves when it next runs a shard of the job. */
  runs(job: string): Promise<void> {
    return new Promise((resolve) => this.#ran.set(job, resolve))
  }

  /** Ends the process, and with it its session. */
  close(): Promise<void> {
    return this.#talk.end(15_000)
  }
}
