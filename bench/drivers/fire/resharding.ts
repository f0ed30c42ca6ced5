/**
 * `resharding <connect string> <items> <times>`: a job of so many shards on two instances changes its strategy so that
 * every shard moves; says how long that takes until both know it, and what the leader sends for it.
 */
import type { ElasticJob, ShardingStrategy } from '@elasticjob/core'
import { networkTransport, type Transport, ZooKeeper } from '@elasticjob/zookeeper'
import { say } from '../say.ts'
import { connect, never, noOp } from './connect.ts'
import { percentile } from './figures.ts'

const [servers = '', ...numbers] = process.argv.slice(2)
const [shards = 2, times = 1] = numbers.map(Number)
const namespace = `resharding-${shards}`
let bytes = 0

/** The first half to one instance, the second to the other; `turn` says to whom. */
function halves(type: string, turn: 0 | 1): ShardingStrategy {
  return {
    type,
    shard(instances, _jobName, total) {
      const sorted = instances.toSorted((a, b) => (a < b ? -1 : 1))
      const all = Array.from({ length: total }, (_, shard) => shard)
      const middle = total / 2
      return new Map(
        sorted.map((instance, index) => [
          instance,
          index === turn ? all.slice(0, middle) : all.slice(middle),
        ]),
      )
    },
  }
}

/** Counts what is sent. */
function counted(transactionRunner: Transport): Transport {
  return {
    resolve: (host) => transactionRunner.resolve(host),
    connect(endpoint, handler) {
      const stream = transactionRunner.connect(endpoint, handler)
      return {
        write(chunk) {
          bytes += chunk.length
          stream.write(chunk)
        },
        end: () => stream.end(),
        destroy: () => stream.destroy(),
      }
    },
  }
}

/** Resolves when the instance has half of the shards, and others than before. */
function newHalf(jobs: ElasticJob): Promise<void> {
  return new Promise((resolve) => {
    const listener = ({ shards: owned }: { shards: readonly number[] }): void => {
      if (owned.length !== shards / 2) return
      jobs.off('shards:owned', listener)
      resolve()
    }
    jobs.on('shards:owned', listener)
  })
}

const strategies = [halves('ONE_WAY', 0), halves('OTHER_WAY', 1)]
const first = await connect(servers, namespace, {
  ip: '10.1.0.1',
  strategies,
  environment: { transport: counted(networkTransport()) },
})
const second = await connect(servers, namespace, { ip: '10.1.0.2', strategies })
const instances = [first, second]
const shared = Promise.all(instances.map(newHalf))
for (const jobs of instances) {
  await jobs.schedule(
    {
      jobName: 'job',
      cron: never,
      shardingTotalCount: shards,
      jobShardingStrategyType: 'ONE_WAY',
    },
    noOp,
  )
}
await shared
const operator = await ZooKeeper.connect({ servers })
const config = `/${namespace}/job/config`
const seconds: number[] = []
const sent: number[] = []
for (let time = 0; time < times; time++) {
  const text = Buffer.from((await operator.get(config)).data).toString()
  const [from, to] = time % 2 === 0 ? ['ONE_WAY', 'OTHER_WAY'] : ['OTHER_WAY', 'ONE_WAY']
  const moved = Promise.all(instances.map(newHalf))
  bytes = 0
  const started = performance.now()
  await operator.set(config, text.replace(from, to))
  await moved
  seconds.push((performance.now() - started) / 1000)
  sent.push(bytes)
}
say({ milliseconds: percentile(seconds, 0.5) * 1000, kilobytes: percentile(sent, 0.5) / 1000 })
await operator.close()
await Promise.all(instances.map((jobs) => jobs.stop()))
