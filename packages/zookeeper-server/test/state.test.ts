import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../src/durability.ts'
import { ServerState } from '../src/state.ts'
import type { SnapshotNode } from '../src/transaction.ts'
import { CoreHarness } from './core-client.ts'
import { RandomClients, step } from './random-operations.ts'

const nobody = { created: () => {}, deleted: () => {}, dataChanged: () => {} }

/** The content of a state, in an order independent of its history. */
function contents(state: ServerState): unknown {
  const { zxid, lastSessionId, sessions, nodes } = state.snapshot()
  const byPath = [...nodes].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const children = byPath.map(({ path }) => [...(state.tree.get(path)?.children ?? [])].toSorted())
  const ephemerals = new Map([...state.tree.ephemerals].map(([id, paths]) => [id, new Set(paths)]))
  const { dataSize, nodeCount, ephemeralCount } = state.tree
  return {
    zxid,
    lastSessionId,
    sessions,
    byPath,
    children,
    ephemerals,
    dataSize,
    nodeCount,
    ephemeralCount,
  }
}

function restore(snapshot: Omit<Snapshot, 'nodes'>, nodes: Iterable<SnapshotNode>): ServerState {
  const state = new ServerState(nobody)
  state.loadHeader(snapshot.zxid, snapshot.lastSessionId)
  for (const session of snapshot.sessions) state.loadSession(session)
  for (const node of nodes) state.loadNode(node)
  return state
}

describe('ServerState', () => {
  it('is reproduced by its transactions', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const harness = new CoreHarness()
        const clients = new RandomClients(harness)
        for (const each of steps) clients.do(each)
        const replayed = new ServerState(nobody)
        for (const transaction of harness.log) replayed.applyTransaction(transaction)
        expect(contents(replayed)).toEqual(contents(harness.core.state))
      }),
    )
  })

  it('is reproduced by a snapshot', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const harness = new CoreHarness()
        const clients = new RandomClients(harness)
        for (const each of steps) clients.do(each)
        const snapshot = harness.core.state.snapshot()
        expect(contents(restore(snapshot, snapshot.nodes))).toEqual(contents(harness.core.state))
      }),
    )
  })

  it('is reproduced by a snapshot taken during changes, and the transactions since its start', () => {
    const steps = fc.array(step, { minLength: 20, maxLength: 80 })
    fc.assert(
      fc.property(steps, fc.array(fc.nat(5)), fc.nat(40), (all, pauses, begin) => {
        const harness = new CoreHarness()
        const clients = new RandomClients(harness)
        for (const each of all.slice(0, begin)) clients.do(each)
        const snapshot = harness.core.state.snapshot()
        const iterator = snapshot.nodes[Symbol.iterator]()
        const nodes: SnapshotNode[] = []
        for (const [index, each] of all.slice(begin).entries()) {
          for (let i = 0; i < (pauses[index] ?? 0); i++) {
            const next = iterator.next()
            if (next.done !== true) nodes.push(next.value)
          }
          clients.do(each)
        }
        for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
          nodes.push(next.value)
        }
        const restored = restore(snapshot, nodes)
        for (const transaction of harness.log) {
          if (transaction.zxid > snapshot.zxid) restored.applyTransaction(transaction)
        }
        expect(contents(restored)).toEqual(contents(harness.core.state))
      }),
      { numRuns: 300 },
    )
  })

  it('numbers transactions without gaps', () => {
    const harness = new CoreHarness()
    const client = harness.connected()
    client.create('/a')
    client.create('/a')
    client.closeSession()
    expect(harness.log.map(({ zxid, body }) => [zxid, body.kind])).toEqual([
      [1, 'createSession'],
      [2, 'create'],
      [3, 'none'],
      [4, 'closeSession'],
    ])
  })
})
