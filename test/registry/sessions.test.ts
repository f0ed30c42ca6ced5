import { RegistryError } from '../../packages/core/src/registry/registry-error.ts'
import { part } from '../../packages/core/src/registry/transaction.ts'
import { conformance, expect, it, next, nodeAt, renew } from './support.ts'

conformance('an ephemeral node', () => {
  it('goes with the client that is closed, and belongs to its session until then', async ({
    connect,
    other,
    root,
  }) => {
    const { client } = await connect()
    await client.transact([part.ephemeral(`${root}/mine`)])
    await other.catchUp()
    const stat = (await nodeAt(other, `${root}/mine`))?.stat
    expect(stat?.ephemeralOwner).not.toBe(0n)
    expect((await nodeAt(other, root))?.stat.ephemeralOwner).toBe(0n)
    await client.close()
    await other.catchUp()
    expect(await nodeAt(other, `${root}/mine`)).toBeUndefined()
    const late = client.transact([part.check(root)])
    await expect(late).rejects.toMatchObject({ code: 'REGISTRY_CLOSED' })
  })

  it('outlives a lost connection', async ({ client, tested, other, root }) => {
    const before = await client.create(`${root}/mine`, { mode: 'ephemeral' })
    const suspended = next(client, 'session:suspended')
    await tested.cut()
    const [{ reason }] = await suspended
    expect(reason).toBeInstanceOf(RegistryError)
    expect(client.state).toBe('suspended')
    const reconnected = next(client, 'session:reconnected')
    await tested.restore()
    await reconnected
    expect(client.state).toBe('connected')
    await other.catchUp()
    const after = (await nodeAt(other, `${root}/mine`))?.stat
    expect(after).toMatchObject({ czxid: before.czxid, ephemeralOwner: before.ephemeralOwner })
  })

  it('is gone when its session has been renewed', async ({ client, tested, root }) => {
    const before = await client.create(`${root}/mine`, { mode: 'ephemeral' })
    const order: string[] = []
    client.on('session:expired', () => order.push('expired'))
    client.on('session:renewed', () => order.push('renewed'))
    client.on('session:reconnected', () => order.push('reconnected'))
    await renew(tested)
    expect(order).toEqual(['expired', 'renewed'])
    await client.catchUp()
    expect(await nodeAt(client, `${root}/mine`)).toBeUndefined()
    const after = await client.create(`${root}/mine`, { mode: 'ephemeral' })
    expect(after.ephemeralOwner).not.toBe(before.ephemeralOwner)
  })

  it('goes when its client gives the session up for another one', async ({ client, root }) => {
    await client.transact([part.ephemeral(`${root}/mine`)])
    const renewed = next(client, 'session:renewed')
    await client.renewSession()
    await renewed
    await client.catchUp()
    expect(await nodeAt(client, `${root}/mine`)).toBeUndefined()
  })

  it('goes when its client has not been heard of for the session timeout', async ({
    connect,
    other,
    root,
  }) => {
    const tested = await connect({ sessionTimeout: 2_000 })
    expect(tested.client.sessionTimeout).toBe(2_000)
    await tested.client.transact([part.ephemeral(`${root}/mine`)])
    const gone = new Promise<void>((resolve) => {
      void other.watch(`${root}/mine`, 'persistent', ({ type }) => {
        if (type === 'deleted') resolve()
      })
    })
    await tested.cut()
    await gone
  })
})

conformance('a transaction whose answer was lost', () => {
  it('rejects as of unknown outcome, though it was carried out', async ({
    client,
    tested,
    root,
  }) => {
    tested.loseNextAnswer()
    const written = client.transact([part.create(`${root}/a`)])
    await expect(written).rejects.toMatchObject({
      code: 'REGISTRY_CONNECTION_LOSS',
      outcomeUnknown: true,
      partIndex: undefined,
    })
    await client.catchUp()
    expect(await nodeAt(client, `${root}/a`)).toBeDefined()
  })

  it('is not sent again', async ({ client, tested, root }) => {
    tested.loseNextAnswer()
    await expect(client.transact([part.set(root, '')])).rejects.toMatchObject({
      outcomeUnknown: true,
    })
    await client.catchUp()
    expect((await nodeAt(client, root))?.stat.version).toBe(1)
  })
})
