/**
 * `fires <connect string> <items> <fires>`: one job that fires every second and whose shards do nothing; says how long
 * after the fire they begin, and how long after their end the registry knows it.
 */
import { say } from '../say.ts'
import { connect, noOp } from './connect.ts'
import { percentile, preciseNow } from './figures.ts'

interface Fire {
  first: number
  last: number
  ended: number
  recorded: number
  count: number
}

/** Compilers and caches settle in these. */
const warmup = 5

const [servers = '', ...numbers] = process.argv.slice(2)
const [shards = 1, fires = 1] = numbers.map(Number)
const jobs = await connect(servers, `fires-${shards}`)
const seen = new Map<number, Fire>()

function fireAt(fireTime: number): Fire {
  const fire = seen.get(fireTime) ?? { first: Infinity, last: 0, ended: 0, recorded: 0, count: 0 }
  seen.set(fireTime, fire)
  return fire
}

jobs.on('run:started', ({ fireTime }) => {
  const fire = fireAt(fireTime)
  fire.last = preciseNow()
  fire.first = Math.min(fire.first, fire.last)
})
jobs.on('run:completed', ({ fireTime }) => {
  fireAt(fireTime).ended = preciseNow()
})
const enough = new Promise<void>((resolve) => {
  jobs.on('run:recorded', ({ fireTime }) => {
    const fire = fireAt(fireTime)
    fire.recorded = preciseNow()
    fire.count += 1
    const complete = [...seen.values()].filter(({ count }) => count === shards)
    if (complete.length === fires + warmup) resolve()
  })
})
await jobs.schedule({ jobName: 'job', cron: '* * * * * ?', shardingTotalCount: shards }, noOp)
await enough
const measured = [...seen].filter(([, { count }]) => count === shards).slice(warmup)
const toFirst = measured.map(([fireTime, { first }]) => first - fireTime)
const toLast = measured.map(([fireTime, { last }]) => last - fireTime)
const toRecord = measured.map(([, { ended, recorded }]) => recorded - ended)
say({
  firstMedian: percentile(toFirst, 0.5),
  firstMost: Math.max(...toFirst),
  lastMedian: percentile(toLast, 0.5),
  recordedMedian: percentile(toRecord, 0.5),
  recordedMost: Math.max(...toRecord),
})
await jobs.stop()
