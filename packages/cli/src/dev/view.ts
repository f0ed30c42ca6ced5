/** The output of dev: plain lines, or a live view. */
import { type Column, tableLines } from '../output/table.ts'
import type { Cli } from '../cli.ts'
import { jobLines } from '../live/frame.ts'
import { Screen } from '../live/screen.ts'
import type { Snapshot } from '../live/snapshot.ts'
import { clockTime } from '../output/moments.ts'
import { cut } from '../output/printable.ts'
import { type Fire, missingShards } from './fires.ts'
import { hints } from './hints.ts'
import type { Worker, Workers } from './workers.ts'

export interface DevView {
  /** Reports an event. */
  say(text: string): void
  fired(fire: Fire, shardCount: number | undefined): void
  /** Shows the current state. */
  draw(snapshot: Snapshot): void
  close(): void
}

/** For output without a screen: lines are only appended. */
export function plainView({ output }: Cli): DevView {
  return {
    say: (text) => output.line(`${' '.repeat(10)}${text}`),
    fired: (fire, count) => output.line(fireLine(fire, count)),
    draw: () => {},
    close: () => {},
  }
}

/** The number of recent events below the tables. */
const shownLines = 8

export function screenView(
  { terminal, output, clock }: Cli,
  parts: {
    readonly servers: string
    readonly namespace: string
    /** The lines above the hints. */
    readonly notes: readonly string[]
    readonly workers: Workers
  },
): DevView {
  const { style } = output
  const { servers, namespace, notes, workers } = parts
  const title = `ElasticJob on an embedded server, ${servers}, namespace ${namespace}`
  const screen = new Screen(terminal)
  const lines: string[] = []
  const runs = new Map<string, number>()
  const add = (line: string): void => {
    lines.push(line)
    lines.splice(0, lines.length - shownLines)
  }
  screen.open()
  return {
    say: (text) => add(`${clockTime(clock.now())}  ${text}`),
    fired(fire, count) {
      for (const name of [...fire.runners.values()].flat())
        runs.set(name, (runs.get(name) ?? 0) + 1)
      if (missingShards(fire.runners, count).length > 0) add(fireLine(fire, count))
    },
    draw(snapshot) {
      const width = terminal.columns
      const nameOf = (instance: string): string => workers.ofInstance(instance)?.name ?? instance
      const time = clockTime(snapshot.time.getTime())
      screen.draw([
        style.title(cut(`${title}   ${time}`, width)),
        '',
        ...tableLines(workerColumns(snapshot, runs), workers.all, { style, width }),
        '',
        ...jobLines(snapshot, { nameOf, style, width }),
        '',
        ...lines.map((line) => cut(line, width)),
        '',
        ...notes.map((note) => cut(note, width)),
        ...hints({ servers, namespace, workers: workers.all }).map((hint) =>
          style.faint(cut(hint, width)),
        ),
      ])
    },
    close: () => screen.close(),
  }
}

function workerColumns(
  { jobs }: Snapshot,
  runs: ReadonlyMap<string, number>,
): readonly Column<Worker>[] {
  const instancesOf = ({ pid }: Worker) =>
    jobs.flatMap(({ instances }) =>
      instances.filter(({ instance }) => instance.includes(`@-@${pid}-`)),
    )
  return [
    { title: 'WORKER', cell: ({ name }) => name },
    { title: 'PROCESS', align: 'right', cell: ({ pid }) => String(pid) },
    { title: 'SERVER', cell: ({ ip }) => ip },
    { title: 'STATE', cell: ({ state }) => state },
    {
      title: 'SHARDS',
      align: 'right',
      cell: (worker) =>
        String(instancesOf(worker).reduce((sum, { shards }) => sum + shards.length, 0)),
    },
    { title: 'RUNS', align: 'right', cell: ({ name }) => String(runs.get(name) ?? 0) },
    {
      title: 'LEADS',
      align: 'right',
      cell: (worker) => String(instancesOf(worker).filter(({ leads }) => leads).length),
    },
  ]
}

/** `14:24:20  sync-orders    w1: 4 5   w2: 2 3   w3: 0 1` */
function fireLine(
  { jobName, time, runners, isTriggered }: Fire,
  count: number | undefined,
): string {
  const byWorker = new Map<string, number[]>()
  for (const [shard, workers] of [...runners].toSorted(([a], [b]) => a - b)) {
    for (const worker of workers) byWorker.set(worker, [...(byWorker.get(worker) ?? []), shard])
  }
  const shares = [...byWorker]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([worker, shards]) => `${worker}: ${shards.join(' ')}`)
  const missing = isTriggered ? [] : missingShards(runners, count)
  if (missing.length > 0) shares.push(`did not run: ${missing.join(' ')}`)
  return `${clockTime(time)}  ${jobName.padEnd(13)}  ${shares.join('   ')}`
}
