import { startServer } from '@elasticjob/zookeeper-server'
import { freePort } from '../harness/free-port.ts'
import { ownedDirectory, removeOwnedDirectory } from '../harness/owned-process.ts'
import { startStandalone } from '../harness/standalone.ts'

/** A server that other people's programs are run against. */
export interface TestedServer {
  readonly connectString: string
  readonly port: number
  /** Ends the server; what data it keeps, it has again when it proceeds. */
  halt(): Promise<void>
  /** Starts a halted server on the same port. */
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

export interface ServerChoices {
  /**
   * Whether the embedded server keeps its state in a directory; the real one always does.
   * @default false
   */
  readonly keepsData?: boolean
}

/** Runs the same program beside a fresh server of each kind; the servers are gone afterwards. */
export async function onBothServers<T>(
  run: (server: TestedServer) => Promise<T>,
  { keepsData = false }: ServerChoices = {},
): Promise<Both<T>> {
  const [zooKeeper, embedded] = await Promise.all([
    withZooKeeper(run),
    keepsData ? withKeptData((dataDir) => withEmbedded(run, dataDir)) : withEmbedded(run),
  ])
  return { zooKeeper, embedded }
}

async function withZooKeeper<T>(run: (server: TestedServer) => Promise<T>): Promise<T> {
  await using server = await startStandalone({
    ...sessionTimes,
    properties: { 'znode.container.checkIntervalMs': `${cleanUpInterval}` },
  })
  return await run({
    connectString: server.connectString,
    port: server.port,
    halt: () => server.kill(),
    proceed: async () => void (await server.start()),
  })
}

async function withEmbedded<T>(
  run: (server: TestedServer) => Promise<T>,
  dataDir?: string,
): Promise<T> {
  const options = {
    ...sessionTimes,
    cleanUpInterval,
    ...(dataDir === undefined ? {} : { dataDir }),
    // As the real server of the tests: no test is about the loss of power.
    fsync: false,
    port: await freePort(),
    fourLetterWords: ['*'],
  }
  let server = await startServer(options)
  try {
    return await run({
      connectString: server.connectString,
      port: server.port,
      halt: () => server.stop(),
      proceed: async () => {
        server = await startServer(options)
      },
    })
  } finally {
    await server.stop()
  }
}

async function withKeptData<T>(use: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await ownedDirectory('embedded')
  try {
    return await use(dataDir)
  } finally {
    removeOwnedDirectory(dataDir)
  }
}
