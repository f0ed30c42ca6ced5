import { opCode } from '@elasticjob/zookeeper/protocol'
import { describe, expect, it } from 'vitest'

import { EphemeralAccounting } from '../../src/session/ephemeral-accounting.ts'
import { EphemeralBudget, ephemeralCost } from '../../src/session/ephemeral-budget.ts'
import type { CallHooks } from '../../src/session/pending-call.ts'

const stat = {} as never
const acl: never[] = []

function accounting(limit: number, held: () => string[] = () => []) {
  const budget = new EphemeralBudget(limit)
  const askServer = (hooks: CallHooks<string[]>): Promise<void> => {
    hooks.onReply?.(held(), false)
    return Promise.resolve()
  }
  return { budget, counts: new EphemeralAccounting(budget, askServer, (path) => path) }
}

describe('EphemeralAccounting', () => {
  it('counts a node from the request until its deletion', async () => {
    const { budget, counts } = accounting(1000)
    const hooks = await counts.ofCreate('/a/lock', false)
    expect(budget.bytes).toBe(11)
    hooks.onReply?.({ path: '/a/lock', stat }, false)
    expect(budget.bytes).toBe(11)
    budget.release('/a/lock')
    expect(budget.bytes).toBe(0)
  })

  it('counts the sequence number of a sequential node', async () => {
    const { budget, counts } = accounting(1000)
    const hooks = await counts.ofCreate('/n-', true)
    expect(budget.bytes).toBe(ephemeralCost('/n-0000000001', false))
    hooks.onReply?.({ path: '/n-0000000001', stat }, false)
    expect(budget.bytes).toBe(ephemeralCost('/n-0000000001', false))
  })

  it('releases the bytes of a rejected create', async () => {
    const { budget, counts } = accounting(1000)
    const hooks = await counts.ofCreate('/a', false)
    hooks.onRefusal?.(-110, false)
    expect(budget.bytes).toBe(0)
  })

  it('counts a create with a lost answer until the server is asked', async () => {
    const there: string[] = []
    const { budget, counts } = accounting(20, () => there)
    const hooks = await counts.ofCreate('/twelve-bytes', false)
    hooks.onLoss?.(true)
    expect(budget.bytes).toBe(17)
    await counts.ofCreate('/other', false)
    expect(budget.bytes).toBe(10)
  })

  it("rejects a create beyond the limit after asking the server for the session's nodes", async () => {
    const { counts } = accounting(20, () => ['/twelve-bytes'])
    await counts.ofCreate('/another-path', false)
    const refused = counts.ofCreate('/a-third-path', false)
    await expect(refused).rejects.toMatchObject({
      code: 'ZK_EPHEMERAL_LIMIT',
      path: '/a-third-path',
    })
    await expect(refused).rejects.toThrow('2 MB')
  })

  it('returns synchronously while there is room, so that no later request is sent first', () => {
    const { counts } = accounting(1000)
    expect(counts.ofCreate('/a', false)).not.toBeInstanceOf(Promise)
  })

  it('counts the creates and deletes of a successful transaction', async () => {
    const { budget, counts } = accounting(1000)
    const create = { type: opCode.create, path: '/e', data: null, acl, flags: 1 } as const
    const persistent = { type: opCode.create, path: '/p', data: null, acl, flags: 0 } as const
    const made = await counts.ofTransaction([create, persistent])
    made.onReply?.(
      [
        { type: opCode.create, path: '/e' },
        { type: opCode.create, path: '/p' },
      ],
      false,
    )
    expect(budget.bytes).toBe(6)
    const failed = await counts.ofTransaction([{ ...create, path: '/f' }])
    failed.onReply?.([{ type: opCode.error, error: -110 }], false)
    expect(budget.bytes).toBe(6)
    const deleted = await counts.ofTransaction([{ type: opCode.delete, path: '/e', version: -1 }])
    deleted.onReply?.([{ type: opCode.delete }], false)
    expect(budget.bytes).toBe(0)
  })
})
