import type { BenchOptions } from '../command-line.ts'
import { serverPackets } from '../drivers/fire/server-packets.ts'
import { build } from '../measure/build.ts'
import { describePinning } from '../measure/cores.ts'
import { requireZooKeeper } from '../measure/machine.ts'
import { usageOf } from '../measure/process-usage.ts'
import { progress } from '../measure/progress.ts'
import { quantile } from '../measure/statistics.ts'
import { compare, type Goal, type Findings, type Row, type Section } from '../report/report.ts'
import { realHeap } from '../server/servers.ts'
import { browserAvailable, MeasuredBrowser } from './browser.ts'
import { javaListAvailable, measureJavaList } from './java-list.ts'
import {
  type Cold,
  type Effort,
  keepChanging,
  type Lists,
  measureChanges,
  measureCold,
  measureLists,
  measureSight,
  packetsAtRest,
  type Sight,
} from './measure.ts'
import { buildPage, builtPage, pageWeight, weightBehind } from './page-weight.ts'
import { MeasuredConsole, namespace, Pages, password, Registry, type StageSize } from './stage.ts'

const ours = '@elasticjob/console'
const javas = 'Java, a read for each node'

/** What a page may weigh before charts, in kilobytes. */
const heaviestPage = 60

/** `console`: a large namespace in the browser, and what that costs everybody. */
export async function benchConsole({ quick, pinned, sizes }: BenchOptions): Promise<Findings> {
  requireZooKeeper()
  const size: StageSize = {
    jobs: sizes.jobs ?? (quick ? 200 : 10_000),
    shards: 10,
    deadServers: sizes.deadServers ?? (quick ? 200 : 10_000),
  }
  const effort = effortOf(quick, sizes.pages ?? (quick ? 10 : 100))
  await build()
  await buildPage()
  progress(`filling ${size.jobs} jobs and ${size.deadServers} dead servers`)
  await using registry = await Registry.make(size, pinned)
  progress(`${registry.nodes} nodes in ${registry.seconds.toFixed(1)} s`)
  const metrics = await measureConsole(registry, size, effort, pinned)
  const peer = await measurePeer(registry, pinned)
  return {
    settings: settingsOf(registry, size, effort, pinned),
    sections: [
      listSection(metrics, peer, effort),
      pageSection(metrics, effort),
      registrySection(metrics, effort),
    ],
    notes: [
      ...(metrics.sight === undefined
        ? ['No browser was measured: npm run setup:browser installs one.']
        : []),
      ...(peer === undefined ? ['Java was not measured: there is no JDK or no Maven.'] : []),
    ],
  }
}

function effortOf(quick: boolean, pages: number): Effort {
  return {
    pages,
    lists: quick ? 20 : 300,
    together: Math.min(pages, 10),
    changes: quick ? 5 : 50,
    pictures: quick ? 2 : 10,
    seconds: quick ? 2 : 20,
  }
}

function settingsOf(
  { nodes }: Registry,
  { jobs, shards, deadServers }: StageSize,
  { pages, lists, together, changes, pictures }: Effort,
  pinned: boolean,
): Record<string, string> {
  const n = (value: number): string => value.toLocaleString('en')
  return {
    namespace: `${n(jobs)} jobs of ${shards} shards in applications of 100 with 2 instances each, every shard has run; ${n(deadServers)} servers without an instance, half of them in one job, half in the jobs of one application; ${n(nodes)} nodes`,
    pages: `${pages} streams of the list of jobs, which stay open; lists are asked for ${lists} times, ${together} at a time; ${changes} changes; ${pictures} navigations of Chromium, logged in, nothing cached but what HTTP allows`,
    'while jobs change': 'another job is given another description 20 times a second',
    begins:
      'for a change: before it is written to ZooKeeper, by the clock that all processes share',
    processes: `${describePinning(pinned)}; the console is the client, pages share the core of the server`,
    server: `Debian's ZooKeeper, standalone, -XX:+UseSerialGC -Xmx${realHeap}, forceSync=no`,
    Java: 'JobStatisticsAPI.getAllJobsBriefInfo() of elasticjob-lite-lifecycle, which the back end of its console answers the list with (the back end itself is not on Maven Central)',
  }
}

interface Metrics {
  readonly cold: Cold
  readonly restBefore: number
  readonly restWithPages: number
  readonly packetsOfOpening: number
  readonly packetsOfLists: number
  readonly opening: Pages['opening']
  readonly lists: Lists
  readonly busyLists: Lists
  readonly changes: readonly number[]
  readonly sight: Sight | undefined
  readonly stoodStill: number
  readonly megabytes: number
  readonly weights: Readonly<Record<'en' | 'zh' | 'behind', number>>
}

async function measureConsole(
  registry: Registry,
  size: StageSize,
  effort: Effort,
  pinned: boolean,
): Promise<Metrics> {
  await using console = await MeasuredConsole.start(registry, pinned)
  const cold = await measureCold(registry, console, pinned)
  progress('at rest, without a page')
  const restBefore = await packetsAtRest(registry, effort.seconds)
  progress(`${effort.pages} pages are opened`)
  const beforeOpening = await received(registry)
  await using pages = await Pages.open(console, effort.pages, pinned)
  const packetsOfOpening = (await received(registry)) - beforeOpening
  progress(`at rest, with ${effort.pages} pages`)
  const restWithPages = await packetsAtRest(registry, effort.seconds)
  await console.stoodStill()
  progress('lists')
  const beforeLists = await received(registry)
  const lists = await measureLists(pages, effort)
  const packetsOfLists = (await received(registry)) - beforeLists
  progress('lists, while jobs change')
  const busyLists = await whileChanging(registry, size, () => measureLists(pages, effort))
  progress('changes, to the streams')
  const changes = await measureChanges(registry, pages, effort.changes)
  const sight = await look(registry, console, effort)
  const files = builtPage()
  return {
    cold,
    restBefore,
    restWithPages,
    packetsOfOpening,
    packetsOfLists,
    opening: pages.opening,
    lists,
    busyLists,
    changes,
    sight,
    stoodStill: await console.stoodStill(),
    megabytes: usageOf(console.pid).rssMegabytes,
    weights: {
      en: pageWeight(files, 'en'),
      zh: pageWeight(files, 'zh'),
      behind: weightBehind(files),
    },
  }
}

async function received({ connectString }: Registry): Promise<number> {
  return (await serverPackets(connectString)).received
}

async function whileChanging<T>(
  registry: Registry,
  { jobs }: StageSize,
  measure: () => Promise<T>,
): Promise<T> {
  const done = new AbortController()
  const changing = keepChanging(registry, jobs, done.signal)
  try {
    return await measure()
  } finally {
    done.abort()
    await changing
  }
}

async function look(
  registry: Registry,
  console: MeasuredConsole,
  effort: Effort,
): Promise<Sight | undefined> {
  if (!browserAvailable()) return undefined
  progress('a browser')
  await using browser = await MeasuredBrowser.open(console.url, password)
  return await measureSight(registry, browser, effort)
}

interface Peer {
  readonly took: readonly number[]
  /** Packets that one list was to ZooKeeper. */
  readonly packets: number
}

async function measurePeer(registry: Registry, pinned: boolean): Promise<Peer | undefined> {
  if (!javaListAvailable()) return undefined
  progress('the same list by Java')
  const times = 2
  const before = await received(registry)
  const { took } = await measureJavaList(registry.connectString, namespace, times, pinned)
  return { took, packets: ((await received(registry)) - before) / times }
}

function listSection(
  { lists, busyLists, packetsOfLists }: Metrics,
  peer: Peer | undefined,
  { pages, lists: times, together }: Effort,
): Section {
  const comparison = { subject: ours, baseline: javas }
  const row = (
    what: string,
    own: readonly number[],
    share: number,
    theirs: readonly number[] = [],
  ): Row => ({
    ...compare(
      { what: `${what}, p${share * 100}`, unit: 'ms' },
      {
        [javas]: theirs.length === 0 ? [] : [quantile(theirs, share)],
        [ours]: [quantile(own, share)],
      },
      comparison,
    ),
    rounds: { [javas]: theirs, [ours]: own },
  })
  const both = (what: string, own: readonly number[], theirs?: readonly number[]): Row[] => [
    row(what, own, 0.5, theirs),
    row(what, own, 0.99, theirs),
  ]
  // And those before, which are not measured.
  const asked = 2 * times + 2 * together
  return {
    title: `The list of jobs, with ${pages} pages open`,
    names: [javas, ours],
    rows: [
      ...both('all jobs', lists.whole, peer?.took),
      ...both('all jobs, while jobs change', busyLists.whole),
      ...both('the first 100', lists.part),
      ...both('the first 100, while jobs change', busyLists.part),
      compare(
        { what: 'requests on ZooKeeper for a list', unit: '' },
        {
          [javas]: peer === undefined ? [] : [peer.packets],
          [ours]: [packetsOfLists / asked],
        },
        comparison,
      ),
      compare(
        { what: 'all jobs, packed', unit: 'kB' },
        { [ours]: [lists.wholeBytes / 1000] },
        comparison,
      ),
    ],
  }
}

function pageSection(
  { cold, opening, changes, sight, weights }: Metrics,
  { pages }: Effort,
): Section {
  return {
    title: 'The page',
    names: [ours],
    rows: [
      single('weight of the first picture, packed, English', 'kB', weights.en / 1000),
      single('– Chinese', 'kB', weights.zh / 1000),
      ...(['en', 'zh'] as const).map((language) =>
        single(
          language === 'en' ? 'weight of all pages before charts, English' : '– Chinese',
          'kB',
          (weights[language] + weights.behind) / 1000,
          heaviestPage,
        ),
      ),
      ...(sight === undefined ? [] : quantiles('first picture in Chromium', sight.pictures)),
      ...quantiles(`first jobs on each of ${pages} pages opened at once`, opening.first),
      ...quantiles('– all jobs', opening.all),
      ...quantiles(`from a change to the streams of ${pages} pages`, changes),
      ...(sight === undefined ? [] : quantiles('– to what Chromium shows', sight.changes)),
      single('the very first page: first jobs', 's', cold.first / 1000),
      single('– all jobs', 's', cold.all / 1000),
    ],
    notes: [
      'The very first page waits for the console to read the namespace; it is told how far that has come.',
    ],
  }
}

function registrySection(
  { cold, restBefore, restWithPages, packetsOfOpening, stoodStill, megabytes }: Metrics,
  { pages }: Effort,
): Section {
  return {
    title: 'What it costs',
    names: [ours],
    rows: [
      single('requests on ZooKeeper to read everything once', '', cold.packets),
      single('– at rest, without a page', '1/s', restBefore),
      single(`– at rest, with ${pages} pages`, '1/s', restWithPages),
      single(`– to open ${pages} pages`, '', packetsOfOpening),
      single('memory of the console (RSS), everything read', 'MB', cold.megabytes),
      single(`– after all of this, with ${pages} pages`, 'MB', megabytes),
      single('the longest that nothing else happened in it, while reading', 'ms', cold.stoodStill),
      single('– afterwards', 'ms', stoodStill),
    ],
    notes: [
      'At rest, the sessions that keep the instances alive and the session of the console send pings.',
    ],
  }
}

function quantiles(what: string, values: readonly number[]): Row[] {
  return [0.5, 0.99].map((share) => ({
    ...single(share === 0.5 ? `${what}, p50` : '– p99', 'ms', quantile(values, share)),
    manualRuns: { [ours]: values },
  }))
}

function single(what: string, unit: string, value: number, atMost?: number): Row {
  const goal: { goal?: Goal } = atMost === undefined ? {} : { goal: { ownAtMost: atMost } }
  return compare({ what, unit, ...goal }, { [ours]: [value] }, { subject: ours, baseline: '' })
}
