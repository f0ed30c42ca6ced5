import { openAcl, part, read, type ZooKeeper } from '@elasticjob/zookeeper'
import { answeredPings } from './opcodes.ts'
import { reconnect, renew } from './outage.ts'
import { shiftedClock } from './shifted-clock.ts'
import { conformance, expect, it } from './support.ts'

const second = 1_000

/** Terms that leave room for a lease in a short session. */
const shortLease = { serverTickTime: 100, abortTime: 100 } as const

const writes: Readonly<Record<string, (zk: ZooKeeper) => Promise<unknown>>> = {
  create: (zk) => zk.create('/new'),
  set: (zk) => zk.set('/a', 'new'),
  delete: (zk) => zk.delete('/a'),
  setAcl: (zk) => zk.setAcl('/a', openAcl),
  multi: (zk) => zk.multi([part.set('/a', 'new')]),
  check: (zk) => zk.check('/a'),
}

const reads: Readonly<Record<string, (zk: ZooKeeper) => Promise<unknown>>> = {
  get: (zk) => zk.get('/a'),
  exists: (zk) => zk.exists('/a'),
  children: (zk) => zk.children('/a'),
  multiRead: (zk) => zk.multiRead([read.get('/a')]),
  getAcl: (zk) => zk.getAcl('/a'),
  getEphemerals: (zk) => zk.getEphemerals(),
  getAllChildrenNumber: (zk) => zk.getAllChildrenNumber('/a'),
  whoAmI: (zk) => zk.whoAmI(),
  sync: (zk) => zk.sync(),
  addWatch: (zk) => zk.addWatch('/a', 'recursive', () => undefined),
  addAuth: (zk) => zk.addAuth('digest', 'a:b'),
}

conformance('a lease', () => {
  it('begins with the session', async ({ zk }) => {
    expect(zk.lease.valid).toBe(true)
    expect(zk.lease.remaining).toBeLessThanOrEqual(zk.lease.terms?.duration ?? 0)
  })

  it('ends before the session can, by a margin', async ({ clients }) => {
    const lease = { serverTickTime: 300, abortTime: 200 }
    const { sessionTimeout: timeout, lease: granted } = await clients.connect({ lease })
    const margin = 300 + timeout / 6 + timeout * 0.001 + 200
    expect(granted.terms).toMatchObject({
      renewEvery: timeout / 6,
      margin,
      duration: timeout - margin,
    })
  })

  it('runs out when nothing is written', async ({ clients }) => {
    const clock = shiftedClock()
    const zk = await clients.connect({ clock })
    clock.advance(zk.lease.terms?.duration ?? 0)
    expect(zk.lease.remaining).toBe(0)
    expect(zk.lease.valid).toBe(false)
  })

  it.for(Object.entries(writes))('is renewed by %s', async ([, write], { clients }) => {
    const clock = shiftedClock()
    const zk = await clients.connect({ clock })
    await zk.create('/a')
    clock.advance(second)
    const before = zk.lease.remaining
    await write(zk)
    expect(zk.lease.remaining).toBeGreaterThan(before)
  })

  it.for(Object.entries(reads))('is not renewed by %s', async ([, ask], { clients }) => {
    const clock = shiftedClock()
    const zk = await clients.connect({ clock })
    await zk.create('/a')
    clock.advance(second)
    const before = zk.lease.remaining
    await ask(zk)
    expect(zk.lease.remaining).toBeLessThanOrEqual(before)
  })

  it('is not renewed by a ping', async ({ clients, proxy }) => {
    const clock = shiftedClock()
    const zk = await clients.connect({
      via: proxy,
      clock,
      sessionTimeout: 1_000,
      lease: shortLease,
    })
    clock.advance(200)
    const before = zk.lease.remaining
    await answeredPings(proxy)
    expect(zk.lease.remaining).toBeLessThan(before)
  })

  it('is not renewed by a reconnect', async ({ clients, proxy }) => {
    const clock = shiftedClock()
    const zk = await clients.connect({ via: proxy, clock })
    clock.advance(second)
    const before = zk.lease.remaining
    await reconnect(zk, proxy)
    expect(zk.lease.remaining).toBeLessThanOrEqual(before)
  })

  it('counts from the moment a write was sent, not from its answer', async ({ clients, proxy }) => {
    const clock = shiftedClock()
    const zk = await clients.connect({ via: proxy, clock })
    proxy.blackHole('to-client')
    const written = zk.create('/a')
    clock.advance(second)
    proxy.pass()
    await written
    expect(zk.lease.remaining).toBeLessThanOrEqual((zk.lease.terms?.duration ?? 0) - second)
  })

  it('is not proven beyond what was heard before a suspension by an answer that came after it', async ({
    clients,
  }) => {
    const clock = shiftedClock()
    const zk = await clients.connect({ clock, sessionTimeout: 12 * second, lease: {} })
    await zk.create('/a')
    clock.advance(5 * second)
    const reach = zk.lease.terms?.reach ?? 0
    // Reads the boot clock: the suspension comes right after it.
    const before = zk.lease.remaining
    clock.suspend(5.5 * second)
    await zk.set('/a', '1')
    expect(zk.lease.remaining).toBeLessThan(before)
    await zk.set('/a', '2')
    // Suspensions are rounded up by the step of the boot clock; the two other clocks are told apart to 2 ms.
    expect(zk.lease.remaining).toBeLessThanOrEqual(reach - 10.5 * second + 2)
  })

  it('is none without a session', async ({ clients }) => {
    const zk = clients.prepare()
    expect(zk.lease.remaining).toBe(0)
    expect(zk.lease.terms).toBeUndefined()
    await zk.connect()
    await zk.close()
    expect(zk.lease.remaining).toBe(0)
    expect(zk.lease.valid).toBe(false)
  })

  it('ends with the session, and begins with the next', async ({ zk, target }) => {
    let validAtExpiry: boolean | undefined
    zk.once('session:expired', () => (validAtExpiry = zk.lease.valid))
    await renew(zk, target)
    expect(validAtExpiry).toBe(false)
    expect(zk.lease.valid).toBe(true)
  })
})

conformance('the terms of a lease', () => {
  it('raise a session timeout that is too short for them, and tell it', async ({ clients }) => {
    const zk = clients.prepare({ sessionTimeout: 1_000, lease: { serverTickTime: 2_000 } })
    const raised: unknown[] = []
    zk.on('session:timeout-raised', (payload) => raised.push(payload))
    await zk.connect()
    expect(zk.sessionTimeout).toBeGreaterThan(6_000)
    expect(raised).toMatchObject([{ requested: 1_000, timeout: 6_013 }])
  })

  it('refuse a server whose timeout leaves no room for them, with the arithmetic', async ({
    clients,
  }) => {
    const zk = clients.prepare({ sessionTimeout: 100_000, lease: { serverTickTime: 40_000 } })
    const connecting = zk.connect()
    await expect(connecting).rejects.toMatchObject({ code: 'ZK_LEASE_IMPOSSIBLE' })
    await expect(connecting).rejects.toThrow(
      'negotiated a session timeout of 60000 ms. A lease of it lasts 60000 - 40000 (serverTickTime) ' +
        '- 10000 (timeout / 6) - 60 (0.1 %) - 1000 (abortTime) = 8940 ms, and needs 20000',
    )
    expect(zk.state).toBe('closed')
  })

  it('refuse nothing if none were given', async ({ clients }) => {
    const zk = await clients.connect({ sessionTimeout: 1_000 })
    expect(zk.lease.valid).toBe(false)
    expect(zk.state).toBe('connected')
  })
})
