/** Operators who click at random, at real processes that run jobs; and what is left of it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isElasticJobError } from '@elasticjob/core'
import { Operations } from '@elasticjob/core/operations'
import { ZooKeeper } from '@elasticjob/zookeeper'
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { eventually } from '../../zookeeper/harness/eventually.ts'
import { ownedDirectory, removeOwnedDirectory } from '../../zookeeper/harness/owned-process.ts'
import { startTarget, type TargetKind } from '../../zookeeper/harness/target.ts'
import { WorkerProcess } from '../worker-process.ts'
import { type Field, randomAction } from './deeds.ts'
import type { InsistentOptions, LoggedRun } from './worker-options.ts'

export interface OperatorsOptions {
  readonly target: TargetKind
  readonly seed: number
  readonly actions: number
  /** How many operators are at it at once, each one thing after the other. */
  readonly operators: number
}

export interface Aftermath {
  /** How often each thing was done, or refused for a reason that an operator understands. */
  readonly done: ReadonlyMap<string, number>
  readonly refused: ReadonlyMap<string, number>
  /** Errors that tell an operator nothing. */
  readonly unexpected: readonly unknown[]
  /** Jobs of which every shard ran again when everything was taken back. */
  readonly recovered: readonly string[]
  /** Fires that a shard has begun twice. */
  readonly repeated: readonly string[]
  readonly runs: number
  /** What is left in the registry when all jobs are removed. */
  readonly leftovers: readonly string[]
}

const namespace = 'operated'
const field: Field = {
  jobNames: ['alpha', 'beta', 'gamma'],
  ips: ['10.0.0.1', '10.0.0.2', '10.0.0.3'],
}
const program = fileURLToPath(new URL('worker.ts', import.meta.url))
/** Longer than this nobody waits for jobs to run again. */
const timeout = 60_000

export async function letThemClick(options: OperatorsOptions): Promise<Aftermath> {
  const directory = await ownedDirectory('operators')
  const target = await startTarget(options.target)
  const servers = target.connectString
  const workers: WorkerProcess[] = []
  const logs = field.ips.map((ip) => join(directory, `${ip}.jsonl`))
  try {
    for (const [index, ip] of field.ips.entries()) {
      const { jobNames } = field
      const logFile = logs[index] as string
      const told: InsistentOptions = { servers, namespace, ip, jobNames, logFile }
      const worker = WorkerProcess.spawn(`worker ${ip}`, program, told)
      workers.push(worker)
      await worker.loaded()
    }
    await Promise.all(workers.map((worker) => worker.join()))
    await using operations = await Operations.connect({ servers, namespace })
    const clicked = await click(servers, options)
    const recovered = await recover(operations)
    await Promise.all(workers.map((worker) => worker.stop()))
    for (const job of await operations.jobNames()) await operations.remove({ job })
    const logged = (await Promise.all(logs.map(readRuns))).flat()
    return {
      ...clicked,
      recovered,
      repeated: repeatedIn(logged),
      runs: logged.length,
      leftovers: await leftoversAt(servers),
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()))
    await target.stop()
    removeOwnedDirectory(directory)
  }
}

async function click(
  servers: string,
  { seed, actions, operators }: OperatorsOptions,
): Promise<Pick<Aftermath, 'done' | 'refused' | 'unexpected'>> {
  const done = new Map<string, number>()
  const refused = new Map<string, number>()
  const unexpected: unknown[] = []
  const count = (of: Map<string, number>, what: string): void => {
    of.set(what, (of.get(what) ?? 0) + 1)
  }
  const random = new SeededRandom(seed)
  let left = actions
  const operate = async (): Promise<void> => {
    await using operations = await Operations.connect({ servers, namespace })
    while (left > 0) {
      left -= 1
      const { what, carryOut } = randomAction(random, field)
      try {
        await carryOut(operations)
        count(done, what)
      } catch (error) {
        if (isElasticJobError(error)) count(refused, error.code)
        else unexpected.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: operators }, operate))
  return { done, refused, unexpected }
}

/** Everything is taken back, and everybody comes back: then every shard of every job runs. */
async function recover(operations: Operations): Promise<string[]> {
  for (const { jobName, removing } of await operations.jobs()) {
    if (removing) await operations.remove({ job: jobName })
  }
  const recovered: string[] = []
  for (const job of field.jobNames) {
    await eventually(() => comesBack(operations, job), {
      what: `job ${job} back on every server`,
      timeoutMs: timeout,
    })
    const since = Date.now()
    await eventually(() => hasRun(operations, job, since), {
      what: `every shard of job ${job} run again`,
      timeoutMs: timeout,
    })
    recovered.push(job)
  }
  return recovered
}

async function comesBack(operations: Operations, job: string): Promise<true | undefined> {
  try {
    await operations.resume({ job })
    await operations.enable({ job })
    await operations.updateConfiguration(job, { shardingTotalCount: 3 })
    for (const shard of [0, 1, 2]) await operations.enableShard(job, shard)
    const { instanceCount } = await operations.job(job)
    return instanceCount === field.ips.length || undefined
  } catch (error) {
    // Nobody has scheduled it again so far.
    if (isElasticJobError(error, 'JOB_NOT_FOUND', 'JOB_CONFIGURATION_UNREADABLE')) return undefined
    throw error
  }
}

async function hasRun(
  operations: Operations,
  job: string,
  since: number,
): Promise<true | undefined> {
  const { shards } = await operations.job(job)
  const all = shards.every(({ lastCompleteTime }) => Number(lastCompleteTime ?? 0) > since)
  return (all && shards.length === 3) || undefined
}

async function readRuns(file: string): Promise<LoggedRun[]> {
  const text = await readFile(file, 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LoggedRun)
}

/** Manual runs have no time of their own; those of a job that was made anew begin at 1 again. */
function repeatedIn(all: readonly LoggedRun[]): string[] {
  const seen = new Set<string>()
  const repeated: string[] = []
  for (const { jobName, shardingItem, fireTime, source, attempt } of all) {
    if (source !== 'cron' && source !== 'misfire') continue
    const key = `${jobName}/${shardingItem} at ${fireTime}, attempt ${attempt}`
    if (seen.has(key)) repeated.push(key)
    seen.add(key)
  }
  return repeated
}

async function leftoversAt(servers: string): Promise<string[]> {
  await using client = await ZooKeeper.connect({ servers })
  const folders = [namespace, `${namespace}.state/jobs`, `${namespace}.state/execution`]
  const found = await Promise.all(
    folders.map(async (folder) => {
      const { children } = await client.children(`/${folder}`)
      return children.map((name) => `/${folder}/${name}`)
    }),
  )
  return found.flat()
}
