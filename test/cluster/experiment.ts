/** A fleet under churn, and what came of it. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { part, ZooKeeper } from '@elasticjob/zookeeper'
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { ownedDirectory, removeOwnedDirectory } from '../zookeeper/harness/owned-process.ts'
import { startTarget, type TargetKind } from '../zookeeper/harness/target.ts'
import { type ExpectedJob, findViolations, type Violation } from './checker.ts'
import { applied, type Change, Churn, enabledOf, type FleetState, sizeOf } from './churn.ts'
import { Fleet, ipOf } from './fleet.ts'
import type { WorkerLog } from './log-line.ts'
import { OwnersObserver } from './owners.ts'
import type { WorkerJob } from './worker-options.ts'

export interface ExperimentOptions {
  readonly target: TargetKind
  readonly minutes: number
  readonly seed: number
  /** The numbers of shards, one job for each. */
  readonly shards: readonly number[]
  /**
   * What becomes of times that nobody could run for more than a period: with `skip`, the default of every
   * job, the next one stands for them, and a machine that stands still for a second is a violation; with
   * `all` each of them is still run, so that only what is lost is one.
   */
  readonly catchUp: 'skip' | 'all'
  /** Keeps the workers' logs, and says where. */
  readonly keepLogs: boolean
  /** Told of each step as it is done. */
  readonly told: (line: string) => void
}

/** One change and how long it took until every shard had its owner. */
export interface SettledChange {
  readonly change: Change
  readonly instances: number
  /** From the moment the change was complete, in milliseconds. */
  readonly took: number
  /** How many times the jobs fired before every shard had its owner. */
  readonly fires: number
}

export interface Experiment {
  readonly changes: readonly SettledChange[]
  readonly processes: number
  readonly expected: readonly ExpectedJob[]
  readonly log: WorkerLog
  readonly violations: readonly Violation[]
  /** Workers that ended without being asked. */
  readonly lost: readonly number[]
  /** How long the fleet was watched, in milliseconds. */
  readonly duration: number
  /** Where the logs are, if they were kept. */
  readonly directory: string | undefined
}

const namespace = 'churn'
const period = 1000
/** Longer than this nobody waits for a fleet to settle: something hangs. */
const timeout = 20_000
const warmUpTime = 5000
/** What is late at the end still gets its chance. */
const grace = 3000

export async function runExperiment(options: ExperimentOptions): Promise<Experiment> {
  const directory = options.keepLogs
    ? await mkdtemp(join(tmpdir(), 'elasticjob-cluster-logs-'))
    : await ownedDirectory('cluster')
  const target = await startTarget(options.target)
  const client = await ZooKeeper.connect({ servers: target.connectString })
  const jobs = options.shards.map((shardingTotalCount): WorkerJob => {
    const props = { 'catch.up': options.catchUp }
    return { jobName: `shards-${shardingTotalCount}`, shardingTotalCount, props }
  })
  const fleet = new Fleet({ servers: target.connectString, namespace, jobs, directory })
  try {
    await warmUp(target.connectString, jobs, directory)
    const { changes, since, until } = await churn(options, client, fleet, jobs)
    await fleet.stopAll()
    const log = await fleet.logs()
    const expected = jobs.map(({ jobName, shardingTotalCount }) => {
      return { job: jobName, shards: shardingTotalCount, fires: firesIn(since, until) }
    })
    return {
      changes,
      processes: fleet.started,
      expected,
      log,
      violations: findViolations(expected, log.runs),
      lost: fleet.lost,
      duration: until - since,
      directory: options.keepLogs ? directory : undefined,
    }
  } finally {
    await fleet.kill()
    await client.close()
    await target.stop()
    if (!options.keepLogs) removeOwnedDirectory(directory)
  }
}

/**
 * Servers that have just started are slow: their first transaction with a thousand shards may take longer than a
 * second, in which the next fire comes. They get to know such jobs elsewhere, so that no fire of the fleet has to be
 * excused.
 */
async function warmUp(
  servers: string,
  jobs: readonly WorkerJob[],
  directory: string,
): Promise<void> {
  const fleet = new Fleet({ servers, namespace: 'warm-up', jobs, directory })
  try {
    await fleet.start([0])
    await sleep(warmUpTime)
    await fleet.stopAll()
  } finally {
    await fleet.kill()
  }
}

interface Course {
  readonly changes: readonly SettledChange[]
  /** When every shard had its first owner. */
  readonly since: number
  readonly until: number
}

async function churn(
  { minutes, seed, told }: ExperimentOptions,
  client: ZooKeeper,
  fleet: Fleet,
  jobs: readonly WorkerJob[],
): Promise<Course> {
  await fleet.start([1])
  const observer = await OwnersObserver.start(client, namespace, jobs)
  const { at: since } = await observer.settled([ipOf(1)], timeout)
  const course = new Churn(new SeededRandom(seed))
  const changes: SettledChange[] = []
  let state: FleetState = { running: new Set([1]), disabled: new Set() }
  while (Date.now() < since + minutes * 60_000) {
    await sleep(course.pause())
    const change = course.next(state)
    await carryOut(change, client, fleet, jobs)
    const changed = Date.now()
    state = applied(state, change)
    const { at } = await observer.settled(enabledOf(state).map(ipOf), timeout)
    const took = Math.max(at - changed, 0)
    const fires = firesIn(changed, changed + took).length
    changes.push({ change, instances: state.running.size, took, fires })
    told(`${changes.length}. ${asText(change)}: ${state.running.size} run, settled in ${took} ms`)
  }
  const until = Date.now()
  await sleep(grace)
  return { changes, since, until }
}

async function carryOut(
  change: Change,
  client: ZooKeeper,
  fleet: Fleet,
  jobs: readonly WorkerJob[],
): Promise<void> {
  await Promise.all([
    fleet.start(change.start),
    ...change.stop.map((worker) => fleet.stop(worker)),
    say('DISABLED', change.disable, client, jobs),
    say('ENABLED', change.enable, client, jobs),
  ])
}

/** As an operator does it, for all jobs. */
async function say(
  shardState: 'ENABLED' | 'DISABLED',
  workers: readonly number[],
  client: ZooKeeper,
  jobs: readonly WorkerJob[],
): Promise<void> {
  if (workers.length === 0) return
  await client.multi(
    workers.flatMap((worker) =>
      jobs.map(({ jobName }) =>
        part.set(`/${namespace}/${jobName}/servers/${ipOf(worker)}`, shardState),
      ),
    ),
  )
}

/** The scheduled times after one moment and until another. */
function firesIn(since: number, until: number): number[] {
  const fires: number[] = []
  for (let fire = Math.floor(since / period) * period + period; fire <= until; fire += period) {
    fires.push(fire)
  }
  return fires
}

function asText(change: Change): string {
  return (['start', 'stop', 'disable', 'enable'] as const)
    .filter((verb) => change[verb].length > 0)
    .map((verb) => `${verb} ${change[verb].join(' ')}`)
    .join(', ')
}

export function changeCount(changes: readonly SettledChange[]): number {
  return changes.reduce((sum, { change }) => sum + sizeOf(change), 0)
}
