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
  for (const server of servers.splice(0)) await server.close()
})

describe('startServer', () => {
  it('serves a client', async () => {
    const server = await start()
    await using client = await ZooKeeper.connect({ servers: server.connectString })
    await client.create('/a', 'hello')
    expect((await client.get('/a')).data).toEqual(Buffer.from('hello'))
    expect(server.sessionCount).toBe(1)
  })

  it('listens on loopback, on a free port if it is asked for one', async () => {
    const [first, second] = [await start(), await start()]
    expect(first.port).not.toBe(second.port)
    expect(first.connectString).toBe(`127.0.0.1:${first.port}`)
  })

  it('gives an address that can be reached when it listens on all', async () => {
    const server = await start({ host: '0.0.0.0' })
    expect(server.connectString).toBe(`127.0.0.1:${server.port}`)
  })

  it('fails when the port is taken', async () => {
    const { port } = await start()
    await expect(startServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('can be closed twice, and frees its port', async () => {
    const server = await start()
    const socket = await RawSocket.withSession(server.port)
    await Promise.all([server.close(), server.close()])
    await socket.closed
    expect(await start({ port: server.port })).toMatchObject({ port: server.port })
  })

  it('is over at the end of the block that uses it', async () => {
    let port: number
    {
      await using server = await startServer({ port: 0 })
      port = server.port
    }
    expect(await start({ port })).toMatchObject({ port })
  })
})

describe('a running server', () => {
  it('tells of sessions', async () => {
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

  it('ends a connection that announces too long a frame, and no other', async () => {
    const server = await start()
    const good = await RawSocket.withSession(server.port)
    const bad = await RawSocket.withSession(server.port)
    const dropped = once(server.events, 'connection:dropped')
    bad.write(Buffer.from([0x7f, 0xff, 0xff, 0xff]))
    await bad.closed
    expect(await dropped).toMatchObject([{ reason: 'a frame of 2147483647 bytes' }])
    good.request((writer) => {
      writer.int(-2)
      writer.int(opCode.ping)
    })
    expect((await good.frame())?.int()).toBe(-2)
  })

  it('takes a frame as long as the limit', async () => {
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

  it('refuses connections beyond its limits before it has read anything', async () => {
    const server = await start({ maxConnections: 3, maxConnectionsPerAddress: 2 })
    await RawSocket.withSession(server.port)
    const second = await RawSocket.withSession(server.port)
    const refused = once(server.events, 'connection:refused')
    const third = await RawSocket.open(server.port)
    await third.closed
    expect(await refused).toMatchObject([
      { address: '127.0.0.1', reason: 'more than 2 connections from one address' },
    ])
    const freed = once(server.events, 'connection:closed')
    second.destroy()
    await freed
    await RawSocket.withSession(server.port)
  })

  it('ends a connection that asks for no session in time', async () => {
    const server = await start({ tickTime: 20, handshakeTimeout: 40 })
    const dropped = once(server.events, 'connection:dropped')
    const idle = await RawSocket.open(server.port)
    await idle.closed
    expect(await dropped).toMatchObject([{ reason: 'no session was asked for in time' }])
  })

  it('ends a connection that does not read what it is sent', async () => {
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
    expect(await dropped).toMatchObject([{ reason: 'it does not read what it is sent' }])
    await writer.close()
  })

  it('answers what was asked before the stream was closed', async () => {
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
