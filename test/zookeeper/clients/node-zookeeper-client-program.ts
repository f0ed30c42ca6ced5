import { EventEmitter, once } from 'node:events'
import { expireSession } from '../harness/expire-session.ts'
import { TcpProxy } from '../harness/tcp-proxy.ts'
import {
  call,
  type Client,
  connected,
  loadNodeZooKeeperClient,
  type NodeEvent,
  type NodeZooKeeperClient,
  type Operation,
  promised,
} from './node-zookeeper-client.ts'
import type { TestedServer } from './servers.ts'

/** Long enough for a real server to end and come back on a slow machine. */
const sessionTimeout = 30_000

/** What the parts of the program share. */
interface Scene {
  readonly story: Story
  readonly library: NodeZooKeeperClient
  readonly client: Client
  readonly other: Client
  readonly server: TestedServer
  readonly proxy: TcpProxy
}

/**
 * Uses node-zookeeper-client as its documentation says, and tells what it sees: nothing that depends
 * on the time, on session ids or on zxids.
 */
export async function useNodeZooKeeperClient(server: TestedServer): Promise<string[]> {
  // Connected to a server that is about to start, this client may wait for ever: the real one loses
  // connections that come before it is ready. The proxy keeps it away until then.
  await using proxy = await TcpProxy.start({ target: server.port })
  const library = loadNodeZooKeeperClient()
  const connect = (): Promise<Client> =>
    connected(library.createClient(proxy.connectString, { sessionTimeout }))
  const story = new Story()
  const [client, other] = await Promise.all([connect(), connect()])
  const scene = { story, library, client, other, server, proxy }
  await nodes(scene)
  await watches(scene)
  await transactions(scene)
  await access(scene)
  await restart(scene)
  await expiry(scene)
  other.close()
  return story.lines
}

class Story {
  readonly lines: string[] = []

  tell(what: string, value: unknown): void {
    this.lines.push(`${what}: ${JSON.stringify(value, withoutTime)}`)
  }

  async attempt(what: string, results: Promise<readonly unknown[]>): Promise<void> {
    await results.then(
      (values) => this.tell(what, values),
      (error: unknown) => this.tell(what, error instanceof Error ? error.name : error),
    )
  }
}

/** Buffers as text; of stats, what does not depend on time, zxids and sessions. */
function withoutTime(key: string, value: unknown): unknown {
  if (
    ['specification', 'czxid', 'mzxid', 'pzxid', 'ctime', 'mtime', 'ephemeralOwner'].includes(key)
  )
    return undefined
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown }
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data as number[]).toString() : value
}

async function nodes({ story, client, library: { CreateMode } }: Scene): Promise<void> {
  const steps: readonly (readonly [Operation, ...unknown[]])[] = [
    ['create', '/nodes', Buffer.from('first')],
    ['create', '/nodes'],
    ['create', '/missing/child'],
    ['create', '/nodes/e', CreateMode.EPHEMERAL],
    ['create', '/nodes/e/child'],
    ['create', '/nodes/n-', CreateMode.PERSISTENT_SEQUENTIAL],
    ['create', '/nodes/n-', CreateMode.EPHEMERAL_SEQUENTIAL],
    ['mkdirp', '/nodes/a/b/c', Buffer.from('deep')],
    ['getData', '/nodes'],
    ['getData', '/missing'],
    ['setData', '/nodes', Buffer.from('second'), 0],
    ['setData', '/nodes', Buffer.from('third'), 0],
    ['exists', '/nodes'],
    ['exists', '/missing'],
    ['getChildren', '/nodes/a'],
    ['listSubTreeBFS', '/nodes/a'],
    ['getACL', '/nodes'],
    ['remove', '/nodes/a'],
    ['remove', '/nodes/a/b/c', 5],
    ['remove', '/nodes/a/b/c', 0],
    ['removeRecursive', '/nodes/a'],
    ['remove', '/nodes/a'],
    ['create', '/nodes/empty'],
    ['getData', '/nodes/empty'],
    ['create', '/nodes/large', Buffer.alloc(900_000)],
  ]
  for (const [operation, ...args] of steps) {
    await story.attempt(operation, call(client, operation, ...args))
  }
}

async function watches({ story, client, other }: Scene): Promise<void> {
  await call(client, 'create', '/watched')
  const watchers: readonly [Operation, string][] = [
    ['getData', '/watched'],
    ['getChildren', '/watched'],
    ['exists', '/watched/child'],
  ]
  const set = await Promise.all(watchers.map(([operation, path]) => watch(client, operation, path)))
  await call(other, 'setData', '/watched', Buffer.from('x'))
  await call(other, 'create', '/watched/child')
  story.tell('events', await Promise.all(set.map(({ event }) => event)))
  const gone = await watch(client, 'getData', '/watched/child')
  await call(other, 'remove', '/watched/child')
  story.tell('event', await gone.event)
}

interface Watch {
  /** What the watch tells. */
  readonly event: Promise<string>
}

/** Resolves when the watch is set. */
async function watch(client: Client, operation: Operation, path: string): Promise<Watch> {
  const told = new EventEmitter<{ event: [NodeEvent] }>()
  const event = once(told, 'event') as Promise<[NodeEvent]>
  await call(client, operation, path, (happened: NodeEvent) => told.emit('event', happened))
  return { event: event.then(([happened]) => `${happened.getName()} ${happened.getPath()}`) }
}

async function transactions({ story, client }: Scene): Promise<void> {
  await call(client, 'create', '/together')
  await story.attempt(
    'committed',
    promised((done) =>
      client
        .transaction()
        .check('/together')
        .create('/together/a', Buffer.from('1'))
        .setData('/together', Buffer.from('y'))
        .remove('/together/a')
        .commit(done),
    ),
  )
  await story.attempt(
    'rolled back',
    promised((done) =>
      client
        .transaction()
        .create('/together/b')
        .check('/together', 9)
        .remove('/together/missing')
        .commit(done),
    ),
  )
  await story.attempt('left', call(client, 'getChildren', '/together'))
}

async function access({ story, client, other, library: { ACL } }: Scene): Promise<void> {
  await story.attempt('mine too early', call(client, 'create', '/mine', ACL.CREATOR_ALL_ACL))
  client.addAuthInfo('digest', Buffer.from('me:secret'))
  await story.attempt('mine', call(client, 'create', '/mine', ACL.CREATOR_ALL_ACL))
  await story.attempt('acl', call(client, 'getACL', '/mine'))
  await story.attempt('read by another', call(other, 'getData', '/mine'))
  await story.attempt('given by another', call(other, 'setACL', '/mine', ACL.OPEN_ACL_UNSAFE))
  await story.attempt('given', call(client, 'setACL', '/mine', ACL.OPEN_ACL_UNSAFE, 0))
  await story.attempt('read by another now', call(other, 'getData', '/mine'))
}

async function restart({ story, client, other, library, server, proxy }: Scene): Promise<void> {
  await call(client, 'create', '/kept', library.CreateMode.EPHEMERAL)
  const session = client.getSessionId().toString('hex')
  const kept = await watch(client, 'exists', '/kept')
  const both = [client, other]
  const down = Promise.all(both.map((each) => once(each, 'disconnected')))
  proxy.refuse()
  await server.halt()
  await down
  const up = Promise.all(both.map((each) => once(each, 'connected')))
  await server.proceed()
  await proxy.accept()
  await up
  story.tell('same session', client.getSessionId().toString('hex') === session)
  await story.attempt('kept', call(other, 'exists', '/kept'))
  await call(other, 'setData', '/kept', Buffer.from('x'))
  story.tell('watch after restart', await kept.event)
}

async function expiry({ story, client, other, library, server }: Scene): Promise<void> {
  await call(client, 'create', '/expiring', library.CreateMode.EPHEMERAL)
  const gone = await watch(other, 'exists', '/expiring')
  const expired = once(client, 'expired')
  const id = client.getSessionId().readBigInt64BE()
  await expireSession(server.connectString, id, client.getSessionPassword())
  await expired
  story.tell('event', await gone.event)
  client.close()
}
