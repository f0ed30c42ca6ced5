import { part } from '../../packages/core/src/registry/transaction.ts'
import { conformance, expect, it, nodeAt } from './support.ts'

const timeout = 30_000

conformance('a latch', () => {
  it('is held by one client at a time, in their order, by a node that it can check', async ({
    client,
    other,
    root,
  }) => {
    const path = `${root}/latch`
    const order: string[] = []
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let second: Promise<boolean> | undefined
    const first = client.inLatch(path, timeout, async (node) => {
      await client.transact([part.check(node)])
      order.push('first')
      second = other.inLatch(path, timeout, async () => void order.push('second'))
      release()
      await other.catchUp()
      order.push('first releases')
    })
    await held
    expect([await first, await second]).toEqual([true, true])
    expect(order).toEqual(['first', 'first releases', 'second'])
  })

  it('that another client holds is not waited for longer than patience', async ({
    client,
    other,
    root,
  }) => {
    const path = `${root}/latch`
    const isDone = await client.inLatch(path, timeout, async () => {
      const acted = other.inLatch(path, 10, () => Promise.reject(new Error('it is not ours')))
      expect(await acted).toBe(false)
    })
    expect(isDone).toBe(true)
  })

  it('is released when the act fails, with the error of the act', async ({
    client,
    other,
    root,
  }) => {
    const path = `${root}/latch`
    let place = ''
    const failing = client.inLatch(path, timeout, async (node) => {
      place = node
      await client.transact([part.create(root)])
    })
    await expect(failing).rejects.toMatchObject({ code: 'REGISTRY_NODE_EXISTS' })
    expect(await nodeAt(client, place)).toBeUndefined()
    expect(await other.inLatch(path, timeout, () => Promise.resolve())).toBe(true)
  })
})
