import { describe, expect, it } from 'vitest'

import { planReshard } from '../../src/operations/reshard-plan.ts'
import { needOf } from '../../src/sharding/needs.ts'
import { carryOut, operatorOf } from '../support/tree-reader.ts'
import { jobTree, x } from '../tree.ts'

describe('planReshard', () => {
  it('raises the flag that any leader looks for', () => {
    const tree = jobTree({ instances: [x], leader: x, owners: [x] })
    const actionPlan = carryOut(tree, planReshard(tree.view, operatorOf(tree)))
    expect(actionPlan.done).toHaveLength(1)
    const inputs = { total: 1, strategy: 'AVG_ALLOCATION' }
    expect(needOf(tree.view, inputs)).toEqual({ reason: 'requested', canWait: false })
    expect(planReshard(tree.view, operatorOf(tree))).toMatchObject({
      operations: [],
      unchanged: [{}],
    })
  })

  it('does nothing where nobody has assigned anything: the first leader does it unasked', () => {
    const tree = jobTree({})
    tree.server.drop(tree.paths.assignment)
    expect(planReshard(tree.view, operatorOf(tree))).toMatchObject({
      operations: [],
      unchanged: [{}],
    })
  })
})
