import { javaAvailable } from '../../test/zookeeper/harness/java.ts'
import { type BenchOptions, isChosen } from '../command-line.ts'
import { build, program } from '../measure/build.ts'
import { describePinning, launcher } from '../measure/cores.ts'
import { LineProcess } from '../measure/line-process.ts'
import { progress } from '../measure/progress.ts'
import { compare, type Findings, type Section } from '../report/report.ts'
import { type MeasuredServer, realHeap, startEmbedded, startReal } from '../server/servers.ts'
import { type Metrics, type Scenario, scenarios } from './scenarios.ts'

const comparison = { subject: 'embedded', baseline: 'ZooKeeper' }

/** `fire`: what the scheduler makes of a fire, of many jobs, and of many instances. */
export async function benchFire({ quick, pinned, only }: BenchOptions): Promise<Findings> {
  await build()
  const sections: Section[] = []
  for (const scenario of scenarios(quick)) {
    if (!isChosen(scenario.title, only)) continue
    progress(scenario.title)
    sections.push(await measure(scenario, pinned))
  }
  return {
    settings: {
      scheduler: '@elasticjob/core, compiled, its defaults; shards that do nothing',
      processes: describePinning(pinned),
      servers: `a fresh one for each table: ZooKeeper is Debian's, standalone, -XX:+UseSerialGC -Xmx${realHeap}, forceSync=no; embedded is in memory`,
      metrics: 'medians of all fires of one run, or what one run came to',
    },
    sections,
    notes: [
      'ElasticJob for Java is not among those measured here.',
      ...(javaAvailable() ? [] : ['There is no real ZooKeeper on this machine.']),
    ],
  }
}

async function measure(scenario: Scenario, pinned: boolean): Promise<Section> {
  const settings = { pinned, fsync: false, durable: false }
  const results: Record<string, Metrics> = {}
  if (javaAvailable()) {
    results[comparison.baseline] = await on(await startReal(settings), scenario, pinned)
  }
  results[comparison.subject] = await on(await startEmbedded(settings), scenario, pinned)
  return {
    title: scenario.title,
    names: Object.keys(results),
    rows: scenario.lines.map(({ of, ...line }) => {
      const rounds: Record<string, readonly number[]> = {}
      for (const [name, metrics] of Object.entries(results)) rounds[name] = [of(metrics)]
      return compare(line, rounds, comparison)
    }),
  }
}

async function on(server: MeasuredServer, scenario: Scenario, pinned: boolean): Promise<Metrics> {
  const [node = '', ...script] = program(`drivers/fire/${scenario.program}.js`)
  try {
    return await LineProcess.result<Metrics>([
      ...launcher('client', pinned),
      node,
      '--expose-gc',
      ...script,
      server.connectString,
      ...scenario.args.map(String),
    ])
  } finally {
    await server.stop()
  }
}
