/** What a fire asks of the registry. Counting takes no time that is measured: both fire side by side. */
import { progress } from '../../measure/progress.ts'
import { compare } from '../../report/report.ts'
import { CountingProxy, difference } from '../counting-proxy.ts'
import { onServer, type Part, seconds } from '../part.ts'
import { comparison, type Side } from '../sides.ts'
import { firing, labelOf, shapes } from './fires.ts'

/** The first fires assign the shards, and make what is missing. */
const warmup = 3

export const requests: Part = {
  title: 'A fire: requests',
  async measure(sides, quick) {
    const count = quick ? 3 : 5
    const rounds = await onServer(async ({ connectString }) => {
      progress('a fire: requests')
      return Promise.all(sides.map((side) => requestsOf(side, connectString, count)))
    })
    const rows = shapes.map((shape, index) =>
      compare(
        { what: labelOf(shape), unit: 'requests', goal: { ownAtMost: 2 } },
        Object.fromEntries(
          sides.map(({ name }, side) => [name, [rounds[side]?.[index] ?? Number.NaN]]),
        ),
        comparison,
      ),
    )
    return [
      {
        title: 'A fire: requests to the server',
        names: [comparison.baseline, comparison.subject],
        rows,
        notes: [
          'Counted by a proxy between the process and the server, pings aside, over whole seconds with one fire each.',
        ],
      },
    ]
  },
}

async function requestsOf(side: Side, target: string, count: number): Promise<number[]> {
  const proxy = await CountingProxy.start(target)
  const worker = await side.start({
    servers: proxy.connectString,
    namespace: `requests-${side.name.startsWith('@') ? 'ours' : 'java'}`,
    sessionTimeout: 0,
    ips: ['10.1.0.1'],
  })
  const all: number[] = []
  for (const shape of shapes) {
    const wanted = firing(shape)
    await worker.startJobs([wanted])
    await seconds(warmup)
    const before = proxy.counts()
    await seconds(count)
    all.push(difference(before, proxy.counts()).requests / count)
    await worker.stopJob(wanted.name)
  }
  await worker.end()
  await proxy.stop()
  return all
}
