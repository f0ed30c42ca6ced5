/** A sample job of every type. Their work is only simulated. */
import { type Clock, type Dataflow, type ElasticJob, inWorker } from '@elasticjob/core'

import { beside } from './beside.ts'

export async function scheduleSamples(
  jobs: ElasticJob,
  { shop, clock }: { readonly shop: string; readonly clock: Clock },
): Promise<void> {
  const work = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    untilDone(clock, milliseconds, signal)

  // A function, called for each shard.
  await jobs.schedule(
    {
      jobName: 'sync-orders',
      description: 'a function',
      cron: '0/5 * * * * ?',
      shardingTotalCount: 6,
      shardingItemParameters: {
        0: 'Berlin',
        1: 'Lima',
        2: 'Osaka',
        3: 'Perth',
        4: 'Quito',
        5: 'Tunis',
      },
      failover: true,
    },
    ({ signal }) => work(300, signal),
  )

  // A dataflow that continues until there is no more data.
  const prices: Dataflow<number> = {
    async *fetchData({ signal }) {
      for (let page = 0; page < 3 && !signal.aborted; page++) yield [page * 2, page * 2 + 1]
    },
    processData: ({ signal }) => work(200, signal),
  }
  await jobs.schedule(
    {
      jobName: 'import-prices',
      description: 'a dataflow',
      cron: '0/10 * * * * ?',
      shardingTotalCount: 3,
      props: { 'streaming.process': true },
    },
    prices,
  )

  // A script.
  await jobs.schedule(
    {
      jobName: 'tidy-up',
      description: 'a script',
      cron: '4/20 * * * * ?',
      shardingTotalCount: 2,
      props: { 'script.command.line': `"${process.execPath}" -e "" tidy-up` },
    },
    { type: 'SCRIPT' },
  )

  // An HTTP request.
  await jobs.schedule(
    {
      jobName: 'refresh-rates',
      description: 'an HTTP request',
      cron: '8/10 * * * * ?',
      shardingTotalCount: 2,
      props: { 'http.uri': `${shop}/rates/refresh`, 'http.method': 'POST' },
    },
    { type: 'HTTP' },
  )

  // A computation, in a worker thread.
  await jobs.schedule(
    {
      jobName: 'count-primes',
      description: 'a worker thread',
      cron: '2/10 * * * * ?',
      shardingTotalCount: 3,
    },
    inWorker(beside(import.meta.url, './primes')),
  )

  // Without a schedule: it runs when it is triggered.
  await jobs.schedule(
    { jobName: 'rebuild-index', description: 'runs when triggered', shardingTotalCount: 4 },
    ({ signal }) => work(1000, signal),
  )
}

/** Simulates work, which ends early when the run is aborted. */
function untilDone(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      timer.cancel()
      reject(signal.reason as Error)
    })
  })
}
