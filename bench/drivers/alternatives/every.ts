/**
 * `every <scheduler> <url> <second | minute> <jobs> <periods>`: so many jobs that do nothing, all of which
 * fire each second or minute in this process; says that it is there, then how late they begin, and what that
 * takes of a core.
 */
import { setTimeout as pass } from 'node:timers/promises'
import { cpuSecondsSince, percentile, preciseNow } from '../fire/figures.ts'
import { say } from '../say.ts'
import type { Period } from './contender.ts'
import { FireBook } from './fire-book.ts'
import { open } from './open.ts'

/**
 * In milliseconds. In the first seconds compilers and caches settle. Measuring begins between two fires, so
 * that every period is measured as a whole, and at the end late runs are waited for.
 */
const times: Readonly<
  Record<Period, { period: number; warmup: number; before: number; grace: number }>
> = {
  second: { period: 1_000, warmup: 3_000, before: 500, grace: 2_000 },
  minute: { period: 60_000, warmup: 0, before: 1_000, grace: 0 },
}

const [name = '', url = '', unit = 'second', ...numbers] = process.argv.slice(2)
const [jobs = 1, periods = 1] = numbers.map(Number)
const { period, warmup, before, grace } = times[unit as Period]
say({ ready: true })
const contender = await open(name)(url, 'defaults')
const book = new FireBook()
const started = performance.now()
await contender.every(unit as Period, jobs, (job, scheduled) => {
  book.note(job, scheduled, preciseNow())
})
const secondsToSchedule = (performance.now() - started) / 1_000
await pass(warmup)
const from = Math.ceil((preciseNow() + before) / period) * period - before
const to = from + periods * period
book.open(from, to)
await pass(from - preciseNow())
const cpuBefore = process.cpuUsage()
await pass(to - preciseNow())
const cpuPercent = (cpuSecondsSince(cpuBefore) / ((to - from) / 1_000)) * 100
await pass(grace)
const { lateness, ...fires } = book.result(jobs, period)
say({
  ...fires,
  p50: percentile(lateness, 0.5),
  p99: percentile(lateness, 0.99),
  most: percentile(lateness, 1),
  cpuPercent,
  secondsToSchedule,
})
process.exit()
