/** A job of every type, for a first look. What they do is nothing, and takes a moment. */
import { type Dataflow, type ElasticJob, inWorker } from '@elasticjob/core'

import type { Clock } from '../clock.ts'
import { beside } from './beside.ts'

/** Schedules all of them. */
export async function scheduleSamples(
  jobs: ElasticJob,
  { shop, clock }: { readonly shop: string; readonly clock: Clock },
): Promise<void> {
  const work = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    untilDone(clock, milliseconds, signal)

  // A function, called for each item.
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

  // A dataflow that goes on until there are no more data.
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

  // A program.
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

  // A request.
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

  // Something that computes, in a thread of its own.
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

/** Stands for some work, which ends early when the run is aborted. */
function untilDone(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      timer.cancel()
      reject(signal.reason as Error)
    })
  })
}
