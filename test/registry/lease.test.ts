import { part } from '../../packages/core/src/registry/transaction.ts'
import { Recorder } from '../zookeeper/conformance/recorder.ts'
import { conformance, expect, it, next, nodeAt } from './support.ts'

const shortSession = { sessionTimeout: 3_000 } as const

conformance('a lease', () => {
  it('is valid after an answered transaction, for less than the session timeout', async ({
    client,
    root,
  }) => {
    await client.transact([part.set(root, '')])
    expect(client.lease.valid).toBe(true)
    expect(client.lease.isHeld).toBe(false)
    expect(client.lease.settlesIn).toBe(0)
    expect(client.lease.remaining).toBeGreaterThan(0)
    expect(client.lease.remaining).toBeLessThan(client.sessionTimeout)
  })

  it('that is held is kept alive by writes to its node', async ({ connect, other, root }) => {
    const { client } = await connect(shortSession)
    const path = `${root}/lease`
    await client.create(path, { mode: 'ephemeral' })
    const written = new Recorder<string>()
    await other.watch(path, 'persistent', ({ type }) => written.record(type))
    const ends: string[] = []
    client.on('lease:ended', () => ends.push('ended'))
    const hold = client.lease.hold(path)
    expect(client.lease.isHeld).toBe(true)
    await written.atLeast(6)
    hold.release()
    expect(ends).toEqual([])
    expect(client.lease.isHeld).toBe(false)
  })

  it('of a client that is cut off ends before any client sees an ephemeral node of it gone', async ({
    connect,
    other,
    root,
  }) => {
    const tested = await connect(shortSession)
    const { client } = tested
    const path = `${root}/lease`
    await client.create(path, { mode: 'ephemeral' })
    const order = new Recorder<string>()
    await other.watch(path, 'persistent', ({ type }) => {
      if (type === 'deleted') order.record(`deleted, valid: ${client.lease.valid}`)
    })
    client.on('lease:ended', () => order.record('ended'))
    client.lease.hold(path)
    await tested.cut()
    expect(await order.atLeast(2)).toEqual(['ended', 'deleted, valid: false'])
  })

  it('that has ended is regained by a transaction after the connection is back', async ({
    connect,
    root,
  }) => {
    const tested = await connect({ sessionTimeout: 5_000 })
    const { client } = tested
    const path = `${root}/lease`
    const { ephemeralOwner } = await client.create(path, { mode: 'ephemeral' })
    const ended = next(client, 'lease:ended')
    client.lease.hold(path)
    await tested.cut()
    await ended
    const regained = next(client, 'lease:regained')
    await tested.restore()
    await regained
    expect(client.lease.valid).toBe(true)
    expect((await nodeAt(client, path))?.stat.ephemeralOwner).toBe(ephemeralOwner)
  })
})
