import { progress } from '../../../measure/progress.ts'
import { contenders, everySecondNotes, ours, peers } from '../contenders.ts'
import type { Part } from '../part.ts'
import { inRounds } from '../rounds.ts'
import { type Metrics, firesOf } from '../run-driver.ts'
import { type Line, table } from '../table.ts'

const lines: readonly Line[] = [
  { what: 'lateness, p50', unit: 'ms', metric: 'p50' },
  { what: '– p99', unit: 'ms', metric: 'p99' },
  { what: '– at most', unit: 'ms', metric: 'most' },
  { what: 'fires that should have been', unit: '', metric: 'expected' },
  { what: '– missed', unit: '', metric: 'missed' },
  { what: 'CPU of the process', unit: '% of a core', metric: 'cpuPercent' },
]

/** In milliseconds; a minute has to pass, and the one before it. */
const timeout = 200_000

/** So many jobs, all of which fire each second. */
export function eachSecond(jobs: number): Part {
  return {
    title: () => `${jobs} jobs each second in one process`,
    async measure(title, { rounds, seconds }, pinned) {
      const results = await inRounds(title, contenders, rounds, (contender) =>
        firesOf(contender, { pinned, timeout }, 'second', jobs, seconds),
      )
      return table(title, lines, results, everySecondNotes)
    },
  }
}

/** The schedules of the one that knows no seconds. */
export const eachMinute: Part = {
  title: ({ manyJobs }) => `${manyJobs} jobs each minute in one process`,
  async measure(title, { manyJobs }, pinned) {
    // Most of a minute is waiting, so both wait for the same one.
    const both = [ours, ...peers.filter(({ id }) => id === 'pg-boss')]
    progress(`${title}: ${both.map(({ name }) => name).join(' and ')}`)
    const results = await Promise.all(
      both.map(async (contender): Promise<[string, Metrics[]]> => [
        contender.name,
        [await firesOf(contender, { pinned, timeout }, 'minute', manyJobs, 1)],
      ]),
    )
    return table(title, lines, Object.fromEntries(results), [
      'pg-boss: its schedules, as they are meant, with its defaults: it looks for those that are due every 30 s, hands on what it finds every 5 s, and a worker looks into its queue every 2 s. One minute is measured; how late it is depends on the moment at which its process started.',
      'The others do each minute what they do each second.',
    ])
  },
}
