/** What a team that writes TypeScript would use instead, on what it shares with us. */
import { type BenchOptions, isChosen } from '../../command-line.ts'
import { describePinning } from '../../measure/cores.ts'
import { installPeer } from '../../measure/peers.ts'
import type { Section } from '../../report/report.ts'
import { describeVersion, peers } from './contenders.ts'
import { effortOf } from './effort.ts'
import type { Part } from './part.ts'
import { crash } from './parts/crash.ts'
import { eachMinute, eachSecond } from './parts/lateness.ts'
import { memory } from './parts/memory.ts'
import { throughput } from './parts/throughput.ts'
import { describeStores, requireStores } from './stores.ts'

/** Before every title, so that all of them can be chosen by it. */
const heading = 'Schedulers for Node'

/** Ours beside BullMQ, pg-boss and Agenda. The drivers have to be compiled. */
export async function benchAlternatives(options: BenchOptions): Promise<readonly Section[]> {
  const { quick, pinned, only } = options
  const effort = effortOf(quick)
  const parts: readonly Part[] = [
    ...effort.jobs.map(eachSecond),
    throughput,
    ...(effort.minute ? [eachMinute] : []),
    crash,
    memory,
  ]
  const chosen = parts
    .map((part) => ({ ...part, title: `${heading}: ${part.title(effort)}` }))
    .filter(({ title }) => isChosen(title, only))
  if (chosen.length === 0) return []
  requireStores()
  for (const { id } of peers) await installPeer(id)
  const sections: Section[] = []
  for (const { title, measure } of chosen) sections.push(await measure(title, effort, pinned))
  return withSettings(sections, [
    `Schedulers: ours on ZooKeeper; ${peers.map((peer) => `${describeVersion(peer)} on ${peer.store}`).join('; ')}.`,
    `Servers: ${await describeStores()}.`,
    `Processes: ${describePinning(pinned)}.`,
  ])
}

/** What holds for all tables is said below the first. */
function withSettings(sections: readonly Section[], settings: readonly string[]): Section[] {
  return sections.map((section, index) =>
    index === 0 ? { ...section, notes: [...settings, ...(section.notes ?? [])] } : section,
  )
}
