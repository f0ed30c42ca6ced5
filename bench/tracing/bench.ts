import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { javaTracingAvailable, spawnJavaTracing } from '../../test/databases/java-tracing.ts'
import { MariaDb, mariaDbAvailable } from '../../test/services/mariadb.ts'
import { PostgreSql, postgreSqlAvailable } from '../../test/services/postgresql.ts'
import {
  exited,
  ownedDirectory,
  removeOwnedDirectory,
} from '../../test/zookeeper/harness/owned-process.ts'
import { type BenchOptions, isChosen } from '../command-line.ts'
import { build, program } from '../measure/build.ts'
import { describePinning, launcher } from '../measure/cores.ts'
import { LineProcess } from '../measure/line-process.ts'
import { progress } from '../measure/progress.ts'
import { quantile } from '../measure/statistics.ts'
import { compare, type Goal, type Findings, type Row, type Section } from '../report/report.ts'
import { fill } from './fill.ts'

const java = 'Java on PostgreSQL'

interface Spent {
  readonly wall: number
  readonly cpu: number
}

/** A database for as long as something is measured on it. */
interface Place extends AsyncDisposable {
  readonly url: string
  readonly user: string
}

type Product = 'SQLite' | 'PostgreSQL' | 'MariaDB'

/** `tracing`: what it costs to write a history down, and how soon a large one answers. */
export async function benchTracing({ quick, pinned, only }: BenchOptions): Promise<Findings> {
  if (!postgreSqlAvailable() || !mariaDbAvailable())
    throw new Error('PostgreSQL or MariaDB is missing: npm run setup:databases installs them')
  const rounds = quick ? 1 : 5
  const runs = quick ? 2000 : 50_000
  const rows = quick ? 100_000 : 10_000_000
  const repetitions = quick ? 10 : 200
  await build()
  const sections: Section[] = []
  if (isChosen('writing', only)) sections.push(await writing(rounds, runs, pinned))
  for (const product of ['SQLite', 'PostgreSQL'] as const) {
    if (isChosen(`queries on ${product}`, only))
      sections.push(await queries(product, rows, repetitions, pinned))
  }
  return {
    settings: {
      writing: `${runs.toLocaleString('en')} runs, each written when it begins and when it has ended; ours in batches of 500 and with their details, Java by its tracing listener on as many threads as it has; the median of ${rounds} rounds`,
      queries: `${rows.toLocaleString('en')} runs of 201 jobs in 30 days, a quarter of them of the busiest, which runs every second; ${repetitions} questions of each kind, each for another job and time`,
      databases:
        "Debian's PostgreSQL and MariaDB with their own settings, SQLite with a write-ahead log",
      processes: describePinning(pinned),
    },
    sections,
    notes: javaTracingAvailable() ? [] : ['Java was not measured: there is no JDK or no Maven.'],
  }
}

async function writing(rounds: number, runs: number, pinned: boolean): Promise<Section> {
  const products: readonly Product[] = ['SQLite', 'PostgreSQL', 'MariaDB']
  const spent = new Map<string, Spent[]>()
  for (let round = 0; round < rounds; round++) {
    for (const product of products) {
      progress(`writing, round ${round + 1}: ${product}`)
      await using place = await startOn(product, pinned)
      add(spent, product, await writeOurs(place.url, runs, pinned))
    }
    if (!javaTracingAvailable()) continue
    progress(`writing, round ${round + 1}: ${java}`)
    await using place = await startOn('PostgreSQL', pinned)
    add(spent, java, await writeJavas(place, runs, pinned))
  }
  const metric = (what: string, unit: string, of: (each: Spent) => number, goal?: Goal): Row =>
    compare(
      { what, unit, ...(goal === undefined ? {} : { goal }) },
      Object.fromEntries([...spent].map(([name, all]) => [name, all.map(of)])),
      { subject: 'PostgreSQL', baseline: java },
    )
  return {
    title: 'Writing',
    names: [...(spent.has(java) ? [java] : []), 'PostgreSQL', 'MariaDB', 'SQLite'],
    rows: [
      metric('runs', 'runs/s', ({ wall }) => (runs / wall) * 1000, { atLeast: 1 }),
      metric('processor time of the worker for a run', 'µs', ({ cpu }) => (cpu / runs) * 1000, {
        atMost: 1,
      }),
    ],
  }
}

function add(all: Map<string, Spent[]>, name: string, spent: Spent): void {
  all.set(name, [...(all.get(name) ?? []), spent])
}

function writeOurs(url: string, runs: number, pinned: boolean): Promise<Spent> {
  const command = [...launcher('client', pinned), ...program('drivers/tracing/write.js')]
  return LineProcess.result<Spent>([...command, url, String(runs)])
}

async function writeJavas(place: Place, runs: number, pinned: boolean): Promise<Spent> {
  const child = await spawnJavaTracing('measure', place, [String(runs)], launcher('client', pinned))
  if (child.stdout === null) throw new Error('Java has no output')
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  await exited(child)
  return JSON.parse(line) as Spent
}

async function queries(
  product: 'SQLite' | 'PostgreSQL',
  count: number,
  repetitions: number,
  pinned: boolean,
): Promise<Section> {
  await using place = await startOn(product, pinned)
  progress(`queries on ${product}: filling ${count.toLocaleString('en')} runs`)
  const newest = await fill(place.url, count)
  progress(`queries on ${product}: asking`)
  const command = [...launcher('client', pinned), ...program('drivers/tracing/ask.js')]
  const answers = await LineProcess.result<Readonly<Record<string, readonly number[]>>>([
    ...command,
    place.url,
    String(repetitions),
    String(newest),
  ])
  const rows = Object.entries(answers).flatMap(([question, took]) => {
    const goal = { ownAtMost: question.includes('figures') ? 300 : 50 }
    return [0.5, 0.99].map((share) =>
      compare(
        { what: `${question}, p${share * 100}`, unit: 'ms', goal },
        { [product]: [quantile(took, share)] },
        { subject: product, baseline: '' },
      ),
    )
  })
  return { title: `Queries on ${product}`, names: [product], rows }
}

async function startOn(product: Product, pinned: boolean): Promise<Place> {
  if (product === 'SQLite') {
    const directory = await ownedDirectory('sqlite')
    return {
      url: `sqlite:${join(directory, 'history.db')}`,
      user: '',
      [Symbol.asyncDispose]: async () => removeOwnedDirectory(directory),
    }
  }
  const options = { launcher: launcher('server', pinned) }
  return product === 'PostgreSQL' ? PostgreSql.start(options) : MariaDb.start(options)
}
