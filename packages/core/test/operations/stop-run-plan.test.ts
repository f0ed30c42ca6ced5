import { describe, expect, it } from 'vitest'

import { encodeShardState, type ShardState, neverRun } from '../../src/job-tree/shard-state.ts'
import { planStopRun } from '../../src/operations/stop-run-plan.ts'
import { part } from '../../src/registry/transaction.ts'
import { carryOut, operatorOf, snapshotOf } from '../support/tree-reader.ts'
import { java, jobTree, type Situation, x } from '../tree.ts'

const running: Partial<ShardState> = { state: 'running', run: 'r', instance: x }
const busy: Situation = {
  instances: [x],
  leader: x,
  owners: [x, x],
  marks: { 0: { running: x } },
  shardStates: { 0: running },
  jobState: { lastRound: 2, stops: { 1: 'q' } },
}

describe('planStopRun', () => {
  it('asks for the end of this one run, beside others', async () => {
    const tree = jobTree(busy)
    const actionPlan = carryOut(tree, planStopRun(await snapshotOf(tree), operatorOf(tree), 0))
    expect(actionPlan.done).toMatchObject([{ shard: 0, instance: x }])
    expect(tree.view.jobState?.value).toEqual({ lastRound: 2, stops: { 0: 'r', 1: 'q' } })
    const again = planStopRun(await snapshotOf(tree), operatorOf(tree), 0)
    expect(again).toMatchObject({ operations: [], unchanged: [{ shard: 0 }] })
  })

  it('leaves no wish behind if the run has ended meanwhile', async () => {
    const tree = jobTree(busy)
    const actionPlan = planStopRun(await snapshotOf(tree), operatorOf(tree), 0)
    tree.apply([part.set(tree.paths.shardState(0), encodeShardState(neverRun))], x)
    expect(tree.apply(actionPlan.operations, 'operator')).toBe('BAD_VERSION')
  })

  it('says so if the shard does not run', async () => {
    const tree = jobTree(busy)
    const snapshot = await snapshotOf(tree)
    expect(() => planStopRun(snapshot, operatorOf(tree), 1)).toThrow(
      expect.objectContaining({ code: 'JOB_SHARD_IDLE' }),
    )
  })

  it('says so if it runs where nobody can be asked', async () => {
    const marks = { 0: { running: java } }
    const tree = jobTree({ instances: [java], leader: java, owners: [java], epoch: false, marks })
    const snapshot = await snapshotOf(tree)
    expect(() => planStopRun(snapshot, operatorOf(tree), 0)).toThrow(
      expect.objectContaining({ code: 'JOB_JAVA_INSTANCE' }),
    )
  })
})
