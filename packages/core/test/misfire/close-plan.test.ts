import { expect, it } from 'vitest'

import { noCatchUp } from '../../src/fire-times/catch-up.ts'
import { FireHistory } from '../../src/fire-times/fire-history.ts'
import type { ShardState } from '../../src/job-tree/shard-state.ts'
import { type CloseContext, type ClosePlan, planClose } from '../../src/misfire/close-plan.ts'
import { every } from '../support/fires.ts'
import { type JobTree, jobTree, x, y } from '../tree.ts'

const fires = every(10)

/** A job that fires at every ten and has one shard less since 985. */
const context: CloseContext = {
  now: 1005,
  oldest: 900,
  misfire: true,
  catchUp: noCatchUp,
  paused: false,
  history: new FireHistory([
    { from: 0, fires, total: 2 },
    { from: 985, fires, total: 1 },
  ]),
  total: 1,
  cut: 0,
}

const ran = { run: 'r', instance: x, fireTime: 960, attempt: 1, begin: 960, end: 965 }

function treeOf(state: ShardState['state']): JobTree {
  const states = { 0: { ...ran, state }, 1: { ...ran, state } }
  return jobTree({ instances: [y], leader: y, owners: [y], shardStates: states })
}

function closeOf(tree: JobTree, shard: number): ClosePlan | undefined {
  const { shardState: value, stateVersion: version } = tree.owned(shard)
  const shardState = value && { value, version }
  const absent = { created: undefined, disabled: undefined, wasDisabled: [] }
  const read = { shard, shardState, ...absent }
  return planClose(tree.view, tree.member(y), read, context)
}

it.each(['idle', 'abandoned', 'crashed'] as const)(
  'planClose reports the fire times of a shard beyond the shard count whose state is %s',
  (state) => {
    const reason = 'the shard count was lowered before anybody ran it'
    expect(closeOf(treeOf(state), 1)?.reported).toEqual([{ first: 970, last: 980, reason }])
  },
)

it('planClose leaves a run alone, and a crashed run that an instance takes over', () => {
  expect(closeOf(treeOf('running'), 1)).toBeUndefined()
  expect(closeOf(treeOf('crashed'), 0)).toBeUndefined()
})

it('planClose fails if the job state has changed: the state of the shard may be another one by now', () => {
  const tree = treeOf('idle')
  const plan = closeOf(tree, 1)
  const { text = '' } = tree.server.get(tree.paths.jobState) ?? {}
  tree.server.put(tree.paths.jobState, text, { version: 1 })
  expect(tree.apply(plan?.operations ?? [], y)).toBe('BAD_VERSION')
})

it('planClose reports the fire times of a shard beyond the shard count that never had a state', () => {
  const tree = jobTree({ instances: [y], leader: y, owners: [y], shardStates: { 0: ran } })
  const plan = closeOf(tree, 1)
  const reason = 'the shard count was lowered before anybody ran it'
  expect(plan?.reported).toEqual([{ first: 10, last: 980, reason }])
  expect(tree.apply(plan?.operations ?? [], y)).toBe('committed')
})

it('planClose reports nothing of a shard that the leader has not created yet', () => {
  const tree = jobTree({ instances: [y], leader: y, owners: [y], shardStates: { 0: ran } })
  const absent = { created: undefined, disabled: undefined, wasDisabled: [] }
  const read = { shard: 1, shardState: undefined, ...absent }
  expect(planClose(tree.view, tree.member(y), read, { ...context, total: 2 })).toBeUndefined()
})
