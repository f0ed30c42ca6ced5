/** Many jobs in one process that do not fire: what it takes to start them, and to have them. */
import { setTimeout as pass } from 'node:timers/promises'
import { progress } from '../../measure/progress.ts'
import { compare, type Goal, type Row, type Section } from '../../report/report.ts'
import { job, onServer, type Part } from '../part.ts'
import { comparison, java, ours, type Side } from '../sides.ts'
import type { Worker } from '../worker.ts'

/** Started before: code is loaded and compiled for these, and not for those that are measured. */
const jobsBefore = 10

/** How often garbage is collected before the memory of a process at rest is read. */
const collections = 3

interface Having {
  readonly seconds: number
  readonly megabytesPerJob: number
  readonly threadsPerJob: number
  readonly threads: number
}

/** What a process uses while nothing fires. */
interface Rest {
  /** In % of a core. */
  readonly cpu: number
  readonly megabytes: number
}

/** A process, and how many jobs it has beside those that were started before. */
interface Idler {
  readonly size: number
  readonly worker: Worker
}

/** How long it is idle, in seconds. */
interface Durations {
  readonly watched: number
  /** After each collection of garbage. */
  readonly afterCollection: number
}

export const manyJobs: Part = {
  title: 'Many jobs in one process that do not fire',
  async measure(sides, quick) {
    const sizes = quick ? [20, 50] : [100, 500, 1_000]
    const rounds = quick ? 1 : 2
    const durations = quick
      ? { watched: 10, afterCollection: 1 }
      : { watched: 180, afterCollection: 20 }
    const all = new Map<number, Record<string, Having[]>>(
      sizes.map((size) => [size, { [java]: [], [ours]: [] }]),
    )
    const rests = await onServer(async ({ connectString }) => {
      const idlers: Idler[] = []
      for (let round = 1; round <= rounds; round++) {
        for (const size of sizes) {
          for (const side of sides) {
            progress(`many jobs, round ${round} of ${rounds}: ${size} jobs, ${side.name}`)
            const worker = await startFew(side, connectString, `${size}-${round}`)
            all.get(size)?.[side.name]?.push(await startMany(worker, size))
            if (round < rounds) await worker.end()
            else idlers.push({ size, worker })
          }
        }
      }
      for (const side of sides) {
        idlers.push({ size: 0, worker: await startFew(side, connectString, 'none') })
      }
      return restOf(idlers, durations)
    })
    const most = sizes.at(-1)
    return sizes.map((size) =>
      section(
        size,
        all.get(size) ?? {},
        { few: rests.get(0) ?? {}, many: rests.get(size) ?? {} },
        durations,
        size === most,
      ),
    )
  },
}

/** A process that has only the jobs that are started before. */
async function startFew(side: Side, servers: string, name: string): Promise<Worker> {
  const worker = await side.start({
    servers,
    namespace: `many-${side.name === ours ? 'ours' : 'java'}-${name}`,
    sessionTimeout: 0,
    ips: ['10.1.0.1'],
  })
  await worker.startJobs(jobs('before', jobsBefore))
  return worker
}

async function startMany(worker: Worker, size: number): Promise<Having> {
  const before = await worker.usage()
  const { milliseconds } = await worker.startJobs(jobs('job', size))
  const after = await worker.usage()
  return {
    seconds: milliseconds / 1000,
    megabytesPerJob: (after.rssMegabytes - before.rssMegabytes) / size,
    threadsPerJob: (after.threads - before.threads) / size,
    threads: after.threads,
  }
}

function jobs(word: string, length: number): ReturnType<typeof job>[] {
  return Array.from({ length }, (_, index) => job(`${word}-${index}`, { shards: 3 }))
}

/**
 * What each uses while nothing fires, by size and side. All are watched together: none does much. Memory is
 * read last, for collecting garbage takes CPU that would be taken for theirs.
 */
async function restOf(
  idlers: readonly Idler[],
  { watched, afterCollection }: Durations,
): Promise<Map<number, Record<string, Rest>>> {
  // What was left to do after the start.
  await pass(5_000)
  progress(`many jobs, idle: watched for ${watched} s`)
  const cpuSeconds = (): number[] => idlers.map(({ worker }) => worker.usageNow().cpuSeconds)
  const before = cpuSeconds()
  await pass(watched * 1000)
  const after = cpuSeconds()
  progress(`many jobs, idle: garbage is collected ${collections} times`)
  for (let time = 0; time < collections; time++) {
    await Promise.all(idlers.map(({ worker }) => worker.collect()))
    await pass(afterCollection * 1000)
  }
  const rests = new Map<number, Record<string, Rest>>()
  for (const [index, { size, worker }] of idlers.entries()) {
    const used = (after[index] ?? 0) - (before[index] ?? 0)
    const megabytes = worker.usageNow().rssMegabytes
    const rest = { cpu: (used / watched) * 100, megabytes }
    rests.set(size, { ...rests.get(size), [worker.side]: rest })
  }
  await Promise.all(idlers.map(({ worker }) => worker.end()))
  return rests
}

/** The memory of one of so many jobs, by side: what a process has more than one without them. */
export function megabytesOfJob(
  size: number,
  { few, many }: Rests,
): Readonly<Record<string, readonly number[]>> {
  return valuesOf(many, ({ megabytes }, side) => {
    const without = few[side]
    return without === undefined ? [] : [(megabytes - without.megabytes) / size]
  })
}

/** By side: of processes with the jobs that were started before alone, and of those with many more. */
interface Rests {
  readonly few: Readonly<Record<string, Rest>>
  readonly many: Readonly<Record<string, Rest>>
}

function section(
  size: number,
  all: Readonly<Record<string, readonly Having[]>>,
  rests: Rests,
  { watched, afterCollection }: Durations,
  hasGoals: boolean,
): Section {
  const row = (
    what: string,
    unit: string,
    values: Readonly<Record<string, readonly number[]>>,
    goal?: Goal,
  ): Row =>
    compare(
      { what, unit, ...(goal === undefined || !hasGoals ? {} : { goal }) },
      values,
      comparison,
    )
  const having = (of: (one: Having) => number): Record<string, readonly number[]> =>
    valuesOf(all, (each) => each.map(of))
  const resting = (of: (one: Rest) => number): Record<string, readonly number[]> =>
    valuesOf(rests.many, (one) => [of(one)])
  return {
    title: `Many jobs: ${size.toLocaleString('en')} in one process that do not fire`,
    names: [java, ours],
    rows: [
      row(
        'until all take part',
        's',
        having(({ seconds }) => seconds),
        { atMost: 1 / 10 },
      ),
      row(
        'memory of a job right after the start (RSS)',
        'MB',
        having(({ megabytesPerJob }) => megabytesPerJob),
      ),
      row('memory of a job at rest (RSS)', 'MB', megabytesOfJob(size, rests), { atMost: 1 / 20 }),
      row(
        'memory of the process (RSS)',
        'MB',
        resting(({ megabytes }) => megabytes),
      ),
      row(
        'threads of a job',
        '',
        having(({ threadsPerJob }) => threadsPerJob),
        { ownAtMost: 0 },
      ),
      row(
        'threads of the process',
        '',
        having(({ threads }) => threads),
      ),
      row(
        `CPU while idle, over ${watched} s`,
        '% of a core',
        resting(({ cpu }) => cpu),
        {
          atMost: 1 / 10,
        },
      ),
    ],
    notes: hasGoals
      ? [
          `${jobsBefore} other jobs were started before, so that start and memory are those of jobs and not of a first use.`,
          'Right after the start, garbage is collected once and memory is compared with that before the start. This has room for new objects in it that the start has made large: a collector gives it back only when little is allocated for a while.',
          `At rest, memory is read when the process has been idle for ${watched} s and garbage was then collected ${collections} times, with ${afterCollection} s after each. That of a job is what the process has more than one that was idle beside it with the ${jobsBefore} other jobs alone. The memory of the process is that at rest, too.`,
          'Java starts its jobs one after the other, as its API has it, and assigns their shards when they fire; ours take part when they have their shards.',
          'The processes of all sizes and both sides are idle at the same time.',
        ]
      : [],
  }
}

function valuesOf<T>(
  bySide: Readonly<Record<string, T>>,
  of: (one: T, side: string) => readonly number[],
): Record<string, readonly number[]> {
  return Object.fromEntries(Object.entries(bySide).map(([side, one]) => [side, of(one, side)]))
}
