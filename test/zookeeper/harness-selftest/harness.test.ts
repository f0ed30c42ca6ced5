import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect as connectTls } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { CuratorPeer } from '../harness/curator-peer.ts'
import { startEnsemble } from '../harness/ensemble.ts'
import { eventually } from '../harness/eventually.ts'
import { expireSession } from '../harness/expire-session.ts'
import { serverMode } from '../harness/four-letter.ts'
import { javaAvailable } from '../harness/java.ts'
import { loseNextReply } from '../harness/lose-reply.ts'
import { startSaslServer } from '../harness/sasl.ts'
import { startStandalone } from '../harness/standalone.ts'
import { startTarget } from '../harness/target.ts'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import { startTlsServer } from '../harness/tls.ts'
import { RawClient } from './raw-client.ts'

const createOpcode = 1
const cleanups: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** Stops it when the test is over, however that ends. */
function owned<T extends { stop(): Promise<void> }>(thing: T): T {
  cleanups.push(() => thing.stop())
  return thing
}

async function rawClient(port: number): Promise<RawClient> {
  const client = await RawClient.connect(port)
  cleanups.push(() => client.close())
  return client
}

/** A client with a session, for one question and its answer. */
async function onServer<T>(port: number, ask: (client: RawClient) => Promise<T>): Promise<T> {
  const client = await rawClient(port)
  await client.handshake()
  return ask(client)
}

describe.skipIf(!javaAvailable())('a standalone server', () => {
  it('dies, comes back with its data, and comes back without', async () => {
    const server = owned(await startStandalone())
    expect(await onServer(server.port, (client) => client.create('/kept'))).toBe(0)

    await server.kill()
    expect(await server.mode()).toBeUndefined()
    expect(await server.restart()).toBe('standalone')
    expect(await onServer(server.port, (client) => client.exists('/kept'))).toBe(true)

    await server.wipe()
    await server.restart()
    expect(await onServer(server.port, (client) => client.exists('/kept'))).toBe(false)
  })

  it('answers nothing while it is paused and everything afterwards', async () => {
    const server = owned(await startStandalone())
    await server.pause()
    expect(await server.mode()).toBeUndefined()

    const client = await rawClient(server.port)
    const session = client.handshake()
    server.resume()
    expect((await session).timeoutMs).toBe(10_000)
  })

  it('tells its log when it cannot start', async () => {
    await expect(startStandalone({ config: { tickTime: 'never' } })).rejects.toThrow(
      /its log ends:[^]*NumberFormatException/,
    )
  })

  it('does not outlive a test process that is killed', async () => {
    const script = fileURLToPath(new URL('start-and-wait.ts', import.meta.url))
    const parent = spawn(process.execPath, ['--import', 'tsx', script])
    cleanups.push(() => void parent.kill('SIGKILL'))
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const { port, directory } = JSON.parse(line.toString()) as { port: number; directory: string }
    // Killed, it has no time to tidy up.
    cleanups.push(() => rmSync(directory, { recursive: true }))
    expect(await serverMode(port)).toBe('standalone')

    parent.kill('SIGKILL')
    await eventually(async () => ((await serverMode(port)) === undefined ? true : undefined), {
      what: 'the end of an orphaned server',
    })
  })
})

describe.skipIf(!javaAvailable())('a forced expiry', () => {
  it.each(['standalone', 'ensemble', 'embedded'] as const)('ends a session (%s)', async (kind) => {
    const target = owned(await startTarget(kind))
    const ports = target.connectString.split(',').map((server) => Number(server.split(':')[1]))
    const lastPort = ports.at(-1) ?? 0
    const owner = await rawClient(lastPort)
    const session = await owner.handshake()
    expect(await owner.create('/mine', 'ephemeral')).toBe(0)

    await target.expireSession(session.sessionId, session.password)
    await owner.closed
    const again = await rawClient(lastPort)
    expect((await again.handshake(session)).timeoutMs).toBe(0)
    expect(await onServer(lastPort, (client) => client.exists('/mine'))).toBe(false)
  })

  it('is content when the session is over already', async () => {
    const server = owned(await startStandalone())
    const expiry = expireSession(server.connectString, 0x99n, new Uint8Array(16))
    await expect(expiry).resolves.toBeUndefined()
  })
})

describe.skipIf(!javaAvailable())('an ensemble', () => {
  it('elects a new leader when its leader is killed, and takes the old one back', async () => {
    const ensemble = owned(await startEnsemble())
    const killed = await ensemble.leader()
    await killed.server.kill()
    expect((await ensemble.waitForQuorum()).id).not.toBe(killed.id)
    expect(await killed.server.restart()).toBe('follower')
    expect(await ensemble.followers()).toHaveLength(2)
  })

  it('elects a new leader when its leader is paused', async () => {
    const ensemble = owned(await startEnsemble())
    const paused = await ensemble.leader()
    await paused.server.pause()
    expect((await ensemble.waitForQuorum()).id).not.toBe(paused.id)
    paused.server.resume()
    expect((await ensemble.waitForQuorum(3)).id).not.toBe(paused.id)
  })

  it('loses the follower whose link to the leader is cut, until the link is healed', async () => {
    const ensemble = owned(await startEnsemble())
    const leader = await ensemble.leader()
    const [cutOff, other] = await ensemble.followers()
    if (cutOff === undefined || other === undefined) throw new Error('two followers were expected')

    const unaware = await rawClient(cutOff.server.port)
    await unaware.handshake()

    ensemble.cutLink(leader, cutOff)
    // Cut off, it does not know it yet: no connection was closed, and reads are its own affair.
    expect(await unaware.exists('/')).toBe(true)
    await ensemble.waitForLoss(cutOff)
    expect(await leader.server.mode()).toBe('leader')
    expect(await other.server.mode()).toBe('follower')
    expect(await onServer(other.server.port, (client) => client.create('/goes-on'))).toBe(0)

    ensemble.healLink(leader, cutOff)
    expect(await cutOff.server.ready()).toBe('follower')
    expect(await onServer(cutOff.server.port, (client) => client.exists('/goes-on'))).toBe(true)
    expect((await ensemble.leader()).id).toBe(leader.id)
  })
})

describe.skipIf(!javaAvailable())('security', () => {
  it('has a TLS port for clients with a certificate, and for no others', async () => {
    const tls = owned(await startTlsServer())
    const { ca, client } = tls.certificates
    const trusted = connectTls({ host: '127.0.0.1', port: tls.securePort, ca, ...client })
    cleanups.push(() => void trusted.destroy())
    await once(trusted, 'secureConnect')
    expect(trusted.authorized).toBe(true)
    trusted.write('ruok')
    expect(((await once(trusted, 'data')) as [Buffer])[0].toString()).toBe('imok')

    const stranger = connectTls({ host: '127.0.0.1', port: tls.securePort, ca })
    stranger.on('error', () => undefined)
    stranger.write('ruok')
    const answer: Buffer[] = []
    stranger.on('data', (chunk: Buffer) => answer.push(chunk))
    await new Promise((resolve) => stranger.once('close', resolve))
    expect(answer).toEqual([])
  })

  it('has a server that asks for DIGEST-MD5', async () => {
    const sasl = owned(await startSaslServer())
    const challenge = await onServer(sasl.server.port, (client) => client.saslChallenge())
    expect(challenge).toContain('algorithm=md5-sess')
  })
})

describe.skipIf(!javaAvailable())('a proxy in front of a real server', () => {
  it('loses the reply to a write that was carried out', async () => {
    const server = owned(await startStandalone())
    const proxy = owned(await TcpProxy.start({ target: server.port, framed: true }))
    const client = await rawClient(proxy.port)
    await client.handshake()
    const lost = loseNextReply(proxy, createOpcode)
    expect(await client.exists('/written')).toBe(false)
    await expect(client.create('/written')).rejects.toThrow('connection closed')
    await lost
    expect(await onServer(proxy.port, (again) => again.exists('/written'))).toBe(true)
  })
})

describe.skipIf(!javaAvailable())('a Curator peer', () => {
  it('leads, loses its session, and gives the leadership to the next', async () => {
    const server = owned(await startStandalone())
    const first = owned(await CuratorPeer.start(server.connectString))
    const second = owned(await CuratorPeer.start(server.connectString))
    await first.startLatch('first', '/latch')
    await first.whenLatch('first', true)
    await second.startLatch('second', '/latch')
    expect(await second.latchState('second')).toMatchObject({
      leader: false,
      currentLeader: 'first',
      participants: 2,
    })

    await first.killSession()
    await second.whenLatch('second', true)
    await first.whenLatch('first', false)
    await second.closeLatch('second')
    await first.whenLatch('first', true)
  })

  it('keeps a cache, writes in transactions, and holds mutexes', async () => {
    const server = owned(await startStandalone())
    const peer = owned(await CuratorPeer.start(server.connectString))
    await peer.create('/tree', 'root')
    await peer.startCache('tree', '/tree')
    const changed = once(peer, 'cache:changed')
    expect(
      await peer.transaction([
        { op: 'check', path: '/tree', version: 0 },
        { op: 'create', path: '/tree/leaf', data: 'green' },
      ]),
    ).toBe(2)
    expect(await changed).toMatchObject([{ type: 'NODE_CREATED', node: { path: '/tree/leaf' } }])
    expect(await peer.dump('tree')).toMatchObject([
      { path: '/tree', data: 'root', version: 0 },
      { path: '/tree/leaf', data: 'green', version: 0 },
    ])
    await expect(peer.set('/tree/leaf', 'brown', 5)).rejects.toThrow('BadVersion')

    expect(await peer.acquire('one', '/mutex', 5_000)).toBe(true)
    expect(await peer.acquire('other', '/mutex', 10)).toBe(false)
    await peer.release('one', '/mutex')
    expect(await peer.acquire('other', '/mutex', 5_000)).toBe(true)
  })
})
