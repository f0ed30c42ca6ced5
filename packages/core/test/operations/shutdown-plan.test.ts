import { describe, expect, it } from 'vitest'

import type { ActionPlan } from '../../src/operations/action-plan.ts'
import { planShutdown } from '../../src/operations/shutdown-plan.ts'
import { carryOut, operatorOf } from '../support/tree-reader.ts'
import { java, type JobTree, jobTree, x, y, z } from '../tree.ts'

const shutDown = (tree: JobTree, server?: string): ActionPlan =>
  carryOut(tree, planShutdown(tree.view, operatorOf(tree), server))

describe('planShutdown', () => {
  it('asks ours by the state, and deletes the nodes of Java’s as Java does', () => {
    const tree = jobTree({ instances: [x, java, y] })
    expect(shutDown(tree).done.map(({ instance }) => instance)).toEqual([x, y, java])
    expect(tree.view.instances).toEqual(new Set([x, y]))
    expect(tree.view.jobState?.value.shutdown).toEqual([x, y, java])
  })

  it('asks those of one server, and nobody twice', () => {
    const tree = jobTree({ instances: [x, y] })
    expect(shutDown(tree, '10.0.0.2').done).toMatchObject([{ instance: y }])
    expect(tree.view.jobState?.value.shutdown).toEqual([y])
    expect(shutDown(tree, '10.0.0.2')).toMatchObject({
      operations: [],
      unchanged: [{ instance: y }],
    })
    expect(shutDown(tree).done).toMatchObject([{ instance: x }])
    expect(tree.view.jobState?.value.shutdown).toEqual([y, x])
  })

  it('says so if nobody is there', () => {
    const tree = jobTree({ instances: [x] })
    expect(shutDown(tree, '10.0.0.2')).toMatchObject({
      operations: [],
      unchanged: [{ text: 'no instance takes part in job job on 10.0.0.2' }],
    })
  })

  it('remembers who left before, until the server takes part again', () => {
    const gone = '10.0.0.2@-@7-gonegone'
    const tree = jobTree({ instances: [x, y], jobState: { shutdown: [z, gone] } })
    shutDown(tree, '10.0.0.1')
    expect(tree.view.jobState?.value.shutdown).toEqual([z, x])
  })

  it('makes no word for Java’s alone', () => {
    const tree = jobTree({ instances: [java], jobState: false })
    shutDown(tree)
    expect(tree.view.jobState).toBeUndefined()
    expect(tree.view.instances.size).toBe(0)
  })
})
