import { describe, expect, it } from 'vitest'

import { planStopsOver } from '../../src/trigger/stop-plan.ts'
import { jobTree, x } from '../tree.ts'

const marks = { 1: { running: x } }

describe('planStopsOver', () => {
  it('has nothing to do while nothing is to be stopped', () => {
    const tree = jobTree({ instances: [x], owners: [x, x], marks })
    expect(planStopsOver(tree.view, tree.member(x))).toEqual([])
  })

  it('keeps the wish while the shard runs', () => {
    const tree = jobTree({
      instances: [x],
      owners: [x, x],
      marks,
      jobState: { stops: { 1: 'run' } },
    })
    expect(planStopsOver(tree.view, tree.member(x))).toEqual([])
  })

  it('takes back what is over, and leaves the rest of the state as it was', () => {
    const jobState = { stops: { 0: 'a', 1: 'b' }, paused: true, lastRound: 7 }
    const tree = jobTree({ instances: [x], owners: [x, x], marks, jobState })
    expect(tree.apply(planStopsOver(tree.view, tree.member(x)), x)).toBe('committed')
    expect(tree.view.jobState?.value).toEqual({ ...jobState, stops: { 1: 'b' } })
  })

  it('leaves no empty list behind', () => {
    const tree = jobTree({ instances: [x], owners: [x], jobState: { stops: { 0: 'a', 9: 'b' } } })
    expect(tree.apply(planStopsOver(tree.view, tree.member(x)), x)).toBe('committed')
    expect(tree.view.jobState?.value).not.toHaveProperty('stops')
  })
})
