import { once } from 'node:events'

import { SeededRandom } from '@elasticjob/zookeeper/testing'
import { startServer } from '@elasticjob/zookeeper-server'

import { memoryKept } from '../../../../test/zookeeper/harness/memory-kept.ts'
import { attack } from './attackers.ts'
import { GoodClients } from './good-clients.ts'

export interface HostileRun {
  readonly frames: number
  readonly connections: number
  /** What the good clients did meanwhile, and what went wrong for them. */
  readonly operations: number
  readonly events: number
  readonly failures: readonly string[]
  /** Sessions beyond those of the good clients that were left when all attackers had gone. */
  readonly sessionsLeft: number
  /** Heap and buffers in use after a twentieth of the frames and at the end, in bytes. */
  readonly memoryEarly: number
  readonly memoryLate: number
}

/** Lets attackers and good clients loose on one server, and sees what is left. */
export async function runHostile(options: {
  readonly frames: number
  readonly seed: number
  readonly progress?: (frames: number) => void
}): Promise<HostileRun> {
  const server = await startServer({
    port: 0,
    tickTime: 100,
    // What an attacker asks for by chance is waited for at the end.
    maxSessionTimeout: 5000,
    handshakeTimeout: 500,
  })
  const good = await GoodClients.start(server.connectString, 3)
  const random = new SeededRandom(options.seed)
  const progress = options.progress ?? (() => {})
  const settled = async (): Promise<number> => {
    // Sessions that were asked for and abandoned end by themselves; each end is told.
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
