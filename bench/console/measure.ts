/** What is measured of a console, one after the other on one stage. */
import { setTimeout as pass } from 'node:timers/promises'

import { serverPackets } from '../drivers/fire/server-packets.ts'
import { usageOf } from '../measure/process-usage.ts'
import { progress } from '../measure/progress.ts'
import type { MeasuredBrowser } from './browser.ts'
import { type MeasuredConsole, Pages, type Registry } from './stage.ts'

export interface Effort {
  /** Pages that are open. */
  readonly pages: number
  /** How often a list is asked for, of each kind. */
  readonly lists: number
  /** So many pages ask at the same time. */
  readonly together: number
  readonly changes: number
  readonly pictures: number
  /** For how long packets are counted. */
  readonly seconds: number
}

export interface Cold {
  readonly first: number
  readonly all: number
  readonly stoodStill: number
  readonly packets: number
  readonly megabytes: number
}

/** The first page of all: the console has read nothing yet. */
export async function measureCold(
  registry: Registry,
  console: MeasuredConsole,
  pinned: boolean,
): Promise<Cold> {
  progress('the first page: the console reads everything')
  await console.stoodStill()
  const before = await serverPackets(registry.connectString)
  await using page = await Pages.open(console, 1, pinned)
  const after = await serverPackets(registry.connectString)
  return {
    first: page.opening.first[0] as number,
    all: page.opening.all[0] as number,
    stoodStill: await console.stoodStill(),
    packets: after.received - before.received,
    megabytes: usageOf(console.pid).rssMegabytes,
  }
}

/** Packets that ZooKeeper receives in a second while nobody does anything. */
export async function packetsAtRest(registry: Registry, seconds: number): Promise<number> {
  const before = await serverPackets(registry.connectString)
  await pass(seconds * 1000)
  const after = await serverPackets(registry.connectString)
  return (after.received - before.received) / seconds
}

export interface Lists {
  readonly part: readonly number[]
  readonly whole: readonly number[]
  readonly wholeBytes: number
}

/** Lists, as pages and programs ask for them. */
export async function measureLists(pages: Pages, { lists, together }: Effort): Promise<Lists> {
  // The first ones pay for what is compiled and connected then.
  await pages.list('?limit=100', together * 2, together)
  const { took: part } = await pages.list('?limit=100', lists, together)
  const { took: whole, bytes: wholeBytes } = await pages.list('', lists, together)
  return { part, whole, wholeBytes }
}

/** A change every so often; the jobs are others than those that changes are measured with. */
export async function keepChanging(
  registry: Registry,
  jobs: number,
  signal: AbortSignal,
): Promise<void> {
  for (let count = 0; !signal.aborted; count++) {
    await registry.change(Math.floor(jobs / 2) + (count % Math.ceil(jobs / 4)), `Change ${count}`)
    await pass(50)
  }
}

/** From a change to every page; a while lies between two, as between those of operators. */
export async function measureChanges(
  registry: Registry,
  pages: Pages,
  count: number,
): Promise<number[]> {
  const latencies: number[] = []
  for (let index = 0; index < count; index++) {
    const text = `Told number ${index} of ${count}`
    const { seen } = await pages.expect(text)
    const [at, all] = await Promise.all([registry.change(index % 10, text), seen])
    latencies.push(...all.map((when) => when - at))
    await pass(50 + ((index * 37) % 200))
  }
  return latencies
}

export interface Sight {
  readonly pictures: readonly number[]
  readonly changes: readonly number[]
}

/** The same in a browser, where somebody would see it. */
export async function measureSight(
  registry: Registry,
  browser: MeasuredBrowser,
  { pictures, changes }: Effort,
): Promise<Sight> {
  const took: number[] = []
  for (let index = 0; index < pictures; index++) took.push(await browser.firstPicture())
  const page = await browser.watch()
  const latencies: number[] = []
  for (let index = 0; index < changes; index++) {
    const text = `Seen number ${index} of ${changes}`
    const [at, seen] = await Promise.all([registry.change(index % 10, text), page.until(text)])
    latencies.push(seen - at)
    await pass(50 + ((index * 37) % 200))
  }
  return { pictures: took, changes: latencies }
}
