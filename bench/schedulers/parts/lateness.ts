/** Many jobs that all fire each second in one process: how late their code begins, and what is missed. */
import { progress } from '../../measure/progress.ts'
import { quantile } from '../../measure/statistics.ts'
import { compare, type Section } from '../../report/report.ts'
import { everySecond, job, onServer, type Part, seconds } from '../part.ts'
import { comparison, java, ours, type Side } from '../sides.ts'
import type { Run } from '../worker.ts'

/** What runs later than this counts as missed. */
const timeout = 5

export interface Lateness {
  readonly p50: number
  readonly p99: number
  readonly missed: number
}

/** What became of so many jobs that were to fire in every second of a time. */
export function latenessOf(
  runs: readonly Run[],
  jobs: number,
  { from, until }: { readonly from: number; readonly until: number },
): Lateness {
  const first = new Map<string, number>()
  for (const { job: name, fire, at } of runs) {
    if (fire < from || fire >= until) continue
    const key = `${fire} ${name}`
    first.set(key, Math.min(first.get(key) ?? Infinity, at - fire))
  }
  const all = [...first.values()]
  const expected = jobs * Math.round((until - from) / 1000)
  return { p50: quantile(all, 0.5), p99: quantile(all, 0.99), missed: expected - all.length }
}

export const lateness: Part = {
  title: 'Lateness: jobs that all fire each second in one process',
  async measure([javaSide, ourSide], quick) {
    const sizes = quick ? [20, 50] : [100, 500]
    const more = quick ? 100 : 1_000
    const [rounds, watched] = quick ? [1, 3] : [2, 15]
    const all = new Map<string, Lateness[]>()
    const measure = async (side: Side, count: number, round: number): Promise<void> => {
      progress(`lateness, round ${round} of ${rounds}: ${count} jobs, ${side.name}`)
      const key = `${side.name} ${count}`
      all.set(key, [...(all.get(key) ?? []), await measureOne(side, count, watched)])
    }
    for (let round = 1; round <= rounds; round++) {
      for (const count of sizes) {
        for (const side of [javaSide, ourSide]) await measure(side, count, round)
      }
      await measure(ourSide, more, round)
    }
    const of = (side: string, count: number): Lateness[] => all.get(`${side} ${count}`) ?? []
    const [, most = 0] = sizes
    return [
      ...sizes.map((count) =>
        section(`${label(count)} each second`, of(java, count), of(ours, count), count === most),
      ),
      section(
        `${label(more)} of ours each second, beside Java's ${label(most)}`,
        of(java, most),
        of(ours, more),
        true,
      ),
    ]
  },
}

function label(count: number): string {
  return `${count.toLocaleString('en')} jobs`
}

async function measureOne(side: Side, count: number, watched: number): Promise<Lateness> {
  return onServer(async ({ connectString }) => {
    const worker = await side.start({
      servers: connectString,
      namespace: 'lateness',
      sessionTimeout: 0,
      ips: ['10.1.0.1'],
    })
    await worker.startJobs(
      Array.from({ length: count }, (_, index) => job(`job-${index}`, { cron: everySecond })),
    )
    // Compilers and caches settle meanwhile.
    await seconds(8)
    await worker.clear()
    await seconds(1)
    const from = Math.ceil(Date.now() / 1000) * 1000
    await seconds(watched)
    const until = Math.ceil(Date.now() / 1000) * 1000
    await seconds(timeout)
    const runs = await worker.runs()
    await worker.end()
    return latenessOf(runs, count, { from, until })
  })
}

function section(
  title: string,
  theirs: readonly Lateness[],
  own: readonly Lateness[],
  hasGoals: boolean,
): Section {
  const row = (
    what: string,
    unit: string,
    of: (one: Lateness) => number,
    goal?: { readonly atMost: number } | { readonly ownAtMost: number },
  ): Section['rows'][number] =>
    compare(
      { what, unit, ...(goal === undefined || !hasGoals ? {} : { goal }) },
      { [java]: theirs.map(of), [ours]: own.map(of) },
      comparison,
    )
  return {
    title: `Lateness: ${title}`,
    names: [java, ours],
    rows: [
      row('p50', 'ms', ({ p50 }) => p50),
      row('p99', 'ms', ({ p99 }) => p99, { atMost: 1 / 20 }),
      row('missed', 'runs', ({ missed }) => missed, { ownAtMost: 0 }),
    ],
  }
}
