/**
 * A program with a client, to be frozen by a test: it holds a lease, has an ephemeral node in every
 * session, and tells what it sees as lines of JSON. It ends by itself when its input does.
 */
import { createInterface } from 'node:readline'
import { ZooKeeper } from '@elasticjob/zookeeper'

const [servers = '', path = ''] = process.argv.slice(2)

const zk = new ZooKeeper({
  servers,
  sessionTimeout: 3_000,
  reconnect: { initialDelay: 10, maxDelay: 200 },
  lease: { serverTickTime: 500, abortTime: 250 },
})

function tell(message: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

for (const name of [
  'session:connected',
  'session:suspended',
  'session:reconnected',
  'session:lost',
  'session:expired',
  'session:renewed',
  'lease:ended',
  'lease:regained',
] as const) {
  zk.on(name, () => tell({ event: name }))
}

async function register(): Promise<void> {
  const { stat } = await zk.create(path, '', { mode: 'ephemeral' })
  tell({ event: 'registered', owner: String(stat.ephemeralOwner) })
}

zk.on('session:renewed', () => void register())
await zk.connect()
zk.lease.hold(`${path}-lease`)
await register()

// The first thing that runs after a freeze is a timer like this one, before any socket is read.
let lookedAt = performance.now()
const look = setInterval(() => {
  const now = performance.now()
  if (now - lookedAt > 1_000) tell({ event: 'woke', leaseValid: zk.lease.valid })
  lookedAt = now
}, 20)

createInterface(process.stdin).on('close', () => {
  clearInterval(look)
  void zk.close()
})
