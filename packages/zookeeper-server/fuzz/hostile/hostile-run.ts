import { once } from 'node:events'

import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { startServer } from '@elasticjob/zookeeper-server'

import { memoryKept } from '../../../../test/zookeeper/harness/memory-kept.ts'
import { attack } from './attackers.ts'
import { GoodClients } from './good-clients.ts'

export interface HostileRun {
  readonly frames: number
  readonly connections: number
  /** The operations of the good clients, and their failures. */
  readonly operations: number
  readonly events: number
  readonly failures: readonly string[]
  /** The sessions, besides those of the good clients, that are left after all attackers are gone. */
  readonly sessionsLeft: number
  /** Heap and buffers in use after a twentieth of the frames and at the end, in bytes. */
  readonly memoryEarly: number
  readonly memoryLate: number
}

/** Runs attackers and good clients against one server, and measures what is left. */
export async function runHostile(options: {
  readonly frames: number
  readonly seed: number
  readonly progress?: (frames: number) => void
}): Promise<HostileRun> {
  const server = await startServer({
    port: 0,
    tickTime: 100,
    // Short, because the run ends when the sessions that attackers create by chance have expired.
    maxSessionTimeout: 5000,
    handshakeTimeout: 500,
  })
  const good = await GoodClients.start(server.connectString, 3)
  const random = new SeededRandom(options.seed)
  const progress = options.progress ?? (() => {})
  const settled = async (): Promise<number> => {
    // Abandoned sessions expire by themselves; the server emits an event for each.
    while (server.sessionCount > good.count) await once(server.events, 'session:closed')
    return memoryKept()
  }
  const opening = await attack(server.port, options.frames / 20, random, progress)
  const memoryEarly = await settled()
  const rest = await attack(server.port, options.frames - opening.frames, random, (frames) =>
    progress(opening.frames + frames),
  )
  const memoryLate = await settled()
  const sessionsLeft = server.sessionCount - good.count
  await good.stop()
  await server.stop()
  return {
    frames: opening.frames + rest.frames,
    connections: opening.connections + rest.connections,
    operations: good.operations,
    events: good.events,
    failures: good.failures,
    sessionsLeft,
    memoryEarly,
    memoryLate,
  }
}
