/**
 * `instance <connect string> <namespace> <ip> <items> <session timeout>`: one instance of a job whose shards all belong
 * to whoever has the address 10.9.0.1. There they run until they are told to stop; everywhere else each says when its
 * first line was reached, by a clock that all processes of the machine share. On a line of input it asks for a round;
 * on SIGTERM it drains.
 */
import { createInterface } from 'node:readline'
import type { ShardingContext, ShardingStrategy } from '@elasticjob/core'
import { say } from '../say.ts'
import { connect } from '../fire/connect.ts'

const [servers = '', namespace = '', ip = '', ...numbers] = process.argv.slice(2)
const [shards = 1, sessionTimeout = 0] = numbers.map(Number)
const victim = '10.9.0.1'

/** Everything to the one that will be gone, while it is there. */
const allToVictim: ShardingStrategy = {
  type: 'ALL_TO_VICTIM',
  shard(instances, _jobName, total) {
    const owner = instances.find((instance) => instance.startsWith(`${victim}@`)) ?? instances[0]
    const all = Array.from({ length: total }, (_, shard) => shard)
    return new Map(instances.map((instance) => [instance, instance === owner ? all : []]))
  },
}

let running = 0

/** What a victim does: nothing, until it is told to stop. Then its work is not done. */
function linger({ signal }: ShardingContext): Promise<void> {
  running += 1
  if (running === shards) say({ running })
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('told to stop')), { once: true })
  })
}

let begun: { shard: number; at: number }[] = []

/** Said together, and later: what is being measured must not wait for its own report. */
async function report({ shardingItem: shard, attempt }: ShardingContext): Promise<void> {
  const at = Number(process.hrtime.bigint()) / 1e6
  if (attempt === 1) return
  if (begun.length === 0) {
    setImmediate(() => {
      for (const line of begun) say(line)
      begun = []
    })
  }
  begun.push({ shard, at })
}

const jobs = await connect(servers, namespace, {
  ip,
  strategies: [allToVictim],
  ...(sessionTimeout === 0
    ? {}
    : { sessionTimeoutMilliseconds: sessionTimeout, serverTickTime: 200, abortTime: 100 }),
})
const isVictim = ip === victim
const ownsAll = new Promise<void>((resolve) => {
  jobs.on('shards:owned', ({ shards: owned }) => {
    if (owned.length === shards) resolve()
  })
})
let instance = ''
jobs.on('job:registered', (registered) => {
  instance = registered.instance
})
const job = await jobs.schedule(
  {
    jobName: 'job',
    shardingTotalCount: shards,
    failover: true,
    jobShardingStrategyType: allToVictim.type,
  },
  isVictim ? linger : report,
)
if (isVictim) await ownsAll
say({ instance })
const lines = createInterface({ input: process.stdin })
lines.on('line', () => void job.trigger())
lines.on('close', () => void jobs.stop())
