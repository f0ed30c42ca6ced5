import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { networkTransport, type Transport, type WatchEvent } from '@elasticjob/zookeeper'
import { startStandalone } from '../harness/standalone.ts'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import type { ZooKeeperProcess } from '../harness/zookeeper-process.ts'
import { connectClient, faults, inListedOrder } from './clients.ts'
import { Log } from './log.ts'

const unknownName = new Error('getaddrinfo ENOTFOUND zk.test')

/** A network with names of its own: what a test says a name resolves to, and who is at an address. */
class Names {
  readonly lookups = new Log<string>()
  readonly transport: Transport
  /** Answers the next lookups, the last one for ever. */
  answers: (readonly string[] | Error | 'never')[] = []

  constructor(portOf: Readonly<Record<string, number>>) {
    const network = networkTransport()
    this.transport = {
      resolve: (host) => {
        this.lookups.add(host)
        const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0]
        if (answer === 'never') return new Promise(() => {})
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? [])
      },
      connect: (endpoint, handler) => {
        const port = portOf[endpoint.address] ?? 0
        return network.connect({ ...endpoint, address: '127.0.0.1', port }, handler)
      },
    }
  }
}

faults('a name service that fails', () => {
  let server: ZooKeeperProcess

  beforeAll(async () => {
    server = await startStandalone()
  })
  afterAll(() => server.stop())

  async function startProxy(): Promise<TcpProxy> {
    const proxy = await TcpProxy.start({ target: server.port })
    onTestFinished(() => proxy.stop())
    return proxy
  }

  it('is asked again until it knows the name, by a first connect', async () => {
    const names = new Names({ '10.0.0.1': server.port })
    names.answers = [unknownName, [], unknownName, ['10.0.0.1']]
    const { transport } = names
    const { zk, history } = await connectClient({ servers: 'zk.test:2181', transport })
    expect(names.lookups.entries).toHaveLength(4)
    expect((await history.until('session:connected')).payload.server).toBe(
      'zk.test:2181 (10.0.0.1:2181)',
    )
    expect(await zk.exists('/')).toBeDefined()
  })

  it('is what a connect in vain tells of', async () => {
    const names = new Names({})
    names.answers = [unknownName]
    const options = { servers: 'zk.test:2181', transport: names.transport, connectTimeout: 300 }
    await expect(connectClient(options)).rejects.toMatchObject({
      code: 'ZK_CONNECT_FAILED',
      message: expect.stringContaining(
        'zk.test cannot be resolved: getaddrinfo ENOTFOUND zk.test',
      ) as string,
    })
  })

  it('is asked again until it knows the name, by a reconnect within the session', async () => {
    const proxy = await startProxy()
    const names = new Names({ '10.0.0.1': proxy.port })
    names.answers = [['10.0.0.1']]
    const { transport } = names
    const { zk, history } = await connectClient({ servers: 'zk.test:2181', transport })
    const { sessionId } = zk
    await zk.create('/named', '', { mode: 'ephemeral' })
    const events = new Log<WatchEvent>()
    await zk.get('/named', { watch: events.add })

    names.answers = [unknownName]
    proxy.dropAll()
    await history.until('session:suspended')
    const waited = zk.get('/named')
    await names.lookups.atLeast(4)
    names.answers = [['10.0.0.1']]

    await history.until('session:reconnected')
    expect((await waited).stat.ephemeralOwner).toBe(sessionId)
    await zk.set('/named', 'new')
    expect(events.entries).toEqual([{ type: 'dataChanged', path: '/named' }])
    expect(history.names).toEqual(['session:connected', 'session:suspended', 'session:reconnected'])
  })

  it('sends the client to where the name has moved', async () => {
    const [from, to] = [await startProxy(), await startProxy()]
    const names = new Names({ '10.0.0.1': from.port, '10.0.0.2': to.port })
    names.answers = [['10.0.0.1']]
    const { transport } = names
    const { zk, history } = await connectClient({ servers: 'zk.test:2181', transport })
    const { sessionId } = zk

    await from.stop()
    // The address that a name had once is not tried again when the name has another one.
    names.answers = [['10.0.0.1'], ['10.0.0.2']]
    const { payload } = await history.until('session:reconnected')
    expect(payload).toMatchObject({ sessionId, server: 'zk.test:2181 (10.0.0.2:2181)' })
    expect(await zk.exists('/')).toBeDefined()
  })

  it('gives several addresses, and all are tried', async () => {
    const names = new Names({ '10.0.0.3': server.port })
    names.answers = [['10.0.0.1', '10.0.0.2', '10.0.0.3']]
    const { transport } = names
    const { zk } = await connectClient({ servers: 'zk.test:2181', transport })
    expect(names.lookups.entries).toHaveLength(1)
    expect(await zk.exists('/')).toBeDefined()
  })

  it('does not hold up other servers when it never answers', async () => {
    const names = new Names({ '10.0.0.1': server.port })
    names.answers = ['never', ['10.0.0.1']]
    const { zk } = await connectClient({
      servers: 'mute.test:2181,zk.test:2181',
      transport: names.transport,
      random: inListedOrder,
      sessionTimeout: 2_000,
    })
    expect(names.lookups.entries).toEqual(['mute.test', 'zk.test'])
    expect(await zk.exists('/')).toBeDefined()
  })
})
