import { isZooKeeperError, part, ZooKeeper } from '@elasticjob/zookeeper'
import { SeededRandom } from '@elasticjob/zookeeper/testing'

import { memoryKept } from '../../../test/zookeeper/harness/memory-kept.ts'
import { fastClock } from './fast-clock.ts'
import { HostileServer } from './hostile-server.ts'

export interface HostileRun {
  /** How many frames the server sent, and how many of them were unsound; the latter ends the run. */
  readonly frames: number
  readonly unsound: number
  readonly connections: number
  /** How many requests got an answer, and how many got each typed error. */
  readonly answered: number
  readonly errors: Readonly<Record<string, number>>
  /** Requests that ended with neither an answer nor a typed error; expected to be empty. */
  readonly untyped: readonly string[]
  /** Heap and buffers in use after a tenth of the run and at its end, in bytes. */
  readonly memoryEarly: number
  readonly memoryLate: number
}

const maxFrameBytes = 64 * 1024

/** Sends requests to a hostile server until it has sent the given number of unsound frames. */
export async function runAgainstHostileServer(options: {
  readonly frames: number
  readonly seed: number
  readonly progress?: (frames: number) => void
}): Promise<HostileRun> {
  const random = new SeededRandom(options.seed)
  const server = new HostileServer(random, maxFrameBytes)
  const errors: Record<string, number> = {}
  const untyped: string[] = []
  let answered = 0
  let memoryEarly = 0
  let client = openClient(server, random)
  while (server.unsound < options.frames) {
    // An unsolicited rejection of an identity, for example, may close a client for good.
    if (client.state === 'closed') client = openClient(server, random)
    const requests = Array.from({ length: 1 + random.below(8) }, () => request(client, random))
    for (const outcome of await Promise.allSettled(requests)) {
      if (outcome.status === 'fulfilled') answered++
      else if (isZooKeeperError(outcome.reason)) {
        errors[outcome.reason.code] = (errors[outcome.reason.code] ?? 0) + 1
      } else untyped.push(String(outcome.reason))
    }
    if (memoryEarly === 0 && server.unsound > options.frames / 10) memoryEarly = await memoryKept()
    options.progress?.(server.unsound)
  }
  await client.close()
  const { frames, unsound, connections } = server
  const memoryLate = await memoryKept()
  return { frames, unsound, connections, answered, errors, untyped, memoryEarly, memoryLate }
}

function openClient(server: HostileServer, random: SeededRandom): ZooKeeper {
  const client = new ZooKeeper({
    servers: 'hostile:1',
    transport: server,
    random,
    maxFrameBytes,
    connectTimeout: Infinity,
    clock: fastClock(1000),
    sessionTimeout: 1000,
    requestTimeout: 5000,
    reconnect: { initialDelay: 10, maxDelay: 10 },
  })
  client.connect().catch(() => {})
  return client
}

/**
 * One listener for all watches: a new listener for each would be retained, correctly, until its watch fires.
 */
const ignore = (): void => {}

function request(client: ZooKeeper, random: SeededRandom): Promise<unknown> {
  const watch = random.below(3) === 0 ? { watch: ignore } : {}
  switch (random.below(7)) {
    case 0:
      return client.get('/fuzz', watch)
    case 1:
      return client.set('/fuzz', random.bytes(random.below(100)))
    case 2:
      return client.children('/fuzz', watch)
    case 3:
      return client.exists('/fuzz/a', watch)
    case 4:
      return client.create('/fuzz', '', { mode: random.pick(['persistent', 'ephemeral']) })
    case 5:
      return client.multi([part.create('/fuzz'), part.set('/fuzz', 'x')])
    default:
      return client.addWatch('/fuzz', 'recursive', ignore).then((added) => added.remove())
  }
}
