/**
 * `every-second <connect string> <jobs> <seconds>`: so many jobs of one shard, all of which fire every second in this
 * process; says how late they begin, and what that takes of a core.
 */
import { setTimeout as pass } from 'node:timers/promises'
import { say } from '../say.ts'
import { connect, noOp } from './connect.ts'
import { cpuSecondsSince, percentile, preciseNow } from './figures.ts'

/** Compilers and caches settle in these seconds. */
const warmup = 5

const [servers = '', ...numbers] = process.argv.slice(2)
const [count = 1, seconds = 1] = numbers.map(Number)
const jobs = await connect(servers, 'every-second')
const lateness = new Map<number, number[]>()
jobs.on('run:started', ({ fireTime }) => {
  const all = lateness.get(fireTime) ?? []
  all.push(preciseNow() - fireTime)
  lateness.set(fireTime, all)
})
await Promise.all(
  Array.from({ length: count }, (_, index) =>
    jobs.schedule({ jobName: `job-${index}`, cron: '* * * * * ?', shardingTotalCount: 1 }, noOp),
  ),
)
// In the middle between two fires, so that every second is measured as a whole.
await pass(warmup * 1000)
await pass(1500 - (preciseNow() % 1000))
lateness.clear()
const before = process.cpuUsage()
await pass(seconds * 1000)
const cpuPercent = (cpuSecondsSince(before) / seconds) * 100
const measured = [...lateness.values()].flat()
say({
  runs: measured.length,
  expected: count * seconds,
  p50: percentile(measured, 0.5),
  p99: percentile(measured, 0.99),
  most: percentile(measured, 1),
  cpuPercent,
})
await jobs.stop()
