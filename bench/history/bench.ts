import {
  databaseKinds,
  type DatabaseKind,
  lockTable,
  type Server,
} from '../../test/tracing/faults/support/databases.ts'
import { type BenchOptions, isChosen } from '../command-line.ts'
import { build, program } from '../measure/build.ts'
import { describePinning, launcher } from '../measure/cores.ts'
import { LineProcess } from '../measure/line-process.ts'
import { describeMachine, load } from '../measure/machine.ts'
import { progress } from '../measure/progress.ts'
import { compare, type Report, type Section } from '../report/report.ts'
import { startEmbedded } from '../server/servers.ts'

const comparison = { subject: 'recorded', baseline: 'not recorded' }

type Figures = Readonly<Record<string, number>>

const lines: readonly { readonly what: string; readonly unit: string; readonly name: string }[] = [
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

/** What the database goes through; each begins where the one before has ended. */
interface Phase {
  readonly name: string
  begin(kind: DatabaseKind, server: Server): Promise<() => Promise<void> | void>
}

const phases: readonly Phase[] = [
  { name: 'is well', begin: () => Promise.resolve(() => {}) },
  {
    name: 'is dead',
    async begin(_, server) {
      await server.kill()
      return () => server.start()
    },
  },
  {
    name: 'stands still',
    async begin(_, server) {
      await server.pause()
      return () => server.resume()
    },
  },
  { name: 'has its table locked', begin: lockTable },
  { name: 'is well again', begin: () => Promise.resolve(() => {}) },
]

/** `history`: fires of two processes side by side, one of which is recorded in a database in trouble. */
export async function benchHistory({ quick, pinned, only }: BenchOptions): Promise<Report> {
  const loadBefore = load()
  progress('compiling')
  await build('drivers')
  await build('embedded')
  const sections: Section[] = []
  const jobs = quick ? 50 : 1000
  for (const kind of databaseKinds) {
    if (!kind.isAvailable || !isChosen(kind.name, only)) continue
    sections.push(...(await measure(kind, jobs, quick ? 3 : 20, pinned)))
  }
  return {
    bench: 'history',
    date: new Date().toISOString().slice(0, 10),
    machine: await describeMachine(),
    load: { before: loadBefore, after: load() },
    settings: {
      scheduler: `@elasticjob/core, compiled; ${jobs} jobs in each process that fire every second and log a line`,
      history: '@elasticjob/tracing, compiled; a queue of 5,000 entries, a time-out of 5 seconds',
      processes: describePinning(pinned),
      server: 'embedded, in memory, for both',
    },
    sections,
    notes: [
      'Both processes run at the same time: what one suffers from the machine, the other does.',
    ],
  }
}

async function measure(
  kind: DatabaseKind,
  jobs: number,
  seconds: number,
  pinned: boolean,
): Promise<Section[]> {
  const registry = await startEmbedded({ pinned, fsync: false, durable: false })
  const database = await kind.start()
  const start = (name: string, ...more: string[]): Promise<LineProcess> =>
    LineProcess.start([
      ...launcher('client', pinned),
      ...program('drivers/history/every-second.js'),
      registry.connectString,
      name,
      String(jobs),
      ...more,
    ])
  const sections: Section[] = []
  try {
    const sides = await Promise.all([start('plain'), start('recorded', database.url)])
    for (const phase of phases) {
      progress(`${kind.name} ${phase.name}`)
      const end = await phase.begin(kind, database)
      for (const side of sides) side.write({ seconds })
      const [plain, recorded] = (await Promise.all(sides.map((side) => side.next()))) as [
        Figures,
        Figures,
      ]
      await end()
      sections.push(sectionOf(`${kind.name} ${phase.name}`, plain, recorded))
    }
    await Promise.all(sides.map((side) => side.end()))
  } finally {
    await database.stop()
    await registry.stop()
  }
  return sections
}

function sectionOf(title: string, plain: Figures, recorded: Figures): Section {
  return {
    title,
    names: [comparison.baseline, comparison.subject],
    rows: lines.map(({ what, unit, name }) =>
      compare(
        { what, unit },
        {
          [comparison.baseline]: [plain[name] ?? Number.NaN],
          [comparison.subject]: [recorded[name] ?? Number.NaN],
        },
        comparison,
      ),
    ),
  }
}
