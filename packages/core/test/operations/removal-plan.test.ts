import { describe, expect, it } from 'vitest'

import type { ActionPlan } from '../../src/operations/action-plan.ts'
import { guardOf, planMark, planServerRemoval } from '../../src/operations/removal-plan.ts'
import { planRegistration } from '../../src/servers/plan.ts'
import { carryOut, operatorOf } from '../support/tree-reader.ts'
import { java, type JobTree, jobTree, x, y } from '../tree.ts'

function mark(tree: JobTree, name: string): ActionPlan {
  const { server, paths } = tree
  const beside =
    server.get(paths.shardStates) === undefined ? undefined : server.children(paths.shardStates)
  return carryOut(tree, planMark(tree.view, operatorOf(tree), name, beside))
}

describe('planMark', () => {
  it('says that the job is being removed, sends Java’s away and asks ours', () => {
    const tree = jobTree({ instances: [x, java], jobState: { lastRound: 2 } })
    expect(mark(tree, 'a').done.map(({ instance }) => instance)).toEqual([x, java])
    expect(tree.view.jobState?.value).toEqual({ lastRound: 2, removing: true })
    expect(tree.view.instances).toEqual(new Set([x]))
    expect(tree.server.get(guardOf(operatorOf(tree), 'a'))).toBeDefined()
  })

  it('takes the removal from whoever had it', () => {
    const tree = jobTree({ instances: [x], shardStates: { 0: {} } })
    mark(tree, 'a')
    mark(tree, 'b')
    expect(tree.server.children(tree.paths.shardStates)).toEqual(['0', 'removal-b'])
  })

  it('makes what is missing beside the tree', () => {
    const java305 = jobTree({ instances: [java], jobState: false })
    java305.server.drop(java305.paths.shardStates)
    mark(java305, 'a')
    expect(java305.view.jobState?.value.removing).toBe(true)
    const damaged = jobTree({ instances: [x] })
    damaged.server.drop(damaged.paths.shardStates)
    mark(damaged, 'a')
    expect(damaged.server.children(damaged.paths.shardStates)).toEqual(['removal-a'])
  })

  it('makes a registration fail that was planned before', () => {
    const tree = jobTree({ instances: [x] })
    const arrival = {
      instanceText: '',
      disabled: false,
      overwrite: false,
      jobState: { lastRound: 0 },
      hasStates: true,
      now: 1,
    }
    const registration = planRegistration(tree.view, tree.member(y), arrival)
    mark(tree, 'a')
    expect(tree.apply(registration, y)).toBe('BAD_VERSION')
  })
})

describe('planServerRemoval', () => {
  const remove = (tree: JobTree, server: string): ActionPlan =>
    carryOut(tree, planServerRemoval(tree.view, operatorOf(tree), server))

  it('takes the node of a server away, whatever it says, and all that is known of it', () => {
    const ip = '10.0.0.1'
    const tree = jobTree({
      instances: [y],
      servers: { [ip]: 'DISABLED' },
      jobState: {
        lastRound: 1,
        pausedServers: [ip],
        resumedServers: { [ip]: 1, '10.0.0.2': 2 },
        emptyServers: { [ip]: 3 },
        shutdown: [x, y],
      },
    })
    expect(remove(tree, ip).done).toMatchObject([{ server: ip }])
    expect(tree.view.servers.has(ip)).toBe(false)
    expect(tree.view.jobState?.value).toEqual({
      lastRound: 1,
      resumedServers: { '10.0.0.2': 2 },
      shutdown: [y],
    })
    expect(remove(tree, ip)).toMatchObject({ operations: [], unchanged: [{ server: ip }] })
  })

  it('is refused while an instance of it is there', () => {
    const tree = jobTree({ instances: [x] })
    expect(() => remove(tree, '10.0.0.1')).toThrow(
      expect.objectContaining({ code: 'JOB_DEPARTURE_PENDING' }),
    )
  })
})
