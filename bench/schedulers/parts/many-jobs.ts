/** Many jobs in one process that do not fire: what it takes to start them, and to have them. */
import { setTimeout as pass } from 'node:timers/promises'
import { progress } from '../../measure/progress.ts'
import { compare, type Goal, type Row, type Section } from '../../report/report.ts'
import { job, onServer, type Part } from '../part.ts'
import { comparison, java, ours, type Side } from '../sides.ts'
import type { Worker } from '../worker.ts'

/** Started before: code is loaded and compiled for these, and not for those that are measured. */
const jobsBefore = 10

interface Having {
  readonly seconds: number
  readonly megabytesPerJob: number
  readonly threadsPerJob: number
  readonly megabytes: number
  readonly threads: number
}

export const manyJobs: Part = {
  title: 'Many jobs in one process that do not fire',
  async measure(sides, quick) {
    const sizes = quick ? [20, 50] : [100, 500, 1_000]
    const [rounds, watched] = quick ? [1, 10] : [2, 180]
    const all = new Map<number, Record<string, Having[]>>(
      sizes.map((size) => [size, { [java]: [], [ours]: [] }]),
    )
    const idle = await onServer(async ({ connectString }) => {
      const idlers: Idler[] = []
      for (let round = 1; round <= rounds; round++) {
        for (const size of sizes) {
          for (const side of sides) {
            progress(`many jobs, round ${round} of ${rounds}: ${size} jobs, ${side.name}`)
            const { worker, having } = await startMany(side, connectString, size, round)
            all.get(size)?.[side.name]?.push(having)
            if (round < rounds) await worker.end()
            else idlers.push({ size, worker })
          }
        }
      }
      return idleOf(idlers, watched)
    })
    const most = sizes.at(-1)
    return sizes.map((size) =>
      section(size, all.get(size) ?? {}, idle.get(size) ?? {}, watched, size === most),
    )
  },
}

async function startMany(
  side: Side,
  servers: string,
  size: number,
  round: number,
): Promise<{ readonly worker: Worker; readonly having: Having }> {
  const worker = await side.start({
    servers,
    namespace: `many-${side.name === ours ? 'ours' : 'java'}-${size}-${round}`,
    sessionTimeout: 0,
    ips: ['10.1.0.1'],
  })
  const jobs = (word: string, length: number): ReturnType<typeof job>[] =>
    Array.from({ length }, (_, index) => job(`${word}-${index}`, { items: 3 }))
  await worker.startJobs(jobs('before', jobsBefore))
  const before = await worker.usage()
  const { milliseconds } = await worker.startJobs(jobs('job', size))
  const after = await worker.usage()
  const having = {
    seconds: milliseconds / 1000,
    megabytesPerJob: (after.rssMegabytes - before.rssMegabytes) / size,
    threadsPerJob: (after.threads - before.threads) / size,
    megabytes: after.rssMegabytes,
    threads: after.threads,
  }
  return { worker, having }
}

interface Idler {
  readonly size: number
  readonly worker: Worker
}

/** The share of a core that each uses while nothing fires. All are watched together: none does much. */
async function idleOf(
  idlers: readonly Idler[],
  watched: number,
): Promise<Map<number, Record<string, number[]>>> {
  // What was left to do after the start.
  await pass(5_000)
  progress(`many jobs, idle: watched for ${watched} s`)
  const before = idlers.map(({ worker }) => worker.usageNow().cpuSeconds)
  await pass(watched * 1000)
  const idle = new Map<number, Record<string, number[]>>()
  for (const [index, { size, worker }] of idlers.entries()) {
    const used = worker.usageNow().cpuSeconds - (before[index] ?? 0)
    idle.set(size, { ...idle.get(size), [worker.side]: [(used / watched) * 100] })
  }
  await Promise.all(idlers.map(({ worker }) => worker.end()))
  return idle
}

function section(
  size: number,
  all: Readonly<Record<string, readonly Having[]>>,
  idle: Readonly<Record<string, readonly number[]>>,
  watched: number,
  hasGoals: boolean,
): Section {
  const row = (what: string, unit: string, of: (one: Having) => number, goal?: Goal): Row =>
    compare(
      { what, unit, ...(goal === undefined || !hasGoals ? {} : { goal }) },
      Object.fromEntries(Object.entries(all).map(([name, each]) => [name, each.map(of)])),
      comparison,
    )
  return {
    title: `Many jobs: ${size.toLocaleString('en')} in one process that do not fire`,
    names: [java, ours],
    rows: [
      row('until all take part', 's', ({ seconds }) => seconds, { atMost: 1 / 10 }),
      row('memory of a job (RSS)', 'MB', ({ megabytesPerJob }) => megabytesPerJob, {
        atMost: 1 / 20,
      }),
      row('memory of the process (RSS)', 'MB', ({ megabytes }) => megabytes),
      row('threads of a job', '', ({ threadsPerJob }) => threadsPerJob, { ownAtMost: 0 }),
      row('threads of the process', '', ({ threads }) => threads),
      compare(
        {
          what: `CPU while idle, over ${watched} s`,
          unit: '% of a core',
          ...(hasGoals ? { goal: { atMost: 1 / 10 } } : {}),
        },
        idle,
        comparison,
      ),
    ],
    notes: hasGoals
      ? [
          `${jobsBefore} other jobs were started before, so that start and memory are those of jobs and not of a first use; garbage is collected before memory is read.`,
          'Java starts its jobs one after the other, as its API has it, and deals out their shards when they fire; ours take part when they have their items.',
          'The processes of all sizes and both sides are idle at the same time.',
        ]
      : [],
  }
}
