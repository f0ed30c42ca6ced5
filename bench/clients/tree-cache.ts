import { startStandalone } from '../../test/zookeeper/harness/standalone.ts'
import { program } from '../measure/build.ts'
import { launcher } from '../measure/cores.ts'
import type { Effort } from '../measure/effort.ts'
import { LineProcess } from '../measure/line-process.ts'
import { progress } from '../measure/progress.ts'
import { fillTree, treeRoot } from '../measure/tree.ts'
import { compare, type Section } from '../report/report.ts'
import { ours } from './contenders.ts'

/** What `drivers/tree-cache.ts` says. */
interface Loaded {
  readonly nodes: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly bytes: number
  readonly rssMegabytes: number
  readonly peakRssMegabytes: number
}

/** What it takes to hold a great many nodes in a tree cache, and to read them. */
export async function benchTreeCache(effort: Effort, pinned: boolean): Promise<Section> {
  progress('tree cache')
  const server = await startStandalone({
    tickTime: 2_000,
    maxHeap: '2g',
    launcher: launcher('server', pinned),
  })
  try {
    await fillTree(server.connectString, effort, pinned)
    const loads: Loaded[] = []
    for (let round = 1; round <= effort.rounds; round++) {
      progress(`round ${round} of ${effort.rounds}: tree cache`)
      loads.push(await load(server.connectString, pinned))
    }
    const row = (
      what: string,
      unit: string,
      of: (load: Loaded) => number,
    ): Section['rows'][number] =>
      compare({ what, unit }, { [ours]: loads.map(of) }, { subject: ours, baseline: ours })
    return {
      title: 'A tree cache of a great many nodes',
      names: [ours],
      rows: [
        row('nodes of 100 bytes', '', ({ nodes }) => nodes),
        row('time to load', 's', ({ seconds }) => seconds),
        row('– nodes', 'nodes/s', ({ nodes, seconds }) => nodes / seconds),
        row('– CPU', 'µs/node', ({ nodes, cpuSeconds }) => (cpuSeconds / nodes) * 1e6),
        row('memory of a node (heap and buffers)', 'bytes', ({ nodes, bytes }) => bytes / nodes),
        row('memory (RSS)', 'MB', ({ rssMegabytes }) => rssMegabytes),
        row('– at most, while loading', 'MB', ({ peakRssMegabytes }) => peakRssMegabytes),
      ],
    }
  } finally {
    await server.stop()
  }
}

function load(connectString: string, pinned: boolean): Promise<Loaded> {
  const [node = '', ...script] = program('drivers/tree-cache.js')
  return LineProcess.result([
    ...launcher('client', pinned),
    node,
    '--expose-gc',
    ...script,
    connectString,
    treeRoot,
  ])
}
