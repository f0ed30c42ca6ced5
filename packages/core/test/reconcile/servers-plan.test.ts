import { describe, expect, it } from 'vitest'

import {
  emptyServersOf,
  expiredServers,
  nextExpiry,
  planCleaning,
  retention,
} from '../../src/reconcile/servers-plan.ts'
import { part } from '../../src/registry/transaction.ts'
import { planRegistration } from '../../src/servers/plan.ts'
import { type JobTree, jobTree, type Situation, viewOf, x, y } from '../tree.ts'

const now = retention * 3
const gone = '10.0.0.7'
const arrival = {
  instanceText: '',
  disabled: false,
  overwrite: false,
  jobState: { lastRound: 0 },
  hasStates: true,
  now: 1,
}

const one: Situation = { instances: [x], leader: x, owners: [x], servers: { [gone]: 'ENABLED' } }

function clean(tree: JobTree, seen: readonly string[] = [], at = now): readonly string[] {
  const versions = new Map(
    expiredServers(tree.view, at).map((ip) => [
      ip,
      tree.server.get(tree.paths.server(ip))?.version ?? -1,
    ]),
  )
  const since = new Map(seen.map((ip) => [ip, at - 1]))
  const { removed, operations } = planCleaning(tree.view, tree.member(x), since, at, versions)
  const outcome = operations.length === 0 ? 'committed' : tree.apply(operations, x)
  expect(outcome).toBe('committed')
  return removed
}

describe('emptyServersOf', () => {
  it('names those without an instance, by the whole address', () => {
    const servers = { '10.0.0.11': 'ENABLED', '10.0.0.12': '' }
    expect(emptyServersOf(viewOf({ instances: [x], servers }))).toEqual(['10.0.0.11', '10.0.0.12'])
  })

  it('leaves alone what an operator has said something of', () => {
    expect(emptyServersOf(viewOf({ servers: { [gone]: 'DISABLED' } }))).toEqual([])
    const shardState = { pausedServers: [gone] }
    expect(
      emptyServersOf(viewOf({ servers: { [gone]: 'ENABLED' }, jobState: shardState })),
    ).toEqual([])
  })
})

describe('planCleaning', () => {
  it('writes down since when a server is empty, and takes it away a day later', () => {
    const tree = jobTree({ ...one, jobState: { lastRound: 2, shutdown: [`${gone}@-@1-abcdefgh`] } })
    expect(clean(tree, [gone])).toEqual([])
    expect(tree.view.jobState?.value.emptyServers).toEqual({ [gone]: now - 1 })
    expect(nextExpiry(tree.view)).toBe(now - 1 + retention)
    const almost = now - 2 + retention
    expect(clean(tree, [], almost)).toEqual([])
    expect(tree.view.servers.has(gone)).toBe(true)
    expect(clean(tree, [], almost + 1)).toEqual([gone])
    expect(tree.view.servers.has(gone)).toBe(false)
    expect(tree.view.jobState?.value).toEqual({ lastRound: 2 })
    expect(nextExpiry(tree.view)).toBeUndefined()
  })

  it('keeps a server whose day is not over, also if the version of its node is known', () => {
    const since = now - retention
    const tree = jobTree({ ...one, jobState: { emptyServers: { [gone]: since } } })
    const removedAt = (time: number): readonly string[] =>
      planCleaning(tree.view, tree.member(x), new Map(), time, new Map([[gone, 0]])).removed
    expect(removedAt(now - 1)).toEqual([])
    expect(removedAt(now)).toEqual([gone])
  })

  it('keeps counting where another leader has begun', () => {
    const tree = jobTree({ ...one, jobState: { emptyServers: { [gone]: now - retention } } })
    expect(clean(tree, [gone])).toEqual([gone])
  })

  it('forgets that a server was empty when somebody is there again, or an operator has spoken', () => {
    for (const situation of [
      { ...one, instances: [x, `${gone}@-@1-abcdefgh`] },
      { ...one, servers: { [gone]: 'DISABLED' } },
      { ...one, servers: {} },
    ]) {
      const tree = jobTree({ ...situation, jobState: { emptyServers: { [gone]: 1 } } })
      expect(clean(tree)).toEqual([])
      expect(tree.view.jobState?.value).not.toHaveProperty('emptyServers')
    }
  })

  it('does nothing while nothing is different', () => {
    const tree = jobTree({ ...one, jobState: { emptyServers: { [gone]: now } } })
    const before = tree.view.jobState?.version
    expect(clean(tree)).toEqual([])
    expect(tree.view.jobState?.version).toBe(before)
    expect(
      planCleaning(viewOf({ jobState: false }), tree.member(x), new Map(), now, new Map()),
    ).toEqual({
      removed: [],
      operations: [],
    })
  })

  it('takes nothing away from somebody who comes back at this moment', () => {
    const back = `${gone}@-@8-backback`
    const ours = jobTree({ ...one, jobState: { emptyServers: { [gone]: 1 } } })
    const versions = new Map([[gone, 0]])
    const late = planCleaning(ours.view, ours.member(x), new Map(), now, versions)
    expect(ours.apply(planRegistration(ours.view, ours.member(back), arrival), back)).toBe(
      'committed',
    )
    expect(ours.apply(late.operations, x)).toBe('BAD_VERSION')
    expect(ours.view.jobState?.value).not.toHaveProperty('emptyServers')

    // Java writes to the server's node before it makes that of its instance.
    const javas = jobTree({ ...one, jobState: { emptyServers: { [gone]: 1 } } })
    const plan = planCleaning(javas.view, javas.member(x), new Map(), now, versions)
    javas.apply([part.set(javas.paths.server(gone), 'ENABLED')], 'java')
    expect(javas.apply(plan.operations, x)).toBe('BAD_VERSION')
  })

  it('is the leader’s', () => {
    const tree = jobTree({ ...one, instances: [x, y], jobState: { emptyServers: { [gone]: 1 } } })
    const plan = planCleaning(tree.view, tree.member(y), new Map(), now, new Map([[gone, 0]]))
    tree.server.drop(tree.paths.leaderInstance)
    expect(tree.apply(plan.operations, y)).toBe('NO_NODE')
  })
})
