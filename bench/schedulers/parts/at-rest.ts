/** What a cluster asks of the registry while nothing fires and nobody comes or goes. */
import { setTimeout as pass } from 'node:timers/promises'
import { progress } from '../../measure/progress.ts'
import { compare } from '../../report/report.ts'
import { type Counts, CountingProxy, difference } from '../counting-proxy.ts'
import { job, onServer, type Part } from '../part.ts'
import { comparison, java, ours, type Side } from '../sides.ts'
import type { Worker } from '../worker.ts'

export const atRest: Part = {
  title: 'At rest: requests to the server',
  async measure(sides, quick) {
    const [jobs, instances] = quick ? [4, 6] : [40, 50]
    // Fifty that join forty jobs keep a small machine busy for minutes: every one reacts to every other.
    const started: Readonly<Record<string, number>> = { [java]: quick ? 2 : 10, [ours]: instances }
    // Java asks once a minute.
    const watched = quick ? 10 : 60
    const counts = await onServer(async ({ connectString }) => {
      const clusters = []
      for (const side of sides) {
        const count = started[side.name] ?? instances
        progress(`at rest: ${jobs} jobs on ${count} instances, ${side.name}`)
        clusters.push(await startCluster(side, connectString, jobs, count))
      }
      // Whoever came last is known to all by then.
      await pass(quick ? 5_000 : 20_000)
      progress(`at rest: watched for ${watched} s`)
      const before = clusters.map(({ proxy }) => proxy.counts())
      await pass(watched * 1000)
      const asked = clusters.map(({ proxy }, index) =>
        difference(before[index] as Counts, proxy.counts()),
      )
      for (const { worker, proxy } of clusters) {
        await worker.end()
        await proxy.stop()
      }
      return asked
    })
    const rounds = (of: (one: Counts) => number): Record<string, readonly number[]> =>
      Object.fromEntries(
        sides.map(({ name }, index) => {
          const share = instances / (started[name] ?? instances)
          return [name, [of(counts[index] as Counts) * share]]
        }),
      )
    return [
      {
        title: `At rest: ${jobs} jobs on ${instances} instances, over ${watched} s`,
        names: [java, ours],
        rows: [
          compare(
            { what: 'requests, pings aside', unit: 'a second' },
            rounds(({ requests }) => requests / watched),
            comparison,
          ),
          compare(
            { what: 'pings', unit: 'a second' },
            rounds(({ pings }) => pings / watched),
            comparison,
          ),
          compare(
            { what: 'both', unit: 'a second' },
            rounds(({ requests, pings }) => (requests + pings) / watched),
            comparison,
          ),
        ],
        notes: [
          `Java's figures are those of ${started[java]} instances, times ${instances / (started[java] ?? 1)}: at rest an instance asks as much with few others as with many. Ours are measured with all ${instances}.`,
          'All instances of a side are in one process, each with a session of its own. Java keeps an instance in static fields: each has ElasticJob and Quartz in a class loader of its own.',
          'A session of Java lives for 60 s without a sign of life, one of ours for 15 s, and so does a crash go unnoticed: ours ping more often.',
        ],
      },
    ]
  },
}

async function startCluster(
  side: Side,
  target: string,
  jobs: number,
  instances: number,
): Promise<{ readonly worker: Worker; readonly proxy: CountingProxy }> {
  const proxy = await CountingProxy.start(target)
  const worker = await side.start({
    servers: proxy.connectString,
    namespace: side.name === ours ? 'rest-ours' : 'rest-java',
    sessionTimeout: 0,
    ips: Array.from({ length: instances }, (_, index) => `10.1.0.${index + 1}`),
  })
  await worker.startJobs(
    Array.from({ length: jobs }, (_, index) => job(`job-${index}`, { shards: instances })),
  )
  return { worker, proxy }
}
