import { describe, expect, it } from 'vitest'

import type { ShardState } from '../../src/job-tree/shard-state.ts'
import type { ActionPlan } from '../../src/operations/action-plan.ts'
import { planPause } from '../../src/operations/pause-plan.ts'
import {
  planDisable,
  planEnable,
  planShardDisable,
  planShardEnable,
} from '../../src/operations/switch-plan.ts'
import { carryOut, operatorOf } from '../support/tree-reader.ts'
import { java, type JobTree, jobTree, x, y } from '../tree.ts'

const now = 5000
const disabledAt = 4000
const disable = (tree: JobTree, server?: string): ActionPlan =>
  carryOut(tree, planDisable(tree.view, operatorOf(tree), disabledAt, server))
const enable = (tree: JobTree, server?: string): ActionPlan =>
  carryOut(tree, planEnable(tree.view, operatorOf(tree), now, server))

describe('planDisable and planEnable', () => {
  it('write to the servers’ nodes what Java writes there', () => {
    const tree = jobTree({ instances: [x, y, java] })
    expect(disable(tree).done.map(({ server }) => server)).toEqual([
      '10.0.0.1',
      '10.0.0.2',
      '10.0.0.9',
    ])
    expect([...tree.view.servers.values()]).toEqual(['DISABLED', 'DISABLED', 'DISABLED'])
    enable(tree)
    expect([...tree.view.servers.values()]).toEqual(['ENABLED', 'ENABLED', 'ENABLED'])
  })

  it('concern one server if one is named', () => {
    const tree = jobTree({ instances: [x, y] })
    disable(tree, '10.0.0.1')
    expect(tree.view.servers).toEqual(
      new Map([
        ['10.0.0.1', 'DISABLED'],
        ['10.0.0.2', 'ENABLED'],
      ]),
    )
    expect(disable(tree, '10.0.0.1')).toMatchObject({ operations: [], unchanged: [{}] })
  })

  it('reach an instance whose server has no node', () => {
    const tree = jobTree({ instances: [x], servers: { '10.0.0.1': undefined } })
    disable(tree)
    expect(tree.view.servers.get('10.0.0.1')).toBe('DISABLED')
  })

  it('write ENABLED where 2.x wrote nothing: later versions wait for it', () => {
    const tree = jobTree({ instances: [x], servers: { '10.0.0.1': '' } })
    enable(tree)
    expect(tree.view.servers.get('10.0.0.1')).toBe('ENABLED')
  })

  it('let a job that was disabled altogether begin anew', () => {
    const off = { '10.0.0.1': 'DISABLED', '10.0.0.2': 'DISABLED' }
    const tree = jobTree({ instances: [x, y], servers: off })
    enable(tree, '10.0.0.1')
    expect(tree.view.jobState?.value.resumed).toBe(now)
    enable(tree, '10.0.0.2')
    expect(tree.view.jobState?.version).toBe(1)
  })

  it('note in the job state since when a job that is disabled altogether has not fired', () => {
    const tree = jobTree({ instances: [x, y] })
    disable(tree, '10.0.0.1')
    expect(tree.view.jobState?.value.off).toBeUndefined()
    disable(tree, '10.0.0.2')
    const why = 'disabled'
    expect(tree.view.jobState?.value.off).toEqual([{ why, from: disabledAt }])
    enable(tree)
    expect(tree.view.jobState?.value.off).toEqual([{ why, from: disabledAt, to: now }])
  })

  it('note in the job state that the whole job is disabled, until one of its servers is enabled', () => {
    const tree = jobTree({ instances: [x, y] })
    disable(tree, '10.0.0.1')
    disable(tree, '10.0.0.2')
    expect(tree.view.jobState?.value.disabled).toBeUndefined()
    disable(tree)
    expect(tree.view.jobState?.value.disabled).toBe(true)
    expect(disable(tree).operations).toEqual([])
    enable(tree, '10.0.0.2')
    expect(tree.view.jobState?.value.disabled).toBeUndefined()
  })

  it('forget that the whole job was disabled if another tool has enabled its servers', () => {
    const tree = jobTree({ instances: [x] })
    disable(tree)
    tree.server.put(tree.paths.server('10.0.0.1'), 'ENABLED')
    enable(tree)
    expect(tree.view.jobState?.value.disabled).toBeUndefined()
  })

  it('create no job state for a job of Java’s alone', () => {
    const tree = jobTree({
      instances: [java],
      servers: { '10.0.0.9': 'DISABLED' },
      jobState: false,
    })
    enable(tree)
    expect(tree.view.jobState).toBeUndefined()
  })
})

describe('planShardDisable and planShardEnable', () => {
  const disableShard = (tree: JobTree, shard: number): ActionPlan =>
    carryOut(tree, planShardDisable(tree.view, operatorOf(tree), shard))
  const enableShard = (tree: JobTree, shard: number): ActionPlan => {
    const owned = tree.owned(shard)
    const shardState = owned.shardState && { value: owned.shardState, version: owned.stateVersion }
    const times = { now, disabledAt }
    return carryOut(tree, planShardEnable(tree.view, operatorOf(tree), shard, shardState, times))
  }

  it('put the mark there and take it away', () => {
    const tree = jobTree({ instances: [x], owners: [x, x] })
    disableShard(tree, 1)
    expect(tree.view.shards.get(1)?.disabled).toBe(true)
    expect(disableShard(tree, 1)).toMatchObject({ operations: [], unchanged: [{ shard: 1 }] })
    enableShard(tree, 1)
    expect(tree.view.shards.get(1)?.disabled).toBe(false)
    expect(enableShard(tree, 1)).toMatchObject({ operations: [], unchanged: [{ shard: 1 }] })
  })

  it('reach a shard that nobody has assigned yet', () => {
    const tree = jobTree({})
    disableShard(tree, 0)
    expect(tree.view.shards.get(0)?.disabled).toBe(true)
  })

  it('say in the word of the shard from when on it is due again', () => {
    const marks = { 0: { disabled: '' }, 1: { disabled: '' } }
    const last: Partial<ShardState> = { state: 'idle', run: 'r', fireTime: 1000 }
    const tree = jobTree({ instances: [x], owners: [x, x], marks, shardStates: { 0: last } })
    enableShard(tree, 0)
    enableShard(tree, 1)
    expect(tree.shardState(0)).toMatchObject({ ...last, since: now })
    expect(tree.shardState(1)).toMatchObject({ state: 'idle', since: now })
  })

  it('planShardEnable notes which fire times nobody has accounted for before the disable', () => {
    const marks = { 0: { disabled: '' }, 1: { disabled: '' } }
    const states = { 0: { fireTime: 1000, since: 2000 }, 1: { since: disabledAt } }
    const tree = jobTree({ instances: [x], owners: [x, x], marks, shardStates: states })
    enableShard(tree, 0)
    enableShard(tree, 1)
    expect(tree.shardState(0)?.unreported).toEqual([{ after: 2000, until: disabledAt }])
    expect(tree.shardState(1)?.unreported).toBeUndefined()
  })

  it('planShardEnable keeps what is unreported before two disables apart, and joins the last of very many', () => {
    const marks = { 0: { disabled: '' }, 1: { disabled: '' } }
    const first = { after: 1000, until: 2000 }
    const states = {
      0: { fireTime: 1000, since: 3000, unreported: [first] },
      1: { since: 3000, unreported: Array.from({ length: 100 }, () => first) },
    }
    const tree = jobTree({ instances: [x], owners: [x, x], marks, shardStates: states })
    enableShard(tree, 0)
    enableShard(tree, 1)
    expect(tree.shardState(0)?.unreported).toEqual([first, { after: 3000, until: disabledAt }])
    expect(tree.shardState(1)?.unreported).toHaveLength(100)
    expect(tree.shardState(1)?.unreported?.at(-1)).toEqual({ after: 1000, until: disabledAt })
  })

  it('planShardEnable is refused when the job state has changed since it was planned', () => {
    const tree = jobTree({ instances: [x], owners: [x], marks: { 0: { disabled: '' } } })
    const times = { now, disabledAt }
    const actionPlan = planShardEnable(tree.view, operatorOf(tree), 0, undefined, times)
    carryOut(tree, planPause(tree.view, operatorOf(tree), now))
    expect(() => carryOut(tree, actionPlan)).toThrow('BAD_VERSION')
  })

  it('leave the state alone that a run will end with', () => {
    const running: Partial<ShardState> = { state: 'running', run: 'r', instance: x }
    const marks = { 0: { disabled: '', running: x } }
    const tree = jobTree({ instances: [x], owners: [x], marks, shardStates: { 0: running } })
    enableShard(tree, 0)
    expect(tree.owned(0).stateVersion).toBe(0)
  })
})
