import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  FakeServer,
  handshakesThenSilent,
  neverAnswers,
  sendsBytes,
} from '../harness/fake-server.ts'
import { encodeFrame } from '../harness/frames.ts'
import { freePorts } from '../harness/free-port.ts'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import type { TcpProxyOptions } from '../harness/tcp-proxy.ts'
import { RawClient } from './raw-client.ts'

const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** A server that sends everything back, and a proxy in front of it. */
async function echoBehindProxy(
  options: Omit<TcpProxyOptions, 'target'> = {},
): Promise<{ readonly proxy: TcpProxy; readonly echoPort: number }> {
  const echo = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.pipe(socket)
  })
  const [echoPort] = (await freePorts(1)) as [number]
  echo.listen(echoPort, '127.0.0.1')
  await once(echo, 'listening')
  cleanups.push(() => void echo.close())
  const proxy = await TcpProxy.start({ target: echoPort, ...options })
  cleanups.push(() => proxy.stop())
  return { proxy, echoPort }
}

async function clientOf(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port })
  socket.on('error', () => undefined)
  cleanups.push(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

async function received(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return chunk.toString()
}

/** Gives what could come back the time to come back: to somebody else it does. */
async function roundTrips(echoPort: number): Promise<void> {
  const witness = await clientOf(echoPort)
  for (const shardState of ['a', 'b', 'c']) {
    witness.write(shardState)
    await received(witness)
  }
}

describe('free ports', () => {
  it('are all different', async () => {
    const ports = (await Promise.all([freePorts(130), freePorts(130)])).flat()
    expect(new Set(ports).size).toBe(260)
  })
})

describe('a proxy', () => {
  it('forwards both ways and passes on the end of a connection', async () => {
    const { proxy } = await echoBehindProxy()
    const client = await clientOf(proxy.port)
    client.write('hello')
    expect(await received(client)).toBe('hello')
    const closed = once(proxy, 'connection:closed')
    client.end()
    await once(client, 'close')
    await closed
    expect(proxy.connectionCount).toBe(0)
  })

  it.each(['both', 'to-server', 'to-client'] as const)(
    'holds back what is black-holed (%s) and delivers it later',
    async (direction) => {
      const { proxy, echoPort } = await echoBehindProxy()
      const client = await clientOf(proxy.port)
      client.write('before ')
      expect(await received(client)).toBe('before ')

      proxy.blackHole(direction)
      let early = ''
      client.on('data', (chunk: Buffer) => (early += chunk.toString()))
      client.write('held')
      const late = await clientOf(proxy.port)
      late.write('held too')
      await roundTrips(echoPort)
      expect(early).toBe('')
      expect(proxy.connectionCount).toBe(2)

      client.removeAllListeners('data')
      const delivered = Promise.all([received(client), received(late)])
      proxy.pass()
      expect(await delivered).toEqual(['held', 'held too'])
    },
  )

  it('does not tell the server of a client that leaves through a black hole', async () => {
    const { proxy } = await echoBehindProxy()
    const client = await clientOf(proxy.port)
    client.write('hello')
    await received(client)
    proxy.blackHole()
    client.destroy()
    await once(client, 'close')
    expect(proxy.connectionCount).toBe(1)
    const closed = once(proxy, 'connection:closed')
    proxy.pass()
    await closed
  })

  it('drops open connections, and refuses new ones until told otherwise', async () => {
    const { proxy } = await echoBehindProxy()
    const client = await clientOf(proxy.port)
    proxy.dropAll()
    await once(client, 'close')

    proxy.refuse()
    await expect(clientOf(proxy.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await proxy.accept()
    const again = await clientOf(proxy.port)
    again.write('again')
    expect(await received(again)).toBe('again')
  })

  it('delays without reordering', async () => {
    const { proxy, echoPort } = await echoBehindProxy()
    const client = await clientOf(proxy.port)
    let answer = ''
    client.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    proxy.delay(600_000)
    client.write('first ')
    await roundTrips(echoPort)
    expect(answer).toBe('')

    proxy.delay(5)
    client.write('second ')
    client.write('third')
    while (answer.length < 18) await once(client, 'data')
    expect(answer).toBe('first second third')
  })

  it('lets a test swallow frames, whatever pieces they arrive in', async () => {
    const { proxy } = await echoBehindProxy({ framed: true })
    proxy.onServerFrame = ({ payload, index }) =>
      index === 1 || payload.toString() === 'bad' ? 'swallow' : 'pass'
    const client = await clientOf(proxy.port)
    const stream = Buffer.concat(['one', 'two', 'bad', 'end'].map((text) => frame(text)))
    client.write(stream.subarray(0, 9))
    let answer = Buffer.alloc(0)
    client.on('data', (chunk: Buffer) => (answer = Buffer.concat([answer, chunk])))
    await once(client, 'data')
    client.write(stream.subarray(9))
    while (answer.length < 14) await once(client, 'data')
    expect(answer).toEqual(Buffer.concat([frame('one'), frame('end')]))
  })
})

describe('a fake server', () => {
  it('accepts and never answers', async () => {
    const server = await FakeServer.start(neverAnswers())
    cleanups.push(() => server.stop())
    const accepted = server.nextConnection()
    const client = await RawClient.connect(server.port)
    const handshake = client.handshake()
    await (await accepted).nextFrame()
    client.close()
    await expect(handshake).rejects.toThrow('connection closed')
    await (
      await accepted
    ).closed
  })

  it('opens a session and then falls silent', async () => {
    const server = await FakeServer.start(handshakesThenSilent({ sessionId: 7n, timeoutMs: 4_000 }))
    cleanups.push(() => server.stop())
    const client = await RawClient.connect(server.port)
    expect(await client.handshake()).toMatchObject({ sessionId: 7n, timeoutMs: 4_000 })
    const exists = client.exists('/a')
    expect((await server.connections[0]?.nextFrame())?.readInt32BE(4)).toBe(3)
    await server.stop()
    await expect(exists).rejects.toThrow('connection closed')
  })

  it('sends whatever bytes it was given', async () => {
    const server = await FakeServer.start(sendsBytes(Buffer.from('not a frame')))
    cleanups.push(() => server.stop())
    expect(await received(await clientOf(server.port))).toBe('not a frame')
  })
})

function frame(text: string): Buffer {
  return encodeFrame(Buffer.from(text))
}
