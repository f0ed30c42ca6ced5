import { LineProcess } from '../../../measure/line-process.ts'
import { familyMegabytes } from '../../../measure/family-memory.ts'
import { contenders } from '../contenders.ts'
import type { Part } from '../part.ts'
import { inRounds } from '../rounds.ts'
import { driver, type Metrics, onStore } from '../run-driver.ts'
import { type Line, table } from '../table.ts'

const lines: readonly Line[] = [
  { what: 'memory of the process (RSS)', unit: 'MB', metric: 'rssMegabytes' },
  { what: '– of a job in it', unit: 'bytes', metric: 'bytesPerJob' },
  { what: 'CPU of the process', unit: '% of a core', metric: 'idlePercent' },
  { what: 'until all are scheduled', unit: 's', metric: 'secondsToSchedule' },
  { what: 'memory of the server (PSS)', unit: 'MB', metric: 'serverMegabytes' },
]

/** What it takes to have jobs that do not fire. */
export const memory: Part = {
  title: ({ manyJobs }) => `${manyJobs} jobs that do not fire in one process`,
  async measure(title, { manyJobs, idleSeconds }, pinned) {
    const results = await inRounds(title, contenders, 1, (contender) =>
      onStore(contender, { pinned }, async (store) => {
        const command = driver('hold', contender, store, pinned, [manyJobs, idleSeconds])
        const holding = await LineProcess.start<Metrics>(command)
        const serverMegabytes = familyMegabytes(store.pid)
        await holding.end()
        return { ...holding.greeting, serverMegabytes }
      }),
    )
    return table(title, lines, results, [
      "BullMQ's and Agenda's jobs are in their servers; a process has what it needs to run any of them. Ours and pg-boss's have something for each: what decides about its next fire, or who looks into its queue.",
      'The memory of ZooKeeper is what its JVM takes of the heap that it may have, whatever is in it.',
    ])
  },
}
