import { type Contender, jobNames, type Open, type Period } from './contender.ts'
import { peer } from '../peer-module.ts'
import { bullMq } from './settings.ts'

/** As much of BullMQ as is used here. */
interface BullMq {
  readonly Queue: new (name: string, options: Options) => Queue
  readonly Worker: new (
    name: string,
    body: (job: { name: string; opts: { prevMillis?: number } }) => Promise<void>,
    options: Options,
  ) => { waitUntilReady(): Promise<unknown> }
}

type Options = Readonly<Record<string, unknown>>

interface Queue {
  upsertJobScheduler(
    id: string,
    repeat: { pattern: string },
    job: { name: string },
  ): Promise<unknown>
  add(name: string, data: unknown): Promise<unknown>
}

const patterns: Readonly<Record<Period, string>> = { second: '* * * * * *', minute: '0 * * * * *' }
const onceAYear = '0 0 0 1 1 *'

/** One queue for all jobs, which is how job schedulers are meant. */
const queueName = 'bench'

export const open: Open = async (url, pace): Promise<Contender> => {
  const { Queue, Worker } = await peer<BullMq>('bullmq')
  const { hostname: host, port } = new URL(url)
  const connection = { host, port: Number(port) }
  const schedule = async (
    pattern: string,
    count: number,
    body: (job: { name: string; opts: { prevMillis?: number } }) => Promise<void>,
  ): Promise<void> => {
    const queue = new Queue(queueName, { connection })
    const worker = new Worker(queueName, body, { connection, ...bullMq.worker })
    await worker.waitUntilReady()
    await Promise.all(
      jobNames(count).map((name) => queue.upsertJobScheduler(name, { pattern }, { name })),
    )
  }
  return {
    every: (period, count, fired) =>
      schedule(patterns[period], count, async ({ name, opts }) =>
        fired(name, opts.prevMillis ?? 0),
      ),
    hold: (count) => schedule(onceAYear, count, async () => {}),
    async join(name, body) {
      const queue = new Queue(name, { connection })
      const worker = new Worker(name, () => body(), {
        connection,
        ...bullMq.crash[pace],
      })
      await worker.waitUntilReady()
      return () => queue.add('job', {})
    },
  }
}
