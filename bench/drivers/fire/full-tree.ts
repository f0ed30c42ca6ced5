/**
 * `full-tree <connect string> <jobs> <instances> <items>`: joins jobs in which many instances take part
 * already, and says how much memory it takes to know all of it. Needs `--expose-gc`.
 */
import { part, ZooKeeper } from '@elasticjob/zookeeper'
import { pipeline, upTo } from '../measure.ts'
import { say } from '../say.ts'
import { connect, never, noOp } from './connect.ts'
import { cpuSecondsSince, heldBytes } from './figures.ts'

const inFlight = 10
const namespace = 'full-tree'

const [servers = '', ...numbers] = process.argv.slice(2)
const [count = 1, instances = 1, shards = 1] = numbers.map(Number)

function nodesOf(jobName: string): [path: string, data: string][] {
  const root = `/${namespace}/${jobName}`
  const below = (names: readonly string[]): [string, string][] =>
    names.map((name) => [`${root}/${name}`, ''])
  const ips = Array.from({ length: instances - 1 }, (_, index) => `10.1.0.${index + 1}`)
  const config = `cron: ${never}\njobName: ${jobName}\nmonitorExecution: true\nshardingTotalCount: ${shards}\n`
  return [
    [root, ''],
    [`${root}/config`, config],
    ...below(['instances', 'servers', 'leader', 'leader/election', 'sharding']),
    ...ips.map((ip): [string, string] => [`${root}/servers/${ip}`, 'ENABLED']),
    ...below(ips.map((ip) => `instances/${ip}@-@1-abcdefgh`)),
    ...Array.from({ length: shards }, (_, shard) =>
      below([`sharding/${shard}`, `sharding/${shard}/instance`]),
    ).flat(),
  ]
}

const filler = await ZooKeeper.connect({ servers, requestTimeout: 120_000 })
await filler.create(`/${namespace}`)
await pipeline(upTo(count), inFlight, (index, settle) => {
  const parts = nodesOf(`job-${index}`).map(([path, data]) => part.create(path, data))
  filler.multi(parts).then(() => settle(), settle)
})
await filler.close()

const jobs = await connect(servers, namespace)
const before = heldBytes()
let resharded = 0
const ready = new Promise<void>((resolve) => {
  jobs.on('sharding:changed', () => {
    resharded += 1
    if (resharded === count) resolve()
  })
})
const cpuBefore = process.cpuUsage()
const started = performance.now()
await Promise.all(
  Array.from({ length: count }, (_, index) =>
    jobs.schedule({ jobName: `job-${index}`, shardingTotalCount: shards, cron: never }, noOp),
  ),
)
await ready
const secondsToSettle = (performance.now() - started) / 1000
const megabytes = (heldBytes() - before) / 2 ** 20
say({
  nodes: count * nodesOf('').length,
  megabytes,
  bytesPerNode: (megabytes * 2 ** 20) / (count * nodesOf('').length),
  secondsToSettle,
  cpuSeconds: cpuSecondsSince(cpuBefore),
})
await jobs.stop()
