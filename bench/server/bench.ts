import { type BenchOptions, isChosen } from '../command-line.ts'
import { build, program } from '../measure/build.ts'
import { describePinning, launcher } from '../measure/cores.ts'
import { describeEffort, type Effort, effortOf } from '../measure/effort.ts'
import { requireZooKeeper } from '../measure/machine.ts'
import { progress } from '../measure/progress.ts'
import { type Measured, measureRounds } from '../measure/rounds.ts'
import { compare, type Comparison, type Findings, rowOf, type Section } from '../report/report.ts'
import { measureIdleSessions } from './idle-sessions.ts'
import { measureManyNodes } from './many-nodes.ts'
import { fsyncPoints, memoryPoints } from './points.ts'
import {
  type MeasuredServer,
  realHeap,
  type ServerSettings,
  startEmbedded,
  startReal,
} from './servers.ts'

const comparison: Comparison = { subject: 'embedded', baseline: 'ZooKeeper' }

type BothServers = Readonly<Record<string, MeasuredServer>>

/** `server`: the embedded server beside a real one, with the same client. */
export async function benchServers({ quick, pinned, only }: BenchOptions): Promise<Findings> {
  requireZooKeeper()
  const effort = effortOf(quick)
  await build()

  const parts: readonly [title: string, settings: ServerSettings, part: Part][] = [
    [
      'In memory',
      { pinned, fsync: false, durable: false },
      (title, servers) => throughput(title, servers, memoryPoints(effort), effort, pinned),
    ],
    [
      'With fsync',
      { pinned, fsync: true, durable: true },
      (title, servers) => throughput(title, servers, fsyncPoints(effort), effort, pinned),
    ],
    [
      `${effort.idleSessions.toLocaleString('en')} idle sessions`,
      { pinned, fsync: false, durable: false },
      (title, servers) => idleSessions(title, servers, effort, pinned),
    ],
    [
      'Many nodes',
      { pinned, fsync: true, durable: true },
      (title, servers) => manyNodes(title, servers, effort, pinned),
    ],
  ]
  const sections: Section[] = []
  for (const [title, settings, part] of parts) {
    if (!isChosen(title, only)) continue
    progress(title)
    sections.push(await withServers(settings, (servers) => part(title, servers)))
  }
  return {
    settings: {
      'throughput and latency': describeEffort(effort),
      processes: describePinning(pinned),
      ZooKeeper: `Debian's, standalone, -XX:+UseSerialGC -Xmx${realHeap}; forceSync=no where the other is in memory: it always writes a log`,
      embedded: 'compiled, on the same Node as the client',
      client: '@elasticjob/zookeeper for both',
    },
    sections,
    notes: [],
  }
}

type Part = (title: string, servers: BothServers) => Promise<Section>

async function withServers(
  settings: ServerSettings,
  run: (servers: BothServers) => Promise<Section>,
): Promise<Section> {
  const real = await startReal(settings)
  try {
    const embedded = await startEmbedded(settings)
    try {
      return await run({ [comparison.baseline]: real, [comparison.subject]: embedded })
    } finally {
      await embedded.stop()
    }
  } finally {
    await real.stop()
  }
}

async function throughput(
  title: string,
  servers: BothServers,
  measured: readonly Measured[],
  effort: Effort,
  pinned: boolean,
): Promise<Section> {
  const entrants = Object.entries(servers).map(([name, { connectString }]) => ({
    name,
    command: [
      ...launcher('client', pinned),
      ...program('drivers/elasticjob.js'),
      connectString,
      '/bench',
    ],
  }))
  const points = measured.map(({ point }) => point)
  const measurements = await measureRounds(entrants, points, effort.rounds)
  return {
    title,
    names: Object.keys(servers),
    rows: measured.flatMap(({ point, metrics }) =>
      metrics.map((metric) => rowOf(measurements, point, metric, comparison)),
    ),
  }
}

async function idleSessions(
  title: string,
  servers: BothServers,
  { idleSessions: count }: Effort,
  pinned: boolean,
): Promise<Section> {
  const usages = await forEach(servers, (server) => measureIdleSessions(server, count, pinned))
  return {
    title,
    names: Object.keys(servers),
    rows: [
      row('memory (RSS) without them', 'MB', usages, (usage) => usage.rssBefore),
      row('memory (RSS) with them', 'MB', usages, (usage) => usage.rssWith),
      row('– each', 'kB', usages, (usage) => ((usage.rssWith - usage.rssBefore) * 1024) / count),
      row('CPU while they are idle', '% of a core', usages, (usage) => usage.cpuPercent),
    ],
  }
}

async function manyNodes(
  title: string,
  servers: BothServers,
  effort: Effort,
  pinned: boolean,
): Promise<Section> {
  const all = await forEach(servers, (server) => measureManyNodes(server, effort, pinned))
  return {
    title,
    names: Object.keys(servers),
    rows: [
      row('nodes of 100 bytes', '', all, ({ nodes }) => nodes),
      row('created, a thousand in a transaction', 'nodes/s', all, (one) => one.nodesPerSecond),
      row('memory (RSS)', 'MB', all, ({ rssMegabytes }) => rssMegabytes),
      row('time to start, from snapshot and log', 's', all, ({ secondsToStart }) => secondsToStart),
      row('memory (RSS) after the start', 'MB', all, ({ rssAfterStart }) => rssAfterStart),
    ],
  }
}

async function forEach<T>(
  servers: BothServers,
  measure: (server: MeasuredServer) => Promise<T>,
): Promise<Record<string, T>> {
  const results: Record<string, T> = {}
  for (const [name, server] of Object.entries(servers)) results[name] = await measure(server)
  return results
}

function row<T>(
  what: string,
  unit: string,
  all: Readonly<Record<string, T>>,
  of: (one: T) => number,
): Section['rows'][number] {
  const rounds = Object.fromEntries(Object.entries(all).map(([name, one]) => [name, [of(one)]]))
  return compare({ what, unit }, rounds, comparison)
}
