/** One process that takes part in jobs, of either kind, and does as it is told. */
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { JobOptions } from '@elasticjob/core'
import { JsonLines } from '../zookeeper/harness/json-lines.ts'
import { exited, hasExited, spawnOwned } from '../zookeeper/harness/owned-process.ts'
import { spawnJavaWorker } from './java-worker.ts'
import type { Journal, JournalLine } from './journal.ts'
import type { OurWorkerOptions } from './our-worker-options.ts'
import type { Kind } from './run.ts'

const ourProgram = fileURLToPath(new URL('our-worker.ts', import.meta.url))

/** The class of the Java worker's simple job, which guards the job's name. */
export const recordedJob = 'elasticjob.interop.RecordedJob'

/** What the body of a job is. `other` is a Java class that no job of ours has. */
export type BodyKind = 'simple' | 'dataflow' | 'script' | 'one-off' | 'other'

/** What Java takes for granted only in its own builder: a configuration as text has to say it. */
const javaDefaults = {
  monitorExecution: true,
  misfire: true,
  maxTimeDiffSeconds: -1,
  reconcileIntervalMinutes: 10,
}

/** What Java's lifecycle API does. */
export type JavaAction =
  | 'trigger'
  | 'disable'
  | 'enable'
  | 'shutdown'
  | 'remove'
  | 'disable-shard'
  | 'enable-shard'

export class Peer {
  readonly name: string
  readonly kind: Kind
  readonly ip: string
  readonly #child: ChildProcess
  readonly #talk: JsonLines
  readonly #jobs = new Set<string>()

  private constructor(name: string, kind: Kind, ip: string, child: ChildProcess, journal: Journal) {
    this.name = name
    this.kind = kind
    this.ip = ip
    this.#child = child
    this.#talk = new JsonLines(child, (line) => journal.write(this, line as unknown as JournalLine))
  }

  /** Starts the process; it is connected when this resolves. */
  static async spawn(
    name: string,
    kind: Kind,
    options: OurWorkerOptions,
    journal: Journal,
  ): Promise<Peer> {
    const child = kind === 'java' ? await spawnJavaWorker(options) : spawnOurs(options)
    const peer = new Peer(name, kind, options.ip, child, journal)
    await peer.#talk.send({ op: 'connect' })
    return peer
  }

  get hasEnded(): boolean {
    return hasExited(this.#child)
  }

  /** Takes part in a job; gives the id under which it does. */
  async start(job: JobOptions, body: BodyKind = 'simple'): Promise<string> {
    this.#jobs.add(job.jobName)
    const { jobClass: _, ...described } = job
    const configuration = this.kind === 'java' ? { ...javaDefaults, ...described } : job
    return (await this.#talk.send({
      op: 'start',
      job: job.jobName,
      kind: body,
      configuration: JSON.stringify(configuration),
    })) as string
  }

  /** Triggers a one-off job. */
  async execute({ jobName }: JobOptions): Promise<void> {
    await this.#talk.send({ op: 'execute', job: jobName })
  }

  /** Bodies of the job that begin from now on do not end before `release`. */
  async hold({ jobName }: JobOptions): Promise<void> {
    await this.#talk.send({ op: 'hold', job: jobName })
  }

  async release({ jobName }: JobOptions): Promise<void> {
    await this.#talk.send({ op: 'release', job: jobName })
  }

  /** Takes no part in the job any more. */
  async stop({ jobName }: JobOptions): Promise<void> {
    this.#jobs.delete(jobName)
    await this.#talk.send({ op: 'stop', job: jobName })
  }

  /** Whether it takes no part in the job any more, whoever has asked for that. */
  async hasLeft({ jobName }: JobOptions): Promise<boolean> {
    return (await this.#talk.send({ op: 'has-ended', job: jobName })) as boolean
  }

  /** Has Java's lifecycle API do something; only a Java peer can. */
  async operate(
    action: JavaAction,
    { jobName }: JobOptions,
    about: { readonly ip?: string; readonly shard?: string } = {},
  ): Promise<void> {
    await this.#talk.send({ op: action, job: jobName, ...about })
  }

  /** The configuration as Java's lifecycle API reads it, and as Java writes it. */
  async configuration({ jobName }: JobOptions): Promise<string> {
    return (await this.#talk.send({ op: 'configuration', job: jobName })) as string
  }

  /** Java's lifecycle API replaces the configuration. */
  async update(jobName: string, configuration: string): Promise<void> {
    await this.#talk.send({ op: 'update', job: jobName, configuration })
  }

  /** Leaves whatever it takes part in. */
  async leaveAll(): Promise<void> {
    for (const jobName of this.#jobs) {
      await this.release({ jobName, shardingTotalCount: 1 })
      if (!(await this.hasLeft({ jobName, shardingTotalCount: 1 }))) {
        await this.stop({ jobName, shardingTotalCount: 1 })
      }
    }
    this.#jobs.clear()
  }

  /** Asks the process to end, as a deployment does; resolves when it has. What runs may end first. */
  async terminate(): Promise<void> {
    this.#jobs.clear()
    this.#child.kill('SIGTERM')
    await exited(this.#child)
  }

  /** Ends the process as a crash does: its session lives on until it expires. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await exited(this.#child)
  }

  async close(): Promise<void> {
    await this.#talk.end(15_000)
  }
}

function spawnOurs(options: OurWorkerOptions): ChildProcess {
  return spawnOwned(
    process.execPath,
    ['--import', 'tsx', '--conditions=source', ourProgram, JSON.stringify(options)],
    'pipe',
  )
}
