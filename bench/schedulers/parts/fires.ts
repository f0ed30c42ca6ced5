/** How long a fire takes, from its second until nothing of it is left in the registry. */
import type { WantedJob } from '../../drivers/schedulers/contract.ts'
import { progress } from '../../measure/progress.ts'
import { quantile, rotated } from '../../measure/statistics.ts'
import { compare, type Row, type Section } from '../../report/report.ts'
import { fireTimesOf, Observer } from '../marks.ts'
import { everySecond, job, onServer, type Part, seconds, shards } from '../part.ts'
import { comparison, ours, type Side } from '../sides.ts'
import type { Worker } from '../worker.ts'

interface Shape {
  readonly shards: number
  readonly failover: boolean
  /** What ours has to reach, as a share of Java's time. */
  readonly goal: number
}

export const shapes: readonly Shape[] = [1 / 4, 1 / 15, 1 / 50].flatMap((goal, index) =>
  [false, true].map((failover) => ({ shards: 10 ** index, failover, goal })),
)

export function labelOf({ shards: shardingItems, failover }: Shape): string {
  return `${shards(shardingItems)}${failover ? ', failover' : ''}`
}

export function firing({ shards: shardingItems, failover }: Shape, round = 0): WantedJob {
  const name = `${failover ? 'failover' : 'plain'}-${shardingItems}-${round}`
  return job(name, { cron: everySecond, shards: shardingItems, failover })
}

/** The first fires assign the shards, and make what is missing. */
const warmup = 2

const bare = 'two bare transactions'
const withClaim = '– with its claim'
const hot = '– as fast as they can'
const watched = '– watched as a job is'

/** By shape, the samples of everybody. */
class Samples extends Map<Shape, Record<string, number[]>> {
  add(shape: Shape, name: string, samples: readonly number[]): void {
    const of = this.get(shape) ?? {}
    of[name] = [...(of[name] ?? []), ...samples]
    this.set(shape, of)
  }
}

export const fires: Part = {
  title: 'A fire: time',
  async measure(sides, quick) {
    const [rounds, count] = quick ? [1, 3] : [4, 10]
    const times = new Samples()
    const beside = new Samples()
    await onServer(async ({ connectString }) => {
      const observer = await Observer.connect(connectString)
      const workers = await Promise.all(sides.map((side) => startWorker(side, connectString)))
      await warmUp(workers, quick ? 3 : 90)
      for (let round = 1; round <= rounds; round++) {
        for (const shape of shapes) {
          for (const worker of rotated(workers, round)) {
            const which = `round ${round} of ${rounds}: ${labelOf(shape)}, ${worker.side}`
            progress(`a fire, ${which}`)
            const fired = await measureOne({ worker, observer, shape, round, count })
            times.add(shape, worker.side, fired.times)
            for (const [name, samples] of Object.entries(fired.beside)) {
              beside.add(shape, name, samples)
            }
          }
        }
      }
      await Promise.all(workers.map((worker) => worker.end()))
      await observer.close()
    })
    return sectionsOf(times, beside)
  },
}

function startWorker(side: Side, servers: string): Promise<Worker> {
  const namespace = namespaceOf(side.name)
  return side.start({ servers, namespace, sessionTimeout: 0, ips: ['10.1.0.1'] })
}

/** Compilers and caches settle: those of both sides, and the server's, which would have run for days. */
async function warmUp(workers: readonly Worker[], time: number): Promise<void> {
  progress('a fire: warming up')
  const jobs = shapes.map((shape) => firing(shape))
  await Promise.all(workers.map((worker) => worker.startJobs(jobs)))
  await seconds(time)
  for (const worker of workers) {
    for (const { name } of jobs) await worker.stopJob(name)
  }
  const last = jobs.at(-1)
  const own = workers.find(({ side }) => side === ours)
  if (last !== undefined) await own?.bareTransactions(last, 0)
}

function namespaceOf(side: string): string {
  return side === ours ? 'fires-ours' : 'fires-java'
}

interface Turn {
  readonly worker: Worker
  readonly observer: Observer
  readonly shape: Shape
  readonly round: number
  readonly count: number
}

interface Fired {
  readonly times: readonly number[]
  /** Ours as it sees itself, and what has no scheduler. */
  readonly beside: Readonly<Record<string, readonly number[]>>
}

async function measureOne({ worker, observer, shape, round, count }: Turn): Promise<Fired> {
  const wanted = firing(shape, round)
  await worker.startJobs([wanted])
  await seconds(warmup)
  const marks = await observer.marksOf(namespaceOf(worker.side), wanted.name)
  const fired = worker.side === ours ? await ourFires(worker, wanted, count) : {}
  await seconds(worker.side === ours ? 0 : count)
  const times = fireTimesOf(marks, shape.shards)
  await worker.stopJob(wanted.name)
  return { times: times.slice(0, count), beside: fired }
}

async function ourFires(
  worker: Worker,
  wanted: WantedJob,
  count: number,
): Promise<Record<string, readonly number[]>> {
  const own = await worker.ownFires(count)
  await seconds(0)
  if (wanted.failover) return {}
  const transactions = await worker.bareTransactions(wanted, count)
  return {
    [ours]: own.sinceDue,
    [withClaim]: own.withClaim,
    [bare]: transactions.paced,
    [watched]: transactions.watched,
    [hot]: transactions.hot,
  }
}

function sectionsOf(times: Samples, beside: Samples): Section[] {
  return [
    {
      title: 'A fire: from its second to the deletion of its last `running`',
      names: [comparison.baseline, comparison.subject],
      rows: shapes.flatMap((shape) => timeRows(shape, times.get(shape) ?? {})),
      notes: [
        'A third client is told of every `running` that comes and goes. The job fires every second; the time that a timer is late is part of both figures. Ours writes its claim before the second, and begins the code on it.',
      ],
    },
    {
      title: 'A fire: ours beside two bare transactions of the same size, timer lateness aside',
      names: [bare, ours, withClaim, watched, hot],
      rows: shapes
        .filter(({ failover }) => !failover)
        .map((shape) =>
          compare(
            { what: labelOf(shape), unit: 'ms', goal: { atMost: 1.5 } },
            beside.get(shape) ?? {},
            { subject: ours, baseline: bare },
          ),
        ),
      notes: [
        'In the same process: a fire from when the process sees its clock show the time to the answer of its second transaction, and in the middle between two fires the same two transactions without a scheduler. The claim, which is the first, has gone out before that time: what it took then is in the column behind it. Code and caches that were last used a second ago are slower than in a loop: the last column is such a loop. The marks of a job are watched, by who runs it and here by the third client: the column before it are the same transactions once a second with two such watches.',
      ],
    },
  ]
}

function timeRows(shape: Shape, samples: Readonly<Record<string, readonly number[]>>): Row[] {
  const p90 = Object.entries(samples)
    .filter(([, all]) => all.length > 0)
    .map(([name, all]) => [name, [quantile(all, 0.9)]] as const)
  return [
    compare(
      { what: `${labelOf(shape)}, p50`, unit: 'ms', goal: { atMost: shape.goal } },
      samples,
      comparison,
    ),
    compare({ what: '– p90', unit: 'ms' }, Object.fromEntries(p90), comparison),
  ]
}
