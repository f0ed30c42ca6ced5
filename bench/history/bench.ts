import {
  countRows,
  databaseKinds,
  type DatabaseKind,
  lockTable,
  type RowNumbers,
  type Server,
} from '../../test/tracing/faults/support/databases.ts'
import { SmallDisk } from '../../test/tracing/faults/support/small-disk.ts'
import { type BenchOptions, isChosen } from '../command-line.ts'
import { build, program } from '../measure/build.ts'
import { describePinning, launcher } from '../measure/cores.ts'
import { LineProcess } from '../measure/line-process.ts'
import { progress } from '../measure/progress.ts'
import { compare, type Goal, type Findings, type Row, type Section } from '../report/report.ts'
import { startEmbedded } from '../server/servers.ts'

const comparison = { subject: 'recorded', baseline: 'not recorded' }

type Metrics = Readonly<Record<string, number>>

interface Line {
  readonly what: string
  readonly unit: string
  readonly name: string
}

const lines: readonly Line[] = [
  { what: 'runs', unit: '', name: 'runs' },
  { what: '– that should have been', unit: '', name: 'expected' },
  { what: 'lateness, p50', unit: 'ms', name: 'p50' },
  { what: '– p99', unit: 'ms', name: 'p99' },
  { what: '– at most', unit: 'ms', name: 'most' },
  { what: 'CPU of the process', unit: '% of a core', name: 'cpuPercent' },
  { what: 'memory (RSS)', unit: 'MB', name: 'megabytes' },
  { what: 'entries that wait', unit: '', name: 'queued' },
  { what: 'rows dropped so far', unit: '', name: 'dropped' },
]

/** What has trouble, and what it is made with. */
interface Patient {
  readonly kind: DatabaseKind
  readonly server: Server
  readonly disk: SmallDisk | undefined
}

/** What the database goes through; each begins where the one before has ended. */
interface Phase {
  readonly name: string
  /** Whether it is left out where nobody may mount one. */
  readonly needsDisk?: true
  begin(patient: Patient): Promise<() => Promise<void> | void>
}

const well = (): Promise<() => void> => Promise.resolve(() => {})

const phases: readonly Phase[] = [
  { name: 'is well', begin: well },
  {
    name: 'is dead',
    async begin({ server }) {
      await server.kill()
      return () => server.start()
    },
  },
  {
    name: 'stands still',
    async begin({ server }) {
      await server.pause()
      return () => server.resume()
    },
  },
  { name: 'has its table locked', begin: ({ kind, server }) => lockTable(kind, server) },
  {
    name: 'has its disk full',
    needsDisk: true,
    async begin({ disk }) {
      disk?.fill()
      return () => disk?.free()
    },
  },
  { name: 'is well again', begin: well },
]

/** Holds what two minutes of a thousand runs a second are, with room to spare. */
const diskMegabytes = 512

/** `history`: fires of two processes side by side, one of which is recorded in a database in trouble. */
export async function benchHistory({ quick, pinned, only }: BenchOptions): Promise<Findings> {
  await build()
  const sections: Section[] = []
  const jobs = quick ? 50 : 1000
  const seconds = quick ? 2 : 5
  for (const kind of databaseKinds) {
    if (!kind.isAvailable || !isChosen(kind.name, only)) continue
    sections.push(...(await measure(kind, jobs, seconds, pinned)))
  }
  return {
    settings: {
      scheduler: `@elasticjob/core, compiled; ${jobs} jobs in each process that fire every second and log a line`,
      history: '@elasticjob/tracing, compiled; a queue of 5,000 entries, a time-out of 5 seconds',
      rounds: `${windows} of ${seconds} seconds while the database is in each state; the medians`,
      processes: describePinning(pinned),
      server: 'embedded, in memory, for both',
    },
    sections,
    notes: [
      'Both processes run at the same time: what one suffers from the machine, the other does.',
      'The goal of p99 is the highest that a round of the process without a history has had beside the same database: what the machine itself does to a fire.',
      ...(process.getuid?.() === 0 ? [] : ['No disk was full: only root may mount a small one.']),
    ],
  }
}

/** How often a state is measured. */
const windows = 4

interface Account {
  readonly told: number
  readonly dropped: number
}

async function measure(
  kind: DatabaseKind,
  jobs: number,
  seconds: number,
  pinned: boolean,
): Promise<Section[]> {
  const registry = await startEmbedded({ pinned, fsync: false, durable: false })
  const disk = SmallDisk.mount(diskMegabytes)
  const server = await kind.start()
  const start = (name: string, ...more: string[]): Promise<LineProcess> =>
    LineProcess.start([
      ...launcher('client', pinned),
      ...program('drivers/history/every-second.js'),
      registry.connectString,
      name,
      String(jobs),
      ...more,
    ])
  const measured = new Map<string, Both>()
  try {
    if (disk !== undefined) await kind.putTables(server, disk.directory)
    const sides = await Promise.all([start('plain'), start('recorded', server.url)])
    for (const phase of phases) {
      if (phase.needsDisk === true && disk === undefined) continue
      progress(`${kind.name} ${phase.name}`)
      const end = await phase.begin({ kind, server, disk })
      measured.set(phase.name, await measureBoth(sides, seconds))
      await end()
    }
    const accounts = await Promise.all(sides.map(endOf))
    const noise = Math.max(...[...measured.values()].flatMap(([plain]) => plain.map(p99Of)))
    return [
      ...[...measured].map(([name, both]) => sectionOf(`${kind.name} ${name}`, both, noise)),
      rowsSection(kind.name, accounts.at(-1) as Account, await countRows(kind, server)),
    ]
  } finally {
    await server.stop()
    disk?.unmount()
    await registry.stop()
  }
}

/** Stops a side, and asks what became of all that it ran. */
async function endOf(side: LineProcess): Promise<Account> {
  side.write({ end: true })
  const account = (await side.next()) as Account
  await side.end()
  return account
}

/** What the process without a history, and what the one with it, came to in each round. */
type Both = readonly [plain: Metrics[], recorded: Metrics[]]

async function measureBoth(sides: readonly LineProcess[], seconds: number): Promise<Both> {
  const both: Both = [[], []]
  for (let window = 0; window < windows; window++) {
    for (const side of sides) side.write({ seconds })
    const output = (await Promise.all(sides.map((side) => side.next()))) as Metrics[]
    for (const [index, metrics] of output.entries()) both[index]?.push(metrics)
  }
  return both
}

function p99Of({ p99 = Number.NaN }: Metrics): number {
  return p99
}

function sectionOf(title: string, [plain, recorded]: Both, noise: number): Section {
  const of = (all: readonly Metrics[], name: string): number[] =>
    all.map((metrics) => metrics[name] ?? Number.NaN)
  return {
    title,
    names: [comparison.baseline, comparison.subject],
    rows: lines.map(({ what, unit, name }) =>
      compare(
        {
          what,
          unit,
          ...(name === 'p99' ? { goal: { ownAtMost: Number(noise.toFixed(1)) } } : {}),
        },
        {
          [comparison.baseline]: of(plain, name),
          [comparison.subject]: of(recorded, name),
        },
        comparison,
      ),
    ),
  }
}

/** What became of all runs, when everything is written that ever will be. */
function rowsSection(
  database: string,
  { told, dropped }: Account,
  { executions, open }: RowNumbers,
): Section {
  const row = (what: string, value: number, goal?: Goal): Row =>
    compare(
      { what, unit: '', ...(goal === undefined ? {} : { goal }) },
      { [comparison.subject]: [value] },
      comparison,
    )
  return {
    title: `What ${database} has in the end`,
    names: [comparison.subject],
    rows: [
      row('runs that were told of', told),
      row('– in the database', executions),
      row('– said to be dropped', dropped),
      row('– that nobody accounts for', Math.abs(told - executions - dropped), { ownAtMost: 0 }),
      row('– in the database without their end', open, { ownAtMost: 0 }),
    ],
  }
}
