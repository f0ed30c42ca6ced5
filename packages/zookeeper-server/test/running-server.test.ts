import { once } from 'node:events'
import { ZooKeeper } from '@elasticjob/zookeeper'
import { afterEach, describe, expect, it } from 'vitest'
import { type RunningServer, type ServerOptions, startServer } from '../src/index.ts'
import { opCode, operations } from './core-client.ts'
import { RawSocket } from './raw-socket.ts'

const servers: RunningServer[] = []
const start = async (options: ServerOptions = {}): Promise<RunningServer> => {
  const server = await startServer({ port: 0, ...options })
  servers.push(server)
  return server
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

/** The message of the next process warning with this code. */
function warningWith(code: string): Promise<string> {
  return new Promise((resolve) => {
    const onWarning = (warning: Error & { code?: string }): void => {
      if (warning.code !== code) return
      process.off('warning', onWarning)
      resolve(warning.message)
    }
    process.on('warning', onWarning)
  })
}

describe('startServer', () => {
  it('serves a client', async () => {
    const server = await start()
    await using client = await ZooKeeper.connect({ servers: server.connectString })
    await client.create('/a', 'hello')
    expect((await client.get('/a')).data).toEqual(Buffer.from('hello'))
    expect(server.sessionCount).toBe(1)
  })

  it('listens on loopback, on a free port for port 0', async () => {
    const [first, second] = [await start(), await start()]
    expect(first.port).not.toBe(second.port)
    expect(first.connectString).toBe(`127.0.0.1:${first.port}`)
  })

  it('returns a reachable connect string when it listens on all addresses', async () => {
    const server = await start({ host: '0.0.0.0' })
    expect(server.connectString).toBe(`127.0.0.1:${server.port}`)
  })

  it('fails when the port is in use', async () => {
    const { port } = await start()
    await expect(startServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('can be closed twice, and releases its port', async () => {
    const server = await start()
    const socket = await RawSocket.withSession(server.port)
    await Promise.all([server.stop(), server.stop()])
    await socket.closed
    expect(await start({ port: server.port })).toMatchObject({ port: server.port })
  })

  it('rejects a write to a full tree, warns once a minute, and accepts deletes', async () => {
    const server = await start({ maxNodes: 6 })
    await using client = await ZooKeeper.connect({ servers: server.connectString })
    const exceeded: unknown[] = []
    server.events.on('quota:exceeded', (event) => exceeded.push(event))
    const warned = warningWith('ZKS_QUOTA_EXCEEDED')
    await client.create('/a')
    for (const path of ['/b', '/c']) {
      await expect(client.create(path)).rejects.toMatchObject({
        code: 'ZK_QUOTA_EXCEEDED',
        errno: -125,
      })
    }
    expect(exceeded).toMatchObject([{ sessionId: client.sessionId, nodes: 6, maxNodes: 6 }])
    expect(await warned).toContain('6 nodes (maxNodes 6)')
    await client.delete('/a')
    await client.create('/b')
  })

  it('is closed at the end of an await using block', async () => {
    let port: number
    {
      await using server = await startServer({ port: 0 })
      port = server.port
    }
    expect(await start({ port })).toMatchObject({ port })
  })
})

describe('a running server', () => {
  it('emits session events', async () => {
    const server = await start()
    const told: unknown[] = []
    server.events.on('session:created', ({ timeout }) => told.push(['created', timeout]))
    server.events.on('session:closed', ({ isExpired }) => told.push(['closed', isExpired]))
    const client = await ZooKeeper.connect({ servers: server.connectString, sessionTimeout: 9_000 })
    await client.close()
    expect(told).toEqual([
      ['created', 9_000],
      ['closed', false],
    ])
  })

  it('closes only the connection that announces a frame beyond the limit', async () => {
    const server = await start()
    const good = await RawSocket.withSession(server.port)
    const bad = await RawSocket.withSession(server.port)
    const dropped = once(server.events, 'connection:dropped')
    bad.write(Buffer.from([0x7f, 0xff, 0xff, 0xff]))
    await bad.closed
    expect(await dropped).toMatchObject([{ reason: 'it announced a frame of 2147483647 bytes' }])
    good.request((writer) => {
      writer.int(-2)
      writer.int(opCode.ping)
    })
    expect((await good.frame())?.int()).toBe(-2)
  })

  it('accepts a frame of exactly the limit', async () => {
    const server = await start({ maxPacketSize: 1_000 })
    const socket = await RawSocket.withSession(server.port)
    const request = {
      path: '/a',
      acl: [{ permissions: 31, id: { scheme: 'world', id: 'anyone' } }],
    }
    const overhead = 8 + 6 + 4 + 4 + 4 + 9 + 10 + 4
    socket.request((writer) => {
      writer.int(1)
      writer.int(opCode.create)
      const data = Buffer.alloc(1_000 - overhead)
      operations.create.writeRequest(writer, { ...request, data, flags: 0 })
      expect(writer.length).toBe(1_004)
    })
    const reply = await socket.frame()
    expect([reply?.int(), reply?.long(), reply?.int()]).toEqual([1, 2n, 0])
  })

  it('refuses connections beyond its limits before it reads anything', async () => {
    const server = await start({ maxConnections: 3, maxConnectionsPerAddress: 2 })
    await RawSocket.withSession(server.port)
    const second = await RawSocket.withSession(server.port)
    const refused = once(server.events, 'connection:refused')
    const third = await RawSocket.open(server.port)
    await third.closed
    expect(await refused).toMatchObject([
      {
        address: '127.0.0.1',
        reason: 'more than 2 connections from one address (maxConnectionsPerAddress)',
      },
    ])
    const freed = once(server.events, 'connection:closed')
    second.destroy()
    await freed
    await RawSocket.withSession(server.port)
  })

  it('closes a connection that requests no session in time', async () => {
    const server = await start({ tickTime: 20, handshakeTimeout: 40 })
    const dropped = once(server.events, 'connection:dropped')
    const idle = await RawSocket.open(server.port)
    await idle.closed
    expect(await dropped).toMatchObject([
      { reason: 'the client did not request a session in time (handshakeTimeout)' },
    ])
  })

  it('closes a connection that does not read its replies', async () => {
    const server = await start({ maxUnsentBytes: 200_000 })
    const writer = await ZooKeeper.connect({ servers: server.connectString })
    await writer.create('/big', Buffer.alloc(100_000))
    const lazy = await RawSocket.withSession(server.port)
    lazy.pause()
    const dropped = once(server.events, 'connection:dropped')
    for (let i = 0; i < 200; i++) {
      lazy.request((frame) => {
        frame.int(i + 1)
        frame.int(opCode.getData)
        operations.getData.writeRequest(frame, { path: '/big', watch: false })
      })
    }
    expect(await dropped).toMatchObject([
      { reason: 'the client does not read its replies (maxUnsentBytes)' },
    ])
    await writer.close()
  })

  it('answers requests that arrived before the client half-closed the stream', async () => {
    const server = await start()
    const socket = await RawSocket.withSession(server.port)
    socket.request((writer) => {
      writer.int(7)
      writer.int(99)
    })
    expect((await socket.frame())?.int()).toBe(7)
    expect(await socket.frame()).toBeUndefined()
  })

  it('answers many requests of one chunk at once and in order', async () => {
    const server = await start()
    const socket = await RawSocket.withSession(server.port)
    for (let xid = 1; xid <= 500; xid++) {
      socket.request((writer) => {
        writer.int(xid)
        writer.int(opCode.exists)
        operations.exists.writeRequest(writer, { path: '/', watch: false })
      })
    }
    for (let xid = 1; xid <= 500; xid++) expect((await socket.frame())?.int()).toBe(xid)
  })
})
