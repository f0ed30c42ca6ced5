import { type BenchOptions, isChosen } from '../command-line.ts'
import { build } from '../measure/build.ts'
import { describePinning } from '../measure/cores.ts'
import { requireZooKeeper } from '../measure/machine.ts'
import { progress } from '../measure/progress.ts'
import { quantile } from '../measure/statistics.ts'
import type { Findings, Row, Section } from '../report/report.ts'
import { realHeap, startReal } from '../server/servers.ts'
import { type Ending, type Latency, measureFailover } from './measure.ts'

const server = 'ZooKeeper'

/** Expiry is looked for at this pace, which is not what is measured. */
const tickTime = 200

interface Point {
  readonly title: string
  readonly ending: Ending
  readonly shards: number
  readonly repetitions: number
  readonly lines: readonly Line[]
}

interface Line {
  readonly what: string
  readonly of: (latency: Latency) => number
}

/** `failover`: how soon others go on with what an instance ran that is gone. */
export async function benchFailover({ quick, pinned, only }: BenchOptions): Promise<Findings> {
  requireZooKeeper()
  const survivors = quick ? [2] : [2, 5, 20]
  const points = pointsOf(quick).filter(({ title }) => isChosen(title, only))
  await build()
  const sections: Section[] = []
  for (const point of points) sections.push(await measure(point, survivors, pinned))
  return {
    settings: {
      scheduler:
        '@elasticjob/core, compiled; every instance is a process; the one that ends does not lead',
      processes: describePinning(pinned),
      server: `Debian's ZooKeeper, standalone, -XX:+UseSerialGC -Xmx${realHeap}, tickTime=${tickTime}, forceSync=no`,
      begins:
        "when another client is told that the instance's node is deleted; for a crash that is when its session is over",
      ends: "with the first line of the shard's code on another instance, by the clock that all processes share",
      repetitions: `${points.map(({ title, repetitions }) => `${title}: ${repetitions}`).join('; ')}; of fewer than 100 the p99 is the slowest`,
    },
    sections,
    notes: ['ElasticJob for Java is not among those measured here.'],
  }
}

function pointsOf(quick: boolean): Point[] {
  const endings: readonly Ending[] = ['crash', 'drain']
  return endings.flatMap((ending) =>
    [1, 100].map((shards) => ({
      title: `A ${ending} with ${shards} running shard${shards === 1 ? '' : 's'}`,
      ending,
      shards,
      repetitions: quick ? 2 : shards === 1 ? 20 : 8,
      lines: linesOf(ending, shards),
    })),
  )
}

function linesOf(ending: Ending, shards: number): Line[] {
  const sinceDeletion: Line[] = [
    { what: shards === 1 ? 'runs again' : 'the first runs again', of: ({ first }) => first },
    ...(shards === 1 ? [] : [{ what: 'the last runs again', of: ({ last }: Latency) => last }]),
  ]
  if (ending === 'crash') return sinceDeletion
  return [
    ...sinceDeletion,
    {
      what: shards === 1 ? 'since SIGTERM' : 'the last since SIGTERM',
      of: ({ lastSinceSignal }) => lastSinceSignal,
    },
  ]
}

async function measure(
  { title, ending, shards, repetitions, lines }: Point,
  survivorCounts: readonly number[],
  pinned: boolean,
): Promise<Section> {
  const rows: Row[] = []
  for (const count of survivorCounts) {
    progress(`${title}, ${count} survivors`)
    const running = await startReal({ pinned, fsync: false, durable: false, tickTime })
    try {
      const settings = { servers: running.connectString, shards, pinned }
      const latencies = await measureFailover(settings, count, ending, repetitions)
      for (const { what, of } of lines) {
        const samples = latencies.map(of)
        rows.push(row(`${count} survivors: ${what}, p50`, samples, 0.5))
        rows.push(row('– p99', samples, 0.99))
      }
    } finally {
      await running.stop()
    }
  }
  return { title, names: [server], rows }
}

function row(what: string, samples: readonly number[], share: number): Row {
  return {
    what,
    unit: 'ms',
    values: { [server]: quantile(samples, share) },
    rounds: { [server]: samples },
    ratio: null,
    goal: null,
    reached: null,
  }
}
