import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel'
import { onTestFinished } from 'vitest'
import type { ZooKeeper } from '@elasticjob/zookeeper'
import { renewCutOff } from './outage.ts'
import { conformance, expect, it } from './support.ts'

interface Trace {
  readonly operation: string
  readonly path: string | undefined
  readonly result?: unknown
  readonly error?: unknown
}

type TraceEvent = 'start' | 'asyncEnd' | 'error'

/** What is published about requests from now on, as far as it is asked for. */
function traces(...wanted: readonly TraceEvent[]): { event: TraceEvent; trace: Trace }[] {
  const published: { event: TraceEvent; trace: Trace }[] = []
  const channel = tracingChannel<string, Trace>('elasticjob:zookeeper:request')
  const hear = (event: TraceEvent) => (trace: object) => {
    published.push({ event, trace: { ...(trace as Trace) } })
  }
  const handlers = Object.fromEntries(wanted.map((event) => [event, hear(event)]))
  channel.subscribe(handlers as never)
  onTestFinished(() => {
    channel.unsubscribe(handlers as never)
  })
  return published
}

interface Published {
  readonly event: string
  readonly payload: unknown
  readonly client: ZooKeeper
}

/** What is published about the sessions of a client from now on. */
function sessionEvents(client: ZooKeeper): Published[] {
  const published: Published[] = []
  const hear = (message: unknown): void => {
    if ((message as Published).client === client) published.push(message as Published)
  }
  subscribe('elasticjob:zookeeper:session', hear)
  onTestFinished(() => void unsubscribe('elasticjob:zookeeper:session', hear))
  return published
}

conformance('the request channel', () => {
  it('publishes the beginning and the end of a request', async ({ zk }) => {
    const published = traces('start', 'asyncEnd')
    await zk.create('/a')
    expect(published).toMatchObject([
      { event: 'start', trace: { operation: 'create', path: '/a' } },
      { event: 'asyncEnd', trace: { operation: 'create', path: '/a' } },
    ])
    expect(published[1]?.trace.result).toMatchObject({ stat: { version: 0 } })
  })

  it('publishes a failure', async ({ zk }) => {
    const published = traces('start', 'error')
    await expect(zk.get('/missing')).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
    expect(published[1]).toMatchObject({
      event: 'error',
      trace: { operation: 'get', path: '/missing', error: { code: 'ZK_NO_NODE' } },
    })
  })

  it('publishes to whoever listens to failures alone', async ({ zk }) => {
    const published = traces('error')
    await expect(zk.get('/missing')).rejects.toMatchObject({ code: 'ZK_NO_NODE' })
    expect(published).toMatchObject([{ event: 'error', trace: { path: '/missing' } }])
  })

  it('publishes every step of a call that takes several', async ({ zk }) => {
    const published = traces('start')
    await zk.create('/a/b', '', { parents: true })
    expect(published.map(({ trace }) => trace.operation)).toEqual(
      expect.arrayContaining(['create', 'exists', 'multi']),
    )
  })

  it('publishes that watches are set and removed', async ({ zk }) => {
    const published = traces('start')
    const watch = await zk.addWatch('/a', 'recursive', () => undefined)
    await watch.remove()
    expect(published.map(({ trace }) => trace)).toMatchObject([
      { operation: 'addWatch', path: '/a' },
      { operation: 'removeWatches', path: '/a' },
    ])
  })
})

conformance('the session channel', () => {
  it('publishes the events of a session, with the client that they are about', async ({
    clients,
    proxy,
    target,
  }) => {
    const zk = clients.prepare({ via: proxy })
    const published = sessionEvents(zk)
    await zk.connect()
    const { sessionId } = zk
    await renewCutOff(zk, proxy, target)
    await zk.close()
    expect(published.map(({ event }) => event)).toEqual([
      'session:connected',
      'session:suspended',
      'session:lost',
      'session:expired',
      'session:renewed',
      'session:closed',
    ])
    expect(published[0]?.payload).toMatchObject({ sessionId })
  })
})
