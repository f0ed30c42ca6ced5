import { part } from '@elasticjob/zookeeper'
import { expect, it } from 'vitest'

import { planPause } from '../../src/operations/pause-plan.ts'
import { planRepair } from '../../src/operations/repair-plan.ts'
import { carryOut, configOf, operatorOf, snapshotOf } from '../support/tree-reader.ts'
import { type JobTree, jobTree, x } from '../tree.ts'

const context = { now: 5000, markedBy: new Map<number, string>() }

/** A job with two shards; the state of the second cannot be read. */
function brokenTree(): JobTree {
  const states = { 0: { fireTime: 1000 }, 1: { fireTime: 1000 } }
  const tree = jobTree({ instances: [x], owners: [x, x], config: configOf(), shardStates: states })
  tree.apply([part.set(tree.paths.shardState(1), '{')], 'somebody')
  return tree
}

it('planRepair resets the state of one shard, and changes the job state so that instances read it', async () => {
  const tree = brokenTree()
  const before = tree.view.jobState
  carryOut(tree, planRepair(await snapshotOf(tree), operatorOf(tree), context))
  expect(tree.shardState(1)).toMatchObject({ state: 'idle', fireTime: 0, since: 5000 })
  expect(tree.shardState(0)).toMatchObject({ fireTime: 1000 })
  expect(tree.view.jobState).toEqual({ ...before, version: (before?.version ?? 0) + 1 })
})

it('planRepair is refused when the job state has changed since it was planned', async () => {
  const tree = brokenTree()
  const actionPlan = planRepair(await snapshotOf(tree), operatorOf(tree), context)
  carryOut(tree, planPause(tree.view, operatorOf(tree), 4000))
  expect(() => carryOut(tree, actionPlan)).toThrow('BAD_VERSION')
})
