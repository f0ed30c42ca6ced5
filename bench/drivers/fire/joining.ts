/**
 * `joining <connect string> <instances> <seconds>`: so many instances, in this one process, join a job with as many
 * shards within the time; says what that costs the server.
 */
import { setTimeout as pass } from 'node:timers/promises'
import { say } from '../say.ts'
import { connect, never, noOp } from './connect.ts'
import { serverPackets } from './server-packets.ts'

const [servers = '', ...numbers] = process.argv.slice(2)
const [count = 1, seconds = 1] = numbers.map(Number)
const instances = await Promise.all(
  Array.from({ length: count }, (_, index) =>
    connect(servers, 'joining', { ip: `10.1.${index >> 8}.${index & 255}` }),
  ),
)
let reshardings = 0
let owners = 0
const settled = new Promise<void>((resolve) => {
  for (const jobs of instances) {
    jobs.on('sharding:changed', () => {
      reshardings += 1
    })
    let had = 0
    jobs.on('shards:owned', ({ shards }) => {
      // Everybody has one shard in the end; the first may have had more.
      owners += Number(shards.length === 1) - Number(had === 1)
      had = shards.length
      if (owners === count) resolve()
    })
  }
})
const before = await serverPackets(servers)
const started = performance.now()
await Promise.all(
  instances.map(async (jobs, index) => {
    await pass((index * seconds * 1000) / count)
    await jobs.schedule({ jobName: 'job', cron: never, shardingTotalCount: count }, noOp)
  }),
)
await settled
const secondsToSettle = (performance.now() - started) / 1000
const after = await serverPackets(servers)
const requests = after.received - before.received
say({ requests, events: after.sent - before.sent - requests, reshardings, secondsToSettle })
await Promise.all(instances.map((jobs) => jobs.stop()))
