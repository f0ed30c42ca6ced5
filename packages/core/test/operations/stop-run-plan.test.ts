import { part } from '@elasticjob/zookeeper'
import { describe, expect, it } from 'vitest'

import { encodeItemWord, type ItemWord, neverRun } from '../../src/job-tree/item-word.ts'
import { planStopRun } from '../../src/operations/stop-run-plan.ts'
import { carryOut, operatorOf, snapshotOf } from '../support/tree-reader.ts'
import { java, jobTree, type Situation, x } from '../tree.ts'

const running: Partial<ItemWord> = { state: 'running', run: 'r', instance: x }
const busy: Situation = {
  instances: [x],
  leader: x,
  owners: [x, x],
  marks: { 0: { running: x } },
  words: { 0: running },
  word: { lastRound: 2, stops: { 1: 'q' } },
}

describe('planStopRun', () => {
  it('asks for the end of this one run, beside others', async () => {
    const tree = jobTree(busy)
    const draft = carryOut(tree, planStopRun(await snapshotOf(tree), operatorOf(tree), 0))
    expect(draft.done).toMatchObject([{ item: 0, instance: x }])
    expect(tree.view.word?.value).toEqual({ lastRound: 2, stops: { 0: 'r', 1: 'q' } })
    const again = planStopRun(await snapshotOf(tree), operatorOf(tree), 0)
    expect(again).toMatchObject({ operations: [], unchanged: [{ item: 0 }] })
  })

  it('leaves no wish behind if the run has ended meanwhile', async () => {
    const tree = jobTree(busy)
    const draft = planStopRun(await snapshotOf(tree), operatorOf(tree), 0)
    tree.apply([part.set(tree.paths.itemWord(0), encodeItemWord(neverRun))], x)
    expect(tree.apply(draft.operations, 'operator')).toBe('BAD_VERSION')
  })

  it('says so if the item does not run', async () => {
    const tree = jobTree(busy)
    const snapshot = await snapshotOf(tree)
    expect(() => planStopRun(snapshot, operatorOf(tree), 1)).toThrow(
      expect.objectContaining({ code: 'JOB_ITEM_IDLE' }),
    )
  })

  it('says so if it runs where nobody can be asked', async () => {
    const marks = { 0: { running: java } }
    const tree = jobTree({ instances: [java], leader: java, owners: [java], dealt: false, marks })
    const snapshot = await snapshotOf(tree)
    expect(() => planStopRun(snapshot, operatorOf(tree), 0)).toThrow(
      expect.objectContaining({ code: 'JOB_JAVA_INSTANCE' }),
    )
  })
})
