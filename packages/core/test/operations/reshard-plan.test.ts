import { describe, expect, it } from 'vitest'

import { planReshard } from '../../src/operations/reshard-plan.ts'
import { needOf } from '../../src/sharding/needs.ts'
import { carryOut, operatorOf } from '../support/tree-reader.ts'
import { jobTree, x } from '../tree.ts'

describe('planReshard', () => {
  it('raises the flag that any leader looks for', () => {
    const tree = jobTree({ instances: [x], leader: x, owners: [x] })
    const draft = carryOut(tree, planReshard(tree.view, operatorOf(tree)))
    expect(draft.done).toHaveLength(1)
    const inputs = { total: 1, strategy: 'AVG_ALLOCATION' }
    expect(needOf(tree.view, inputs)).toEqual({ reason: 'requested', canWait: false })
    expect(planReshard(tree.view, operatorOf(tree))).toMatchObject({
      operations: [],
      unchanged: [{}],
    })
  })

  it('does nothing where nobody has dealt out anything: the first leader does it unasked', () => {
    const tree = jobTree({})
    tree.server.drop(tree.paths.epoch)
    expect(planReshard(tree.view, operatorOf(tree))).toMatchObject({
      operations: [],
      unchanged: [{}],
    })
  })
})
