/**
 * `hold <scheduler> <url> <jobs> <seconds>`: so many jobs in this process, none of which fires; says what
 * it takes to have them, then stays until its input ends. Needs `--expose-gc`.
 */
import { setTimeout as pass } from 'node:timers/promises'
import { cpuSecondsSince, heldBytes } from '../fire/figures.ts'
import { endOfInput, say } from '../say.ts'
import { open } from './open.ts'

const [name = '', url = '', ...numbers] = process.argv.slice(2)
const [jobs = 1, seconds = 1] = numbers.map(Number)
const contender = await open(name)(url, 'defaults')
const bytesBefore = heldBytes()
const started = performance.now()
await contender.hold(jobs)
const secondsToSchedule = (performance.now() - started) / 1_000
// What was begun on the way comes to its end.
await pass(2_000)
const bytesPerJob = (heldBytes() - bytesBefore) / jobs
const before = process.cpuUsage()
await pass(seconds * 1_000)
say({
  secondsToSchedule,
  bytesPerJob,
  rssMegabytes: process.memoryUsage.rss() / 2 ** 20,
  idlePercent: (cpuSecondsSince(before) / seconds) * 100,
})
await endOfInput()
process.exit()
