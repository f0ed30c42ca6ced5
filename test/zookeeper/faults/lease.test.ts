import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { WatchEvent } from '@elasticjob/zookeeper'
import { startEnsemble, type Ensemble, type Member } from '../harness/ensemble.ts'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import { connectClient, faults, inListedOrder, type TestClient } from './clients.ts'
import { Log } from './log.ts'
import { recordPings } from './pings.ts'

const tickTime = 500
const sessionTimeout = 4_000
const lease = Object.freeze({ serverTickTime: tickTime, abortTime: 500 })

/** A follower and its leader give each other up long after a session has expired, as by default. */
const syncLimit = 20

faults('a lease, while the ensemble hears nothing of the session', () => {
  let ensemble: Ensemble
  let leader: Member
  let near: Member
  let far: Member

  beforeAll(async () => {
    ensemble = await startEnsemble({ tickTime, syncLimit })
  })
  afterAll(() => ensemble.stop())
  beforeEach(async () => {
    leader = await ensemble.waitForQuorum(3)
    ;[near, far] = (await ensemble.followers()) as [Member, Member]
  })

  /** A client that knows the near follower alone, by a way that can be closed to it. */
  async function connectNear(): Promise<TestClient & { readonly proxy: TcpProxy }> {
    const proxy = await TcpProxy.start({ target: near.server.port, framed: true })
    onTestFinished(() => proxy.stop())
    const client = await connectClient({ servers: proxy.connectString, sessionTimeout, lease })
    return { ...client, proxy }
  }

  /** When somebody on the other side sees that a node is gone, and what holds in that moment. */
  async function whenGone<T>(
    observer: TestClient,
    path: string,
    look: () => T,
  ): Promise<T & { at: number }> {
    const gone = new Log<T & { at: number }>()
    await observer.zk.exists(path, {
      watch: ({ type }: WatchEvent) => {
        if (type === 'deleted') gone.add({ ...look(), at: performance.now() })
      },
    })
    return gone.until(() => true)
  }

  async function worksAgain({ zk, history }: TestClient): Promise<void> {
    await history.until('session:renewed')
    const { stat } = await zk.create('/again', '', { mode: 'ephemeral' })
    expect(stat.ephemeralOwner).toBe(zk.sessionId)
    await zk.delete('/again')
  }

  it('ends before the ephemerals are gone when the leader is paused', async () => {
    const holder = await connectNear()
    const idler = await connectNear()
    const observer = await connectClient({ servers: far.server.connectString })
    await holder.zk.create('/paused-holder', '', { mode: 'ephemeral' })
    await idler.zk.create('/paused-idler', '', { mode: 'ephemeral' })
    holder.zk.lease.hold('/paused-lease')
    await observer.zk.catchUp()
    const holderGone = whenGone(observer, '/paused-holder', () => ({
      remaining: holder.zk.lease.remaining,
    }))
    const pings = recordPings(idler.proxy)

    await leader.server.pause()
    // Reconnecting would reach the leader when it wakes, and race with the end of the session.
    holder.proxy.refuse()
    // Pings are a third of the timeout apart: at the fifth, the session's time is over.
    await pings.until(() => answersAmong(pings) >= 5)
    await idler.zk.get('/')
    // Nothing but writes would tell: pings and reads are answered, and the session is past saving.
    expect(idler.history.names).toEqual(['session:connected'])
    expect(idler.zk.lease.remaining).toBe(0)
    leader.server.resume()

    const ended = await holder.history.until('lease:ended')
    const gone = await holderGone
    expect(ended.at).toBeLessThan(gone.at)
    expect(gone.remaining).toBe(0)
    await holder.proxy.accept()

    await worksAgain(holder)
    await worksAgain(idler)
    expect(holder.history.names).toEqual([
      'session:connected',
      'lease:ended',
      'session:suspended',
      'session:lost',
      'session:expired',
      'lease:regained',
      'session:renewed',
    ])
  })

  it('ends before the ephemerals are gone when its follower is cut off', async () => {
    const holder = await connectNear()
    const idler = await connectNear()
    const roamer = await connectClient({
      servers: [near.server.connectString, far.server.connectString],
      random: inListedOrder,
      sessionTimeout,
      lease,
    })
    const observer = await connectClient({ servers: leader.server.connectString })
    await holder.zk.create('/cut-holder', '', { mode: 'ephemeral' })
    await idler.zk.create('/cut-idler', '', { mode: 'ephemeral' })
    await roamer.zk.create('/cut-roamer', '', { mode: 'ephemeral' })
    holder.zk.lease.hold('/cut-lease')
    roamer.zk.lease.hold('/cut-roamer')
    await observer.zk.catchUp()
    const states: string[] = []
    holder.zk.once('lease:ended', () => states.push(holder.zk.state))
    const holderGone = whenGone(observer, '/cut-holder', () => ({
      remaining: holder.zk.lease.remaining,
    }))
    const pings = recordPings(idler.proxy)
    const idlerGone = whenGone(observer, '/cut-idler', () => ({
      remaining: idler.zk.lease.remaining,
      state: idler.zk.state,
      answers: answersAmong(pings),
    }))

    ensemble.cutLink(near, leader)
    await pings.until(() => answersAmong(pings) >= 2)
    await idler.zk.get('/')

    const ended = await holder.history.until('lease:ended')
    const [holderEnd, idlerEnd] = await Promise.all([holderGone, idlerGone])
    expect(states).toEqual(['connected'])
    expect(ended.at).toBeLessThan(holderEnd.at)
    expect(holderEnd.remaining).toBe(0)
    // Its follower has answered pings and reads, and the node is gone all the same: they prove nothing.
    expect(idlerEnd).toMatchObject({ state: 'connected', remaining: 0 })
    expect(idlerEnd.answers).toBeGreaterThanOrEqual(2)

    // Who may go to another member keeps the session: only the lease was away for a while.
    await roamer.history.until('lease:regained')
    expect((await roamer.zk.exists('/cut-roamer'))?.ephemeralOwner).toBe(roamer.zk.sessionId)
    expect(roamer.history.names).toEqual([
      'session:connected',
      'lease:ended',
      'session:suspended',
      'session:reconnected',
      'lease:regained',
    ])

    ensemble.healLink(near, leader)
    await worksAgain(holder)
    await worksAgain(idler)
    await holder.history.until('lease:regained')
  })
})

function answersAmong(pings: Log<'ping' | 'answer'>): number {
  return pings.entries.filter((entry) => entry === 'answer').length
}
