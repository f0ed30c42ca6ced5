import { describe, expect, it } from 'vitest'

import { goesByTurns, planNextTurn, planTurnRepair, turnOf } from '../../src/sharding/turn.ts'
import { java, type JobTree, jobTree, type Situation, viewOf, x, y } from '../tree.ts'

const balanced = { total: 1, strategy: 'SINGLE_SHARDING_BALANCE' }
const mixed: Situation = { instances: [x, y, java], leader: java, owners: [java] }

function ipAfter(instance: string, situation: Situation): string | undefined {
  const tree = jobTree(situation)
  const plan = planNextTurn(tree.view, tree.member(instance))
  expect(tree.apply(plan, instance)).toBe('committed')
  return tree.view.turn?.ip
}

describe('goesByTurns', () => {
  it('is one shard of a mixed job under one strategy', () => {
    const view = viewOf(mixed)
    expect(goesByTurns(view, balanced)).toBe(true)
    expect(goesByTurns(view, { ...balanced, strategy: 'single_sharding_balance' })).toBe(true)
    expect(goesByTurns(view, { ...balanced, total: 2 })).toBe(false)
    expect(goesByTurns(view, { ...balanced, strategy: 'AVG_ALLOCATION' })).toBe(false)
    expect(goesByTurns(view, { ...balanced, strategy: undefined })).toBe(false)
    expect(goesByTurns(viewOf({ instances: [x, y] }), balanced)).toBe(false)
  })
})

describe('turnOf', () => {
  it('is of one instance of the server that is named, since it was named', () => {
    const view = viewOf({ ...mixed, turn: '10.0.0.2' })
    expect(turnOf(view)).toEqual({ instance: y, since: view.turn?.ctime })
    const neighbour = '10.0.0.2@-@20-wwwwwwww'
    const both = viewOf({ ...mixed, instances: [x, y, neighbour, java], turn: '10.0.0.2' })
    expect([y, neighbour]).toContain(turnOf(both)?.instance)
  })

  it('is of nobody where nobody is named: then the owner runs it', () => {
    expect(turnOf(viewOf(mixed))).toBeUndefined()
    expect(turnOf(viewOf({ ...mixed, turn: '' }))).toBeUndefined()
  })

  it('is over when the flag went up since: Java goes by the owner then', () => {
    const tree = jobTree({ ...mixed, turn: '10.0.0.2' })
    tree.server.time += 1000
    tree.server.put(tree.paths.necessary)
    expect(turnOf(tree.view)).toBeUndefined()
    tree.server.time += 1000
    tree.server.put(tree.paths.nextInstanceIp, '10.0.0.1')
    expect(turnOf(tree.view)?.instance).toBe(x)
  })

  it('is of Java on a server that it shares with ours: nothing would keep it from starting', () => {
    const neighbour = '10.0.0.2@-@7'
    const view = viewOf({ ...mixed, instances: [x, y, neighbour], turn: '10.0.0.2' })
    expect(turnOf(view)?.instance).toBe(neighbour)
  })

  it('is of no instance on a server that is empty or disabled', () => {
    expect(turnOf(viewOf({ ...mixed, turn: '10.0.0.77' }))?.instance).toBeUndefined()
    const servers = { '10.0.0.2': 'DISABLED' }
    expect(turnOf(viewOf({ ...mixed, servers, turn: '10.0.0.2' }))?.instance).toBeUndefined()
  })
})

describe('the next turn', () => {
  it("is the next server's in the order of Java, which begins again at its end", () => {
    expect(ipAfter(y, { ...mixed, turn: '10.0.0.2' })).toBe('10.0.0.1')
    expect(ipAfter(x, { ...mixed, turn: '10.0.0.1' })).toBe('10.0.0.9')
    expect(ipAfter(x, mixed)).toBe('10.0.0.9')
  })

  it('passes over further instances of the same server, which would keep it for ever', () => {
    const same = '10.0.0.1@-@14-wwwwwwww'
    expect(ipAfter(same, { ...mixed, instances: [x, same, java] })).toBe('10.0.0.9')
  })

  it('is nobody else on a server that is alone, or who is not available', () => {
    const tree = jobTree({ ...mixed, instances: [x, '10.0.0.1@-@7'] })
    expect(planNextTurn(tree.view, tree.member(x))).toEqual([])
    expect(planNextTurn(tree.view, tree.member(y))).toEqual([])
  })

  it('goes with the session of who named it, as in Java', () => {
    const tree = jobTree(mixed)
    tree.apply(planNextTurn(tree.view, tree.member(x)), x)
    tree.server.expire(x)
    expect(tree.view.turn).toBeUndefined()
  })
})

describe('a turn that nobody can take', () => {
  const repair = (tree: JobTree): number => planTurnRepair(tree.view, tree.member(x)).length

  it('is taken away, so that the owner runs the shard again', () => {
    const tree = jobTree({ ...mixed, turn: '10.0.0.77' })
    expect(tree.apply(planTurnRepair(tree.view, tree.member(x)), x)).toBe('committed')
    expect(turnOf(tree.view)).toBeUndefined()
  })

  it('is left where somebody can, or the flag is up, or an instance of Java is only away', () => {
    expect(repair(jobTree({ ...mixed, turn: '10.0.0.2' }))).toBe(0)
    expect(repair(jobTree({ ...mixed, turn: '10.0.0.77', necessary: true }))).toBe(0)
    const absent = { [java]: { since: 0, isFinal: false } }
    expect(repair(jobTree({ ...mixed, instances: [x], absent, turn: '10.0.0.9' }))).toBe(0)
  })
})
