import { startServer } from '@elasticjob/zookeeper-server'
import { freePort } from '../harness/free-port.ts'
import { ownedDirectory, removeOwnedDirectory } from '../harness/owned-process.ts'
import { startStandalone } from '../harness/standalone.ts'

/** A server that other people's programs are run against. */
export interface TestedServer {
  readonly kind: 'ZooKeeper' | 'embedded'
  readonly connectString: string
  /** Ends the server and keeps its data. */
  halt(): Promise<void>
  /** Starts a halted server on the same port and the same data. */
  proceed(): Promise<void>
}

/** One result from each kind of server. */
export interface Both<T> {
  readonly zooKeeper: T
  readonly embedded: T
}

/** The same on both, or their answers would differ: session timeouts are negotiated. */
const sessionTimes = { tickTime: 500, minSessionTimeout: 1_000, maxSessionTimeout: 60_000 }

/** Empty containers and nodes past their time to live go within a second, not within a minute. */
const cleanUpInterval = 1_000

/** Runs the same program beside a fresh server of each kind; the servers are gone afterwards. */
export async function onBothServers<T>(
  run: (server: TestedServer) => Promise<T>,
): Promise<Both<T>> {
  const [zooKeeper, embedded] = await Promise.all([withZooKeeper(run), withEmbedded(run)])
  return { zooKeeper, embedded }
}

async function withZooKeeper<T>(run: (server: TestedServer) => Promise<T>): Promise<T> {
  await using server = await startStandalone({
    ...sessionTimes,
    properties: { 'znode.container.checkIntervalMs': `${cleanUpInterval}` },
  })
  return await run({
    kind: 'ZooKeeper',
    connectString: server.connectString,
    halt: () => server.kill(),
    proceed: async () => void (await server.start()),
  })
}

async function withEmbedded<T>(run: (server: TestedServer) => Promise<T>): Promise<T> {
  const dataDir = await ownedDirectory('embedded')
  const options = {
    ...sessionTimes,
    cleanUpInterval,
    dataDir,
    // As the real server of the tests: what they ask for does not depend on the disk.
    fsync: false,
    port: await freePort(),
    fourLetterWords: ['*'],
  }
  let server = await startServer(options)
  try {
    return await run({
      kind: 'embedded',
      connectString: server.connectString,
      halt: () => server.close(),
      proceed: async () => {
        server = await startServer(options)
      },
    })
  } finally {
    await server.close()
    removeOwnedDirectory(dataDir)
  }
}
