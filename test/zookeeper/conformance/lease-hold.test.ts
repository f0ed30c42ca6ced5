import type { WatchEvent } from '@elasticjob/zookeeper'
import { answeredPings, recordRequests } from './opcodes.ts'
import { renew } from './outage.ts'
import { next, recordEvents, Recorder } from './recorder.ts'
import { shiftedClock } from './shifted-clock.ts'
import { conformance, expect, it } from './support.ts'

/** A short session whose lease is renewed every half second. */
const shortSession = {
  sessionTimeout: 3_000,
  lease: { serverTickTime: 100, abortTime: 100 },
} as const

conformance('a held lease', () => {
  it('is renewed by writes to its node, which it creates', async ({ clients, other }) => {
    const zk = await clients.connect(shortSession)
    const written = new Recorder<WatchEvent>()
    await other.addWatch('/leases/mine', 'persistent', written.record)
    zk.lease.hold('/leases/mine')
    const [first, ...later] = (await written.atLeast(3)).map(({ type }) => type)
    expect(first).toBe('created')
    expect(new Set(later)).toEqual(new Set(['dataChanged']))
    await other.sync()
    expect(await other.exists('/leases/mine')).toMatchObject({ ephemeralOwner: zk.sessionId })
  })

  it('is renewed at once if nothing was written for long', async ({ clients }) => {
    const clock = shiftedClock()
    const zk = await clients.connect({ clock })
    const written = new Recorder<WatchEvent>()
    await zk.exists('/lease', { watch: written.record })
    clock.advance(zk.lease.terms?.renewEvery ?? 0)
    const before = zk.lease.remaining
    zk.lease.hold('/lease')
    await written.first()
    await zk.sync()
    expect(zk.lease.remaining).toBeGreaterThan(before)
  })

  it('outlasts its duration without a word of its end', async ({ clients }) => {
    const zk = await clients.connect(shortSession)
    const events = recordEvents(zk)
    const { duration = 0, renewEvery = Infinity } = zk.lease.terms ?? {}
    const written = new Recorder<WatchEvent>()
    await zk.addWatch('/lease', 'persistent', written.record)
    zk.lease.hold('/lease')
    await written.atLeast(Math.ceil(duration / renewEvery) + 1)
    expect(events.seen).toEqual([])
    expect(zk.lease.valid).toBe(true)
  })

  it('is not written to while its client writes elsewhere', async ({ clients, proxy }) => {
    const clock = shiftedClock()
    const zk = await clients.connect({ via: proxy, clock })
    await zk.create('/a')
    const requests = recordRequests(proxy)
    const hold = zk.lease.hold('/lease')
    await zk.sync()
    hold.release()
    expect(requests).toHaveLength(1)
    expect(await zk.exists('/lease')).toBeUndefined()
  })

  it('is left alone once it is released', async ({ clients, proxy, other }) => {
    const zk = await clients.connect({ via: proxy, ...shortSession })
    const written = new Recorder<WatchEvent>()
    await other.addWatch('/lease', 'persistent', written.record)
    const hold = zk.lease.hold('/lease')
    await written.atLeast(2)
    hold.release()
    const requests = recordRequests(proxy)
    // A ping is sent only when nothing was for two renewals.
    await answeredPings(proxy)
    expect(requests).toEqual([])
  })

  it('is held until everybody has released it', async ({ clients, other }) => {
    const zk = await clients.connect(shortSession)
    const written = new Recorder<WatchEvent>()
    await other.addWatch('/two', 'persistent', written.record)
    const one = zk.lease.hold('/one')
    zk.lease.hold('/two')
    one.release()
    expect((await written.first()).type).toBe('created')
  })

  it('that ends is told before the session is lost', async ({ clients, proxy }) => {
    const clock = shiftedClock()
    const zk = await clients.connect({ via: proxy, clock, ...shortSession })
    zk.lease.hold('/lease')
    const events = recordEvents(zk)
    const ended = next(zk, 'lease:ended')
    proxy.blackHole()
    clock.advance(zk.lease.terms?.duration ?? 0)
    expect(await ended).toEqual({ sessionId: zk.sessionId })
    expect(zk.lease.valid).toBe(false)
    expect(events.seen).not.toContain('session:lost')
  })

  it('that ended is told again when a write has proven the session', async ({ clients, proxy }) => {
    const clock = shiftedClock()
    const zk = await clients.connect({ via: proxy, clock, ...shortSession })
    zk.lease.hold('/lease')
    const { sessionId } = zk
    const ended = next(zk, 'lease:ended')
    const regained = next(zk, 'lease:regained')
    proxy.blackHole()
    clock.advance(zk.lease.terms?.duration ?? 0)
    await ended
    proxy.pass()
    expect(await regained).toEqual({ sessionId })
    expect(zk.lease.valid).toBe(true)
  })

  it('ends with its session, and comes back with the next', async ({ clients, target }) => {
    const zk = await clients.connect()
    zk.lease.hold('/lease')
    const events = recordEvents(zk)
    const regained = next(zk, 'lease:regained')
    const { sessionId } = await renew(zk, target)
    expect(await regained).toEqual({ sessionId })
    const told = events.seen.filter((name) => name.startsWith('lease:') || name.endsWith('expired'))
    expect(told).toEqual(['lease:ended', 'session:expired', 'lease:regained'])
  })

  it('leaves no renewal behind when the client is closed', async ({ clients, other }) => {
    const zk = await clients.connect(shortSession)
    const written = new Recorder<WatchEvent>()
    await other.addWatch('/lease', 'persistent', written.record)
    zk.lease.hold('/lease')
    await written.first()
    await zk.close()
    await other.sync()
    expect(await other.exists('/lease')).toBeUndefined()
    expect(zk.outstanding).toBe(0)
  })
})
