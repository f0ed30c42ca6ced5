import { describe, expect, it } from 'vitest'

import { inheritedAssignment } from '../../src/election/inherit.ts'
import { planCandidacy } from '../../src/election/plan.ts'
import { needOf } from '../../src/sharding/needs.ts'
import { java, jobTree, viewOf, x, y } from '../tree.ts'

const inputs = { total: 2, strategy: 'AVG_ALLOCATION' }

describe('inheritedAssignment', () => {
  it('is the one that is there, if the nodes say the same', () => {
    const view = viewOf({ instances: [x, java], owners: [x, java] })
    expect(inheritedAssignment(view)).toEqual(view.assignment?.value)
  })

  it('is the one that is there in a job without Java instances, where no names are read', () => {
    const view = viewOf({ instances: [x, y], owners: [x, y], moving: { 0: y } })
    expect(inheritedAssignment(view)).toBe(view.assignment?.value)
  })

  it('is what the nodes say where Java has assigned since, and no digest stands for that', () => {
    const tree = jobTree({ instances: [x, java], owners: [x, x] })
    tree.server.put(tree.paths.owner(0), java)
    expect(inheritedAssignment(tree.view)).toEqual({
      digest: '',
      owners: [java, x],
      moving: new Map(),
    })
  })
})

it('a leader that follows one of Java finds that it has to assign, whoever was there before', () => {
  const tree = jobTree({ instances: [x, y], owners: [x, y] })
  expect(needOf(tree.view, inputs)).toBeUndefined()
  // Java came, assigned, and is gone; who is left is who was there before it came.
  tree.join(java)
  tree.server.put(tree.paths.owner(0), y)
  const plan = planCandidacy(tree.view, tree.member(x))
  tree.server.expire(java)
  expect(tree.apply(plan, x)).toBe('committed')
  expect(tree.view.assignment?.value.owners).toEqual([y, y])
  expect(needOf(tree.view, inputs)).toMatchObject({ reason: 'instances changed' })
})
