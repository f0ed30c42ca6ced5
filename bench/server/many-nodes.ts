import type { Effort } from '../measure/effort.ts'
import { usageOf } from '../measure/process-usage.ts'
import { fillTree } from '../measure/tree.ts'
import type { MeasuredServer } from './servers.ts'

export interface ManyNodes {
  readonly nodes: number
  readonly nodesPerSecond: number
  readonly rssMegabytes: number
  readonly secondsToStart: number
  /** After the start, before anybody asked for anything. */
  readonly rssAfterStart: number
}

/** What a server needs to hold a great many nodes, and to start with them. */
export async function measureManyNodes(
  server: MeasuredServer,
  effort: Effort,
  pinned: boolean,
): Promise<ManyNodes> {
  const { nodes, seconds } = await fillTree(server.connectString, effort, pinned)
  const { rssMegabytes } = usageOf(server.pid)
  // The first start goes through the log of all the writes; a snapshot is there for the second.
  await server.restart()
  const secondsToStart = await server.restart()
  return {
    nodes,
    nodesPerSecond: nodes / seconds,
    rssMegabytes,
    secondsToStart,
    rssAfterStart: usageOf(server.pid).rssMegabytes,
  }
}
