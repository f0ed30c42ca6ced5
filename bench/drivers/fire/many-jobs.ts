/**
 * `many-jobs <connect string> <jobs>`: so many jobs of three shards in this process, none of which fires; says what it
 * takes to start them and to have them. Needs `--expose-gc`.
 */
import { setTimeout as pass } from 'node:timers/promises'
import { say } from '../say.ts'
import { connect, never, noOp } from './connect.ts'
import { cpuSecondsSince, heldBytes } from './figures.ts'

const watchedSeconds = 20

const [servers = '', count = '1'] = process.argv.slice(2)
const length = Number(count)
const jobs = await connect(servers, 'many-jobs')
const bytesBefore = heldBytes()
let resharded = 0
const ready = new Promise<void>((resolve) => {
  jobs.on('shards:owned', () => {
    resharded += 1
    if (resharded === length) resolve()
  })
})
const cpuBefore = process.cpuUsage()
const started = performance.now()
await Promise.all(
  Array.from({ length }, (_, index) =>
    jobs.schedule({ jobName: `job-${index}`, cron: never, shardingTotalCount: 3 }, noOp),
  ),
)
const secondsToSchedule = (performance.now() - started) / 1000
await ready
const secondsToOwn = (performance.now() - started) / 1000
const cpuSeconds = cpuSecondsSince(cpuBefore)
const bytesPerJob = (heldBytes() - bytesBefore) / length
const idleBefore = process.cpuUsage()
await pass(watchedSeconds * 1000)
say({
  secondsToSchedule,
  secondsToOwn,
  cpuSeconds,
  bytesPerJob,
  rssMegabytes: process.memoryUsage.rss() / 2 ** 20,
  idlePercent: (cpuSecondsSince(idleBefore) / watchedSeconds) * 100,
  sessions: jobs.sessionCount,
})
await jobs.stop()
