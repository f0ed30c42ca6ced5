import { progress } from '../../../measure/progress.ts'
import { contenders } from '../contenders.ts'
import type { Part } from '../part.ts'
import { inRounds } from '../rounds.ts'
import { firesOf } from '../run-driver.ts'
import { mostSustained } from '../most-sustained.ts'
import { type Line, table } from '../table.ts'

const lines: readonly Line[] = [
  { what: 'fires that were run', unit: '1/s', metric: 'perSecond' },
  { what: '– with so many jobs each second', unit: '', metric: 'jobs' },
]

/** In milliseconds. */
const timeout = 60_000

/** What a single process can do at most. */
export const throughput: Part = {
  title: () => 'The most fires a second of one process',
  async measure(title, { least, most, secondsAtMost }, pinned) {
    const results = await inRounds(title, contenders, 1, (contender) =>
      mostSustained(least, most, async (jobs) => {
        progress(`${title}: ${contender.name} with ${jobs} jobs`)
        const fires = await firesOf(contender, { pinned, timeout }, 'second', jobs, secondsAtMost)
        return fires['perSecond'] ?? 0
      }),
    )
    return table(title, lines, results, [
      `As many jobs that do nothing as there are, each second: from ${least} on twice as many each time, until fewer than 9 of 10 fires are run or there are ${most}; then once the middle between the last two; the best of these. What takes longer than ${timeout / 1_000} s to start and to measure counts as none.`,
    ])
  },
}
