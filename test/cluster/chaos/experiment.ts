/** A chaos run: faults for a while, a time in which nothing is disturbed any more, and what came of it. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isZooKeeperError, ZooKeeper } from '@elasticjob/zookeeper'
import { eventually } from '../../zookeeper/harness/eventually.ts'
import { ownedDirectory, removeOwnedDirectory } from '../../zookeeper/harness/owned-process.ts'
import type { ExpectedJob } from './accounted.ts'
import { Arena, namespace, times } from './arena.ts'
import { type Facts, factsOf } from './facts.ts'
import { inflict } from './faults.ts'
import { chaosJobs } from './jobs.ts'
import { machineTime } from './machine-time.ts'
import { type ChaosPlan, planChaos, type Step } from './plan.ts'
import { readTree } from './tree.ts'
import { type Verdict, verdictOn } from './verdict.ts'
import type { Span } from './wire-log.ts'

export interface ChaosOptions {
  readonly minutes: number
  readonly seed: number
  /** Keeps the workers' logs, and says where. */
  readonly keepLogs: boolean
  /** Told of each fault as it happens. */
  readonly told: (line: string) => void
}

export interface ChaosRun extends Verdict {
  readonly steps: readonly Step[]
  readonly facts: Facts
  readonly processCount: number
  readonly failedStarts: number
  /** Servers that did not come back by themselves. */
  readonly restarts: number
  /** In milliseconds, faults and calm together. */
  readonly duration: number
  /** Where the logs are, if they were kept. */
  readonly directory: string | undefined
}

const workers = [1, 2, 3, 4, 5, 6]
const roots = [`/${namespace}`, `/${namespace}.state`]
/** When the faults are over, whoever died is found dead within this time, and the items have owners. */
const settlingTime = times.sessionTimeout + 6000
/** Two fires of every job, and time to run them. */
const calmTime = 2 * Math.max(...chaosJobs.map(({ period = 0 }) => period)) + 2000

export async function runChaos(options: ChaosOptions): Promise<ChaosRun> {
  const directory = options.keepLogs
    ? await mkdtemp(join(tmpdir(), 'elasticjob-chaos-logs-'))
    : await ownedDirectory('chaos')
  const arena = await Arena.open(workers, directory)
  const client = await ZooKeeper.connect({ servers: arena.ensemble.connectString })
  try {
    return await course(options, arena, client, options.keepLogs ? directory : undefined)
  } finally {
    await client.close()
    await arena.close()
    if (!options.keepLogs) removeOwnedDirectory(directory)
  }
}

async function course(
  { minutes, seed, told }: ChaosOptions,
  arena: Arena,
  client: ZooKeeper,
  directory: string | undefined,
): Promise<ChaosRun> {
  const plan = planChaos({
    seed,
    duration: minutes * 60_000,
    workers: workers.length,
    servers: arena.ensemble.members.length,
    sessionTimeout: times.sessionTimeout,
  })
  await Promise.all(workers.map((worker) => arena.crew.start(worker)))
  const jobs = await firstAssignment(client)
  const begun = machineTime()
  await carryOut(arena, plan, told)
  await sleep(settlingTime)
  told('nothing is disturbed any more')
  const calmFrom = Date.now()
  arena.crew.askForRound(1)
  await sleep(calmTime)
  const [tree, read] = await timed(() => readTree(client, roots))
  const until = calmFrom + calmTime - 2000
  await Promise.all(workers.map((worker) => arena.crew.drain(worker)))
  const left = await readTree(client, roots)
  const lives = await arena.crew.lives()
  const facts = factsOf(lives, arena.wire)
  const { lost, processCount, failedStarts } = arena.crew
  const failover = new Map(chaosJobs.map(({ options: { jobName, failover: on } }) => [jobName, on]))
  return {
    steps: [...plan.workers, ...plan.servers],
    facts,
    ...verdictOn({
      ...times,
      facts,
      lives,
      jobs,
      calmFrom,
      until,
      failover,
      tree,
      read,
      left,
      lost,
    }),
    processCount,
    failedStarts,
    restarts: arena.restarts,
    duration: machineTime() - begun,
    directory,
  }
}

/** Workers and servers have their troubles side by side, each in its order. */
async function carryOut(
  arena: Arena,
  plan: ChaosPlan,
  told: (line: string) => void,
): Promise<void> {
  const begun = machineTime()
  const until = (at: number): Promise<void> => sleep(Math.max(begun + at - machineTime(), 0))
  const happen = async ({ lasts, fault }: Step): Promise<void> => {
    const { kind, ...details } = fault
    const at = ((machineTime() - begun) / 1000).toFixed(1)
    told(`${at} s: ${kind} for ${lasts} ms ${JSON.stringify(details)}`)
    const makeGood = await inflict(arena, fault)
    await sleep(lasts)
    await makeGood()
  }
  await Promise.all([
    ...plan.workers.map(async (step) => {
      await until(step.at)
      await happen(step)
    }),
    (async () => {
      for (const step of plan.servers) {
        await until(step.at)
        await happen(step)
        await arena.recovered(told)
      }
    })(),
    ...plan.rounds.map(async ({ at, worker }) => {
      await until(at)
      arena.crew.askForRound(worker)
    }),
  ])
}

/** Resolves when every item of every job has its first owner: from then on its times are due. */
async function firstAssignment(client: ZooKeeper): Promise<ExpectedJob[]> {
  const jobs: ExpectedJob[] = []
  for (const { options, period } of chaosJobs) {
    const { jobName: job, shardingTotalCount } = options
    const items = Array.from({ length: shardingTotalCount }, (_, item) => item)
    const since = await Promise.all(
      items.map((item) => firstOwned(client, `/${namespace}/${job}/sharding/${item}`)),
    )
    jobs.push({ job, since, period })
  }
  return jobs
}

function firstOwned(client: ZooKeeper, path: string): Promise<number> {
  return eventually(
    async () => {
      try {
        const { data } = await client.get(`${path}/instance`)
        if (data.length === 0) return undefined
        const { stat } = await client.get(path)
        return Number(stat.ctime)
      } catch (error) {
        if (isZooKeeperError(error, 'ZK_NO_NODE')) return undefined
        throw error
      }
    },
    { what: `an owner of ${path}`, timeoutMs: 30_000 },
  )
}

async function timed<T>(act: () => Promise<T>): Promise<[T, Span]> {
  const from = machineTime()
  return [await act(), [from, machineTime()]]
}
