/** A chaos run: faults for a while, a time in which nothing is disturbed any more, and what came of it. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ownedDirectory, removeOwnedDirectory } from '../../zookeeper/harness/owned-process.ts'
import { Arena, namespace, settlingTime, times } from './arena.ts'
import { type Facts, factsOf } from './facts.ts'
import { inflict } from './faults.ts'
import { chaosJobs, cronJobs } from './jobs.ts'
import { machineTime } from './machine-time.ts'
import { type ChaosPlan, planChaos, type Step } from './plan.ts'
import { readTree } from './tree.ts'
import { type Verdict, verdictOn } from './verdict.ts'
import type { Span } from './wire-log.ts'

export interface ChaosOptions {
  /** Three servers, or one. */
  readonly target: 'ensemble' | 'standalone'
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
  /** What operators did. */
  readonly actionCount: number
  /** How often the registry's data was replaced. */
  readonly lossCount: number
  /** By how much the earliest run began before its fire time, in milliseconds. */
  readonly earliest: number
  /** In milliseconds, faults and calm together. */
  readonly duration: number
  /** Where the logs are, if they were kept. */
  readonly directory: string | undefined
}

const workers = [1, 2, 3, 4, 5, 6]
const roots = [`/${namespace}`, `/${namespace}.state`]
/** A fire that nobody has claimed is reported within this time: when a run of its shard has ended, or it is too old. */
const longestWork = Math.max(...chaosJobs.map(({ work: [, most] }) => most))
const reportTime = times.sessionTimeout + 10_000 + longestWork
/** The claim's answer has to arrive before the code begins. */
const beginTime = 1000
const longestPeriod = Math.max(...cronJobs.map(({ period }) => period))
/** Two fires of every job. */
const calmTime = 2 * longestPeriod
/** Of a fire time that passes while its shard runs it is known what becomes of it when the next run has begun. */
const answerTime = longestWork + longestPeriod + 2000

export async function runChaos(options: ChaosOptions): Promise<ChaosRun> {
  const directory = options.keepLogs
    ? await mkdtemp(join(tmpdir(), 'elasticjob-chaos-logs-'))
    : await ownedDirectory('chaos')
  const servers = options.target === 'ensemble' ? 3 : 1
  const plan = planChaos({
    seed: options.seed,
    duration: options.minutes * 60_000,
    workers: workers.length,
    servers,
    sessionTimeout: times.sessionTimeout,
    jobs: cronJobs.length,
  })
  const { clocks } = plan
  const arena = await Arena.open({ workers, servers, clocks, directory })
  try {
    return await course(options, plan, arena, options.keepLogs ? directory : undefined)
  } finally {
    await arena.close()
    if (!options.keepLogs) removeOwnedDirectory(directory)
  }
}

async function course(
  { told }: ChaosOptions,
  plan: ChaosPlan,
  arena: Arena,
  directory: string | undefined,
): Promise<ChaosRun> {
  await Promise.all(workers.map((worker) => arena.crew.start(worker)))
  await arena.expectAll()
  const begun = machineTime()
  const broken = await carryOut(arena, plan, told).then(
    () => undefined,
    (error: unknown) => ({ rule: 'not recovered', text: String(error) }),
  )
  await sleep(settlingTime)
  told('nothing is disturbed any more')
  const calmFrom = Date.now()
  arena.crew.requestManualRun(1)
  await sleep(calmTime + answerTime)
  await using client = await arena.connect()
  const [tree, read] = await timed(() => readTree(client, roots))
  const until = calmFrom + calmTime
  await Promise.all(workers.map((worker) => arena.crew.drain(worker)))
  const left = await readTree(client, roots)
  const lives = await arena.crew.lives()
  const facts = factsOf(lives, arena.wire)
  const { lost, processCount, failedStarts } = arena.crew
  const { expectations, losses, operators } = arena
  const failover = new Map(chaosJobs.map(({ options: { jobName, failover: on } }) => [jobName, on]))
  const epochAhead = Date.now() - machineTime()
  const epochOf = (time: number): number => time + epochAhead
  const scheduled = facts.runs.filter(({ source }) => source !== 'trigger')
  const verdict = verdictOn({
    ...times,
    facts,
    lives,
    spans: expectations.spans(until),
    forbidden: expectations.forbidden,
    triggered: new Map(
      chaosJobs
        .filter(({ period }) => period === undefined)
        .map((job) => [job.options.jobName, job.options.shardingTotalCount]),
    ),
    losses,
    reportTime,
    beginTime,
    epochOf,
    calmFrom,
    until,
    failover,
    tree,
    read,
    left,
    lost,
  })
  return {
    steps: [...plan.workers, ...plan.servers],
    facts,
    account: verdict.account,
    violations: broken === undefined ? verdict.violations : [broken, ...verdict.violations],
    processCount,
    failedStarts,
    restarts: arena.restarts,
    actionCount: operators.actionCount,
    lossCount: losses.length,
    earliest: Math.max(0, ...scheduled.map(({ fireTime, begin }) => fireTime - epochOf(begin))),
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
      arena.crew.requestManualRun(worker)
    }),
    ...plan.actions.map(async (step) => {
      await until(step.at)
      const job = cronJobs[step.job]
      if (job === undefined) return
      told(`operator: ${JSON.stringify(step.action)} of ${job.options.jobName}`)
      await arena.operators.act(step, job)
    }),
  ])
}

async function timed<T>(act: () => Promise<T>): Promise<[T, Span]> {
  const from = machineTime()
  return [await act(), [from, machineTime()]]
}
