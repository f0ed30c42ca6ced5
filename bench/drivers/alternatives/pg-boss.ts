import { type Contender, type Fired, jobNames, type Open } from './contender.ts'
import { peer } from '../peer-module.ts'
import { pgBoss } from './settings.ts'

/** As much of pg-boss as is used here. */
interface Module {
  readonly PgBoss: new (options: Options) => Boss
}

type Options = Readonly<Record<string, unknown>>

interface Boss {
  on(event: 'error', listener: (error: Error) => void): void
  start(): Promise<unknown>
  createQueue(name: string, options?: Options): Promise<void>
  schedule(name: string, cron: string): Promise<void>
  send(name: string, data?: unknown, options?: Options): Promise<unknown>
  insert(jobs: readonly Options[]): Promise<unknown>
  work(
    name: string,
    options: Options,
    body: (jobs: readonly { name: string; data: Tick }[]) => Promise<void>,
  ): Promise<unknown>
}

/** One link of a chain of jobs, each of which sends the next. */
interface Tick {
  readonly job: string
  readonly at: number
}

const eachMinute = '* * * * *'
const onceAYear = '0 0 1 1 *'
const chainQueue = 'bench'

export const open: Open = async (connectionString, pace): Promise<Contender> => {
  const { PgBoss } = await peer<Module>('pg-boss')
  const boss = new PgBoss({ connectionString, ...pgBoss.crash[pace].boss })
  boss.on('error', (error) => {
    throw error
  })
  await boss.start()
  return {
    every: (period, count, fired) =>
      period === 'minute'
        ? schedule(boss, eachMinute, count, (name) => fired(name, startOfMinute()))
        : chain(boss, count, fired),
    hold: (count) => schedule(boss, onceAYear, count, () => {}),
    async join(name, body) {
      await boss.createQueue(name, pgBoss.crash[pace].queue)
      await boss.work(name, pgBoss.worker, body)
      return () => boss.send(name)
    },
  }
}

/** Its schedules, which know no seconds: a queue for every job, and somebody who looks into it. */
async function schedule(
  boss: Boss,
  cron: string,
  count: number,
  fired: (name: string) => void,
): Promise<void> {
  for (const name of jobNames(count)) {
    await boss.createQueue(name)
    await boss.schedule(name, cron)
    await boss.work(name, {}, async () => fired(name))
  }
}

/** What can be made of it for less than a minute: a job that sends its successor for the next second. */
async function chain(boss: Boss, count: number, fired: Fired): Promise<void> {
  const link = (job: string, at: number): Options => ({
    name: chainQueue,
    data: { job, at } satisfies Tick,
    startAfter: new Date(at),
  })
  await boss.createQueue(chainQueue)
  await boss.work(chainQueue, { ...pgBoss.worker, batchSize: pgBoss.batchSize }, async (jobs) => {
    for (const { data } of jobs) fired(data.job, data.at)
    await boss.insert(jobs.map(({ data }) => link(data.job, nextSecond())))
  })
  await boss.insert(jobNames(count).map((job) => link(job, nextSecond())))
}

/** The lateness of its schedules is less than a minute, so there is no doubt which one it is. */
function startOfMinute(): number {
  return Math.floor(Date.now() / 60_000) * 60_000
}

function nextSecond(): number {
  return (Math.floor(Date.now() / 1_000) + 1) * 1_000
}
