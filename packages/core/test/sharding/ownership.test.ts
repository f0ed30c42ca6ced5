import { describe, expect, it } from 'vitest'

import { shardsOf, ownershipOf } from '../../src/sharding/ownership.ts'
import { java, jobTree, type Situation, viewOf, x, y } from '../tree.ts'

const me = { instance: x, ip: '10.0.0.1' }
const settings = { total: 3, strategy: 'AVG_ALLOCATION' }
const balanced = { total: 1, strategy: 'SINGLE_SHARDING_BALANCE' }
const now = 5_000_000

const mine = (situation: Situation, resharding = settings): number[] => [
  ...shardsOf(viewOf(situation), me, resharding),
]

describe('shardsOf', () => {
  it('are those of the epoch in a job without Java instances', () => {
    expect(mine({ instances: [x, y], owners: [x, y, x] })).toEqual([0, 2])
  })

  it('are those of the nodes in a mixed one: a leader of Java leaves the epoch as it was', () => {
    const tree = jobTree({ instances: [x, java], owners: [x, x, x] })
    tree.server.put(tree.paths.owner(0), java)
    expect([...shardsOf(tree.view, me, settings)]).toEqual([1, 2])
  })

  it('are none on a disabled server', () => {
    const servers = { '10.0.0.1': 'DISABLED' }
    expect(mine({ instances: [x, y], servers, owners: [x, y, x] })).toEqual([])
  })

  it('are none beyond the total in a mixed job, whatever Java has left there', () => {
    expect(mine({ instances: [x, java], owners: [x, java, x, x] })).toEqual([0, 2])
  })

  it('are a matter of turns for one balanced shard of a mixed job', () => {
    const mixed: Situation = { instances: [x, java], owners: [x] }
    expect(mine({ ...mixed, turn: '10.0.0.9' }, balanced)).toEqual([])
    expect(mine({ ...mixed, owners: [java], turn: '10.0.0.1' }, balanced)).toEqual([0])
    expect(mine(mixed, balanced)).toEqual([0])
    expect(mine({ instances: [x, y], owners: [x], turn: '10.0.0.2' }, balanced)).toEqual([0])
  })
})

describe('ownershipOf', () => {
  const since = (situation: Situation, resharding = settings): number =>
    ownershipOf(viewOf(situation), 0, me, resharding, now).since

  it('leaves the past to the state of a shard that one of ours has assigned', () => {
    expect(since({ instances: [x, y], leader: y, owners: [x] })).toBe(0)
    expect(since({ instances: [x, java, y], leader: y, owners: [x] })).toBe(0)
  })

  it('begins where the flag went up for a shard that a leader of Java has given', () => {
    const given: Situation = { instances: [x, java], leader: java, owners: [x] }
    const tree = jobTree({ ...given, necessary: true })
    const raised = tree.view.necessary?.ctime ?? 0
    expect(ownershipOf(tree.view, 0, me, settings, now)).toEqual({
      since: raised - 1,
      byTurn: false,
    })
    // Of a flag that nobody saw nothing can be said: then it begins now.
    expect(since(given)).toBe(now)
  })

  it('counts as given by Java what nobody of ours has assigned, whoever leads by now', () => {
    const tree = jobTree({ instances: [x, java], leader: x, owners: [java], epoch: {} })
    tree.server.put(tree.paths.owner(0), x)
    expect(ownershipOf(tree.view, 0, me, settings, now).since).toBe(now)
    expect(since({ instances: [x, java], leader: x, owners: [x], epoch: false })).toBe(now)
  })

  it('begins with the turn', () => {
    const view = viewOf({ instances: [x, java], leader: java, owners: [java], turn: '10.0.0.1' })
    expect(ownershipOf(view, 0, me, balanced, now)).toEqual({
      since: view.turn?.ctime,
      byTurn: true,
    })
  })
})
