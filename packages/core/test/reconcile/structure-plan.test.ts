import { describe, expect, it } from 'vitest'

import { isServerEnabled } from '../../src/job-tree/job-view.ts'
import { planStructureRepair, type Structure } from '../../src/reconcile/structure-plan.ts'
import { type JobTree, jobTree, x, y } from '../tree.ts'

const structure: Structure = {
  configText: undefined,
  jobState: { lastRound: 7, schedule: { digest: 'd', since: 1000 } },
  hasStates: true,
}

const repair = (tree: JobTree, changes: Partial<Structure> = {}): ReturnType<typeof plan> => {
  const planned = plan(tree, changes)
  expect(tree.apply(planned.operations, x)).toBe('committed')
  return planned
}

const plan = (
  tree: JobTree,
  changes: Partial<Structure> = {},
): ReturnType<typeof planStructureRepair> =>
  planStructureRepair(tree.view, tree.member(x), { ...structure, ...changes })

describe('planStructureRepair', () => {
  it('plans nothing for a job that has everything', () => {
    const tree = jobTree({ instances: [x] })
    expect(plan(tree)).toEqual({ paths: [], operations: [] })
  })

  it('writes the node of our server again, as enabled, when somebody has deleted it', () => {
    const tree = jobTree({ instances: [x], servers: { '10.0.0.1': undefined } })
    expect(isServerEnabled(tree.view, '10.0.0.1')).toBe(true)
    expect(repair(tree).paths).toEqual([tree.paths.server('10.0.0.1')])
    expect(tree.view.servers.get('10.0.0.1')).toBe('ENABLED')
  })

  it('leaves a server alone that is there, and every node while this instance takes no part', () => {
    for (const situation of [
      { instances: [x], servers: { '10.0.0.1': 'DISABLED' } },
      { instances: [y], servers: { '10.0.0.1': undefined } },
    ]) {
      expect(plan(jobTree(situation)).operations).toEqual([])
    }
  })

  it('leaves nothing behind when the instance has gone meanwhile', () => {
    const tree = jobTree({ instances: [x], servers: { '10.0.0.1': undefined } })
    const { operations } = plan(tree)
    tree.server.expire(x)
    expect(tree.apply(operations, x)).toBe('NO_NODE')
    expect(tree.view.servers.has('10.0.0.1')).toBe(false)
  })

  it('makes a missing job word again, with what is remembered of it', () => {
    const tree = jobTree({ instances: [x], jobState: false })
    tree.server.drop(tree.paths.shardStates)
    expect(repair(tree, { hasStates: false }).paths).toEqual([
      tree.paths.jobState,
      tree.paths.shardStates,
    ])
    expect(tree.view.jobState?.value).toEqual(structure.jobState)
  })

  it('lets no earlier time count when the states of the shards are gone', () => {
    const tree = jobTree({
      instances: [x],
      jobState: { lastRound: 3, schedule: { digest: 'e', since: 10 } },
    })
    tree.server.drop(tree.paths.shardStates)
    repair(tree, { hasStates: false })
    const schedule = { digest: 'e', since: 1000 }
    expect(tree.view.jobState?.value).toMatchObject({ lastRound: 3, schedule })
  })

  it('makes the configuration again when it is told to', () => {
    const tree = jobTree({ instances: [x] })
    tree.server.drop(tree.paths.config)
    expect(plan(tree).paths).toEqual([])
    expect(repair(tree, { configText: 'cron: x' }).paths).toEqual([tree.paths.config])
    expect(tree.view.config?.text).toBe('cron: x')
  })
})
