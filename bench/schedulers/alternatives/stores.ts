/** The servers that the schedulers keep their jobs in, each with its own defaults. */
import {
  PostgreSql,
  postgreSqlAvailable,
  postgreSqlVersion,
} from '../../../test/services/postgresql.ts'
import { Redis, redisAvailable, redisVersion } from '../../../test/services/redis.ts'
import { startStandalone } from '../../../test/zookeeper/harness/standalone.ts'
import { launcher } from '../../measure/cores.ts'
import { requireZooKeeper } from '../../measure/machine.ts'
import { realHeap, startReal } from '../../server/servers.ts'

export type StoreKind = 'ZooKeeper' | 'Redis' | 'PostgreSQL'

export interface Store {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

export interface StoreSettings {
  readonly pinned: boolean
  /**
   * ZooKeeper's unit of time, in milliseconds.
   * @default 2000
   */
  readonly tickTime?: number
}

export async function startStore(kind: StoreKind, settings: StoreSettings): Promise<Store> {
  const states = launcher('server', settings.pinned)
  switch (kind) {
    case 'ZooKeeper': {
      const server = await startReal({ ...settings, fsync: true, durable: true })
      return { url: server.connectString, pid: server.pid, stop: () => server.stop() }
    }
    case 'Redis':
      return Redis.start({ launcher: states, settings: { appendonly: 'yes' } })
    case 'PostgreSQL':
      return PostgreSql.start({ launcher: states })
  }
}

/** Without the servers there is nothing to compare with. */
export function requireStores(): void {
  requireZooKeeper()
  if (redisAvailable() && postgreSqlAvailable()) return
  throw new Error('This needs Redis and PostgreSQL: npm run setup:databases installs them.')
}

export async function describeStores(): Promise<string> {
  return [
    "Debian's, a fresh one for each measurement, on the loopback, with their defaults",
    `ZooKeeper ${await zooKeeperVersion()}, standalone, -XX:+UseSerialGC -Xmx${realHeap}, every write on the disk before it is answered (forceSync=yes)`,
    `Redis ${redisVersion()}, appendonly yes, as BullMQ advises, on the disk once a second (appendfsync=everysec)`,
    `PostgreSQL ${postgreSqlVersion()}, every commit on the disk before it is answered (fsync=on, synchronous_commit=on)`,
  ].join('; ')
}

/** Only a running one says it. */
async function zooKeeperVersion(): Promise<string> {
  const server = await startStandalone()
  try {
    return /version: ([\d.]+)/.exec(await server.fourLetter('srvr'))?.[1] ?? 'unknown'
  } finally {
    await server.stop()
  }
}
