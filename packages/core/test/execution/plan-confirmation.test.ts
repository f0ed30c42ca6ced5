import { describe, expect, it } from 'vitest'

import { readsBehindClaim, stillHolds, takeStillHolds } from '../../src/execution/plan.ts'
import { RegistryError } from '../../src/registry/registry-error.ts'
import type { ReadResult, Stat } from '../../src/registry/transaction.ts'
import { java, type JobTree, jobTree, type Situation, x } from '../tree.ts'

const mixed: Situation = { instances: [x, java], leader: java, owners: [x] }

/** Whether a claim of x holds that was planned on what stands there, after something has changed. */
function holds(tree: JobTree, change: (tree: JobTree) => void = () => {}, byTurn = false): boolean {
  const ownerCzxid = tree.server.get(tree.paths.owner(0))?.czxid ?? 0n
  const claimed = { ownerCzxid, byTurn }
  const member = tree.member(x)
  change(tree)
  const results = readsBehindClaim(member, 0).map(({ path }): ReadResult => {
    const node = tree.server.get(path)
    if (node === undefined) return { error: new RegistryError('REGISTRY_NO_NODE', path) }
    return { data: Buffer.from(node.text), stat: { czxid: node.czxid } as Stat }
  })
  return stillHolds(member, claimed, results)
}

describe('a claim of a mixed job', () => {
  it('holds while nothing has changed', () => {
    expect(holds(jobTree(mixed))).toBe(true)
  })

  it('does not hold when the shard has another owner, or none', () => {
    expect(holds(jobTree(mixed), ({ server, paths }) => server.put(paths.owner(0), java))).toBe(
      false,
    )
    expect(holds(jobTree(mixed), ({ server, paths }) => server.drop(paths.owner(0)))).toBe(false)
  })

  it('does not hold when the node was made again, though it names the same: versions prove nothing', () => {
    const remake = ({ server, paths }: JobTree): void => {
      server.drop(paths.owner(0))
      server.put(paths.owner(0), x)
    }
    expect(holds(jobTree(mixed), remake)).toBe(false)
  })

  it('does not hold under a flag', () => {
    expect(holds(jobTree(mixed), ({ server, paths }) => server.put(paths.necessary))).toBe(false)
    expect(holds(jobTree(mixed), ({ server, paths }) => server.put(paths.processing))).toBe(false)
  })

  it('does not hold when somebody else has taken the shard over', () => {
    const takenBy = (instance: string): boolean =>
      holds(jobTree(mixed), ({ server, paths }) => server.put(paths.mark(0, 'failover'), instance))
    expect(takenBy(java)).toBe(false)
    expect(takenBy(x)).toBe(true)
  })

  it('does not hold when something could not be read', () => {
    const member = jobTree(mixed).member(x)
    const unknown = { error: new RegistryError('REGISTRY_NO_AUTH', 'hidden') }
    const owner = { data: Buffer.from(x), stat: { czxid: 1n } as Stat }
    const absent = { error: new RegistryError('REGISTRY_NO_NODE', 'absent') }
    const claimed = { shard: 0, ownerCzxid: 1n, byTurn: false }
    const judged = (...results: ReadResult[]): boolean => stillHolds(member, claimed, results)
    expect(judged(owner, absent, absent, absent, absent)).toBe(true)
    expect(judged(unknown, absent, absent, absent, absent)).toBe(false)
    expect(judged(owner, unknown, absent, absent, absent)).toBe(false)
    expect(judged(owner, absent, absent, unknown, absent)).toBe(false)
    expect(judged()).toBe(false)
  })

  it('holds by turn as long as it is our turn, whoever owns the shard', () => {
    const turning: Situation = { ...mixed, owners: [java], turn: '10.0.0.1' }
    const pass = ({ server, paths }: JobTree): void => server.put(paths.nextInstanceIp, '10.0.0.9')
    expect(holds(jobTree(turning), undefined, true)).toBe(true)
    expect(holds(jobTree(turning), pass, true)).toBe(false)
    expect(holds(jobTree(turning))).toBe(false)
  })
})

describe('a crashed run that was taken over', () => {
  const present = (...children: string[]): ReadResult => ({ children, stat: {} as Stat })
  const absent = { error: new RegistryError('REGISTRY_NO_NODE', 'absent') }
  const flag = { data: Buffer.from(''), stat: {} as Stat }
  const unknown = { error: new RegistryError('REGISTRY_NO_AUTH', 'hidden') }

  it('begins in a job without Java instances unless a Java instance has joined', () => {
    expect(takeStillHolds([present(x), absent, absent], false)).toBe(true)
    expect(takeStillHolds([present(x, java), absent, absent], false)).toBe(false)
  })

  it('begins in a mixed job unless a flag has gone up', () => {
    expect(takeStillHolds([present(x, java), absent, absent], true)).toBe(true)
    expect(takeStillHolds([present(x, java), flag, absent], true)).toBe(false)
    expect(takeStillHolds([present(x, java), absent, flag], true)).toBe(false)
  })

  it('does not begin when something could not be read', () => {
    expect(takeStillHolds([unknown, absent, absent], false)).toBe(false)
    expect(takeStillHolds([present(x, java), unknown, absent], true)).toBe(false)
    expect(takeStillHolds([], false)).toBe(false)
  })
})
