import { describe, expect, it } from 'vitest'

import { isMixed } from '../../src/job-tree/job-view.ts'
import { ownerOf } from '../../src/sharding/needs.ts'
import { snapshotIn, snapshotOf } from '../support/tree-reader.ts'
import { java, jobTree, type Situation, x, y } from '../tree.ts'

const busy: Situation = {
  instances: [x, y],
  leader: x,
  owners: [x, y, x],
  servers: { '10.0.0.2': 'DISABLED' },
  config: 'cron: x',
  marks: { 0: { running: x }, 1: { disabled: '' }, 2: { failover: y, failovering: y } },
  shardStates: { 0: { state: 'running', run: 'r', instance: x } },
  waitingForFailover: [2],
  triggers: [x],
  necessary: true,
  jobState: { lastRound: 4, paused: true },
}

describe('readSnapshot', () => {
  it('shows a job without Java instances as plans see it', async () => {
    const tree = jobTree(busy)
    const { view, shardStates, exists } = await snapshotOf(tree)
    const { folders: _folders, turn: _turn, ...expected } = tree.view
    expect(view).toMatchObject(expected)
    expect(view.folders).toContain('trigger')
    expect(shardStates.get(0)).toMatchObject({ value: { run: 'r' }, version: 0 })
    expect(shardStates.has(1)).toBe(false)
    expect(exists).toBe(true)
  })

  it('shows a mixed job as plans see it, with the names in its nodes', async () => {
    const tree = jobTree({
      instances: [x, java],
      leader: java,
      owners: [x, java],
      marks: { 1: { running: java } },
      epoch: false,
      epochVersion: 0,
    })
    const { view } = await snapshotOf(tree)
    expect(view.shards).toEqual(tree.view.shards)
    expect(isMixed(view)).toBe(true)
    expect([0, 1].map((shard) => ownerOf(view, shard))).toEqual([x, java])
  })

  it('reads who owns what, briefly, under any leader', async () => {
    for (const leader of [x, java]) {
      const { view, shardStates } = await snapshotIn(
        { ...busy, leader, instances: [x, y] },
        'brief',
      )
      expect([0, 1, 2].map((shard) => ownerOf(view, shard))).toEqual([x, y, x])
      expect(view.servers.get('10.0.0.2')).toBe('DISABLED')
      expect(shardStates.size).toBe(0)
    }
  })

  it('reads what stands on the nodes of the instances', async () => {
    const tree = jobTree({ instances: [x] })
    tree.server.put(tree.paths.instance(x), 'labels: blue', { session: x })
    expect((await snapshotOf(tree)).instanceTexts.get(x)).toBe('labels: blue')
  })

  it('tells a job that is gone from one that is not complete', async () => {
    const tree = jobTree({ instances: [], shardStates: { 0: {} } })
    tree.server.drop(tree.paths.root)
    const { exists, view } = await snapshotOf(tree)
    expect(exists).toBe(false)
    expect(view).toMatchObject({ config: undefined, leader: undefined, assignment: undefined })
    expect(view.jobState).toBeDefined()
  })
})
