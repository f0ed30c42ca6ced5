import { type BenchOptions, isChosen } from '../command-line.ts'
import { build } from '../measure/build.ts'
import { requireZooKeeper } from '../measure/machine.ts'
import type { Findings, Section } from '../report/report.ts'
import { realHeap } from '../server/servers.ts'
import { benchAlternatives } from './alternatives/bench.ts'
import type { Part } from './part.ts'
import { atRest } from './parts/at-rest.ts'
import { failover } from './parts/failover.ts'
import { fires } from './parts/fires.ts'
import { lateness } from './parts/lateness.ts'
import { manyJobs } from './parts/many-jobs.ts'
import { requests } from './parts/requests.ts'
import { resharding } from './parts/resharding.ts'
import { findSides, type Sides } from './sides.ts'

const parts: readonly Part[] = [fires, requests, lateness, failover, resharding, manyJobs, atRest]

/** `peers`: our scheduler beside Java's, in turns on the same ZooKeeper, and beside others of Node. */
export async function benchPeers(options: BenchOptions): Promise<Findings> {
  requireZooKeeper()
  await build()
  const chosen = parts.filter(({ title }) => isChosen(title, options.only))
  const sides = chosen.length === 0 ? undefined : await findSides()
  const sections: Section[] = []
  if (sides !== undefined) {
    for (const { measure } of chosen) sections.push(...(await measure(sides, options.quick)))
  }
  const others = await alternatives(options, sections.length > 0)
  return {
    settings: sides === undefined ? {} : settingsOf(sides),
    sections: [...sections, ...others.sections],
    notes: others.notes,
  }
}

/** Should these fail, what was measured before them must not be lost. */
async function alternatives(
  options: BenchOptions,
  isMore: boolean,
): Promise<Pick<Findings, 'sections' | 'notes'>> {
  try {
    return { sections: await benchAlternatives(options), notes: [] }
  } catch (error) {
    if (!isMore) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return { sections: [], notes: [`Other schedulers for Node are missing: ${reason}`] }
  }
}

function settingsOf(sides: Sides): Record<string, string> {
  return {
    ...Object.fromEntries(
      sides.map(({ name, version, settings }) => [`${name} ${version}`, settings]),
    ),
    server: `Debian's ZooKeeper, standalone, -XX:+UseSerialGC -Xmx${realHeap}, forceSync=no, on the loopback; both sides use the same one`,
    processes: 'no process is bound to a core: Java works with many threads',
    turns: 'Java, ours, Java, ours',
    bodies: 'the code of a job notes the time and ends',
  }
}
