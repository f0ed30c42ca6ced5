import { readFileSync } from 'node:fs'
import { startStandalone } from '../../test/zookeeper/harness/standalone.ts'
import type { ZooKeeperProcess } from '../../test/zookeeper/harness/zookeeper-process.ts'
import { type BenchOptions, isChosen } from '../command-line.ts'
import { build, program } from '../measure/build.ts'
import { describePinning, launcher } from '../measure/cores.ts'
import { describeEffort, effortOf } from '../measure/effort.ts'
import { LineProcess } from '../measure/line-process.ts'
import { requireZooKeeper } from '../measure/machine.ts'
import { progress } from '../measure/progress.ts'
import { type Measured, measureRounds } from '../measure/rounds.ts'
import { type Findings, rowOf, type Section } from '../report/report.ts'
import { type Contender, findContenders, java, javaOptions, ours } from './contenders.ts'
import { benchTreeCache } from './tree-cache.ts'
import { ceilingPoints, realServerPoints } from './points.ts'

const serverHeap = '512m'

/** `zookeeper`: our client beside the others. */
export async function benchClients({ quick, pinned, only }: BenchOptions): Promise<Findings> {
  requireZooKeeper()
  const effort = effortOf(quick)
  await build()
  const real = await startStandalone({
    tickTime: 2_000,
    maxHeap: serverHeap,
    launcher: launcher('server', pinned),
  })
  try {
    const zooKeeper = await versionOf(real)
    const { present, absent } = await findContenders(pinned, ourVersion(), zooKeeper)
    const sections: Section[] = []
    const section = async (
      title: string,
      connectString: string,
      measured: readonly Measured[],
    ): Promise<void> => {
      const chosen = measured.filter(({ point }) => isChosen(point.label, only))
      if (chosen.length === 0) return
      sections.push(await measureSection(title, connectString, present, chosen, effort.rounds))
    }
    await section(
      `On ZooKeeper ${zooKeeper}, where the server is the limit`,
      real.connectString,
      realServerPoints(effort),
    )
    const stub = await LineProcess.start<{ port: number }>([
      ...launcher('server', pinned),
      ...program('drivers/stub-server.js'),
    ])
    await section(
      'On a stub, where the client is the limit',
      `127.0.0.1:${stub.greeting.port}`,
      ceilingPoints(effort),
    )
    await stub.end()
    if (isChosen('tree cache', only)) sections.push(await benchTreeCache(effort, pinned))

    return {
      settings: {
        'each figure': describeEffort(effort),
        processes: describePinning(pinned),
        server: `ZooKeeper ${zooKeeper}, standalone, forceSync=no, -XX:+UseSerialGC -Xmx${serverHeap}`,
        'Java client': `ZooKeeper ${zooKeeper}, ${javaOptions.join(' ')}, synchronous calls one after the other, asynchronous ones in flight`,
        'Node clients': present
          .filter(({ name }) => name !== java)
          .map(({ name, version }) => `${name} ${version}`)
          .join(', '),
      },
      sections,
      notes: [...absent].map(([name, reason]) => `${name} is missing: ${reason}`),
    }
  } finally {
    await real.stop()
  }
}

async function measureSection(
  title: string,
  connectString: string,
  contenders: readonly Contender[],
  measured: readonly Measured[],
  rounds: number,
): Promise<Section> {
  progress(title)
  const entrants = contenders.map(({ name, command }, index) => ({
    name,
    command: [...command, connectString, `/bench-${index}`],
  }))
  const points = measured.map(({ point }) => point)
  const measurements = await measureRounds(entrants, points, rounds)
  const comparison = { subject: ours, baseline: java }
  return {
    title,
    names: entrants.map(({ name }) => name),
    rows: measured.flatMap(({ point, metrics }) =>
      metrics.map((metric) => rowOf(measurements, point, metric, comparison)),
    ),
  }
}

/** Debian's build says `3.8.0-${...}`: what follows the number is nothing to rely on. */
async function versionOf(server: ZooKeeperProcess): Promise<string> {
  return /version: (\d+\.\d+\.\d+)/.exec(await server.fourLetter('srvr'))?.[1] ?? 'unknown'
}

function ourVersion(): string {
  const manifest = new URL('../../packages/zookeeper/package.json', import.meta.url)
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
