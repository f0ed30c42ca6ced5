import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'
import { classpaths, compileJava, spawnJava } from './java.ts'
import { JsonLines } from './json-lines.ts'
import { exited } from './owned-process.ts'

/** A node as Curator's cache knows it. */
export interface CuratorNode {
  readonly path: string
  readonly data: string
  readonly version: number
  readonly czxid: bigint
  readonly mzxid: bigint
}

export interface CuratorLatchState {
  readonly leader: boolean
  /** The participant that leads, or '' when nobody does. */
  readonly currentLeader: string
  /** The latch's own node, or null while it has none. */
  readonly ourPath: string | null
  readonly participants: number
  /** The ids of those in line, in their order. */
  readonly line: readonly string[]
}

/** One step of a transaction; without a version, any version is right. */
export type CuratorOperation =
  | { readonly op: 'create'; readonly path: string; readonly data?: string }
  | { readonly op: 'set'; readonly path: string; readonly data?: string; readonly version?: number }
  | { readonly op: 'delete' | 'check'; readonly path: string; readonly version?: number }

export type CuratorCreateMode =
  | 'PERSISTENT'
  | 'PERSISTENT_SEQUENTIAL'
  | 'EPHEMERAL'
  | 'EPHEMERAL_SEQUENTIAL'
  | 'CONTAINER'

export interface CuratorPeerEvents {
  /** A latch of this peer has gained or lost the leadership. */
  'latch:changed': [{ readonly name: string; readonly leader: boolean }]
  /** A cache of this peer has learned of a change. */
  'cache:changed': [
    {
      readonly name: string
      readonly type: 'NODE_CREATED' | 'NODE_CHANGED' | 'NODE_DELETED'
      readonly node: CuratorNode
    },
  ]
  /** Curator's view of its connection has changed. */
  'connection:changed': [{ readonly state: 'CONNECTED' | 'SUSPENDED' | 'RECONNECTED' | 'LOST' }]
}

export interface CuratorPeerOptions {
  /** @default 6000 */
  readonly sessionTimeoutMs?: number
}

/** A Java process that uses real Curator as this object tells it to. */
export class CuratorPeer extends EventEmitter<CuratorPeerEvents> {
  readonly #child: ChildProcess
  readonly #talk: JsonLines
  readonly #leads = new Map<string, boolean>()

  private constructor(child: ChildProcess) {
    super()
    this.#child = child
    this.#talk = new JsonLines(child, (event) => this.#announce(event as unknown as PeerEvent))
  }

  /** Starts the process; it is connected when this resolves. */
  static async start(
    connectString: string,
    { sessionTimeoutMs = 6_000 }: CuratorPeerOptions = {},
  ): Promise<CuratorPeer> {
    const source = fileURLToPath(new URL('java/CuratorPeer.java', import.meta.url))
    const classes = await compileJava([source], classpaths.curator)
    const child = spawnJava({
      mainClass: 'CuratorPeer',
      classpath: [classes, ...classpaths.curator],
      args: [connectString, `${sessionTimeoutMs}`],
      properties: { 'org.slf4j.simpleLogger.defaultLogLevel': 'warn' },
      stdio: 'pipe',
    })
    const peer = new CuratorPeer(child)
    const connected = await peer.#talk.send({ op: 'connect' })
    if (connected !== true) throw new Error(`Curator did not connect to ${connectString}`)
    return peer
  }

  /** Creates a node and its missing parents, and gives its path. */
  create(path: string, data = '', mode: CuratorCreateMode = 'PERSISTENT'): Promise<string> {
    return this.#talk.send({ op: 'create', path, data, mode }) as Promise<string>
  }

  get(path: string): Promise<string> {
    return this.#talk.send({ op: 'get', path }) as Promise<string>
  }

  /** Sets a node's data and gives its new version. */
  set(path: string, data: string, version = -1): Promise<number> {
    return this.#talk.send({ op: 'set', path, data, version }) as Promise<number>
  }

  async delete(path: string, version = -1): Promise<void> {
    await this.#talk.send({ op: 'delete', path, version })
  }

  /** Carries out all operations or none, and gives the number of their results. */
  transaction(operations: readonly CuratorOperation[]): Promise<number> {
    return this.#talk.send({ op: 'transaction', operations }) as Promise<number>
  }

  /**
   * Starts a leader latch; it stands in line when this resolves. `name` stands for it here,
   * `participant` is its id in ZooKeeper.
   */
  async startLatch(name: string, path: string, participant: string = name): Promise<void> {
    await this.#talk.send({ op: 'latch', name, path, participant })
  }

  latchState(name: string): Promise<CuratorLatchState> {
    return this.#talk.send({ op: 'latch-state', name }) as Promise<CuratorLatchState>
  }

  /** Resolves as soon as the latch leads, or as soon as it does not. */
  whenLatch(name: string, leader: boolean): Promise<void> {
    if ((this.#leads.get(name) ?? false) === leader) return Promise.resolve()
    return new Promise((resolve) => {
      const check = (change: { readonly name: string; readonly leader: boolean }): void => {
        if (change.name !== name || change.leader !== leader) return
        this.off('latch:changed', check)
        resolve()
      }
      this.on('latch:changed', check)
    })
  }

  /** Closes the latch; a lost leadership is announced before this resolves. */
  async closeLatch(name: string): Promise<void> {
    await this.#talk.send({ op: 'close-latch', name })
  }

  /** Starts a cache of a subtree; it is loaded when this resolves. */
  async startCache(name: string, path: string): Promise<void> {
    await this.#talk.send({ op: 'cache', name, path })
  }

  /** What the cache holds, in the order of the paths. */
  async dump(name: string): Promise<CuratorNode[]> {
    const nodes = (await this.#talk.send({ op: 'dump', name })) as PeerNode[]
    return nodes.map(curatorNode).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  }

  async closeCache(name: string): Promise<void> {
    await this.#talk.send({ op: 'close-cache', name })
  }

  /** Whether the mutex was acquired within this time. */
  acquire(name: string, path: string, waitMs: number): Promise<boolean> {
    return this.#talk.send({ op: 'acquire', name, path, waitMs }) as Promise<boolean>
  }

  async release(name: string, path: string): Promise<void> {
    await this.#talk.send({ op: 'release', name, path })
  }

  async session(): Promise<{ readonly id: bigint; readonly timeoutMs: number }> {
    const { id, timeoutMs } = (await this.#talk.send({ op: 'session' })) as {
      readonly id: string
      readonly timeoutMs: number
    }
    return { id: BigInt(id), timeoutMs }
  }

  /** Ends the peer's session on the server; Curator then opens a new one by itself. */
  async killSession(): Promise<void> {
    await this.#talk.send({ op: 'kill-session' })
  }

  /** Freezes the whole process, as a long garbage collection does. */
  pause(): void {
    this.#child.kill('SIGSTOP')
  }

  resume(): void {
    this.#child.kill('SIGCONT')
  }

  /** Ends the process as a crash does: its session lives on until it expires. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await exited(this.#child)
  }

  /**
   * Closes latches and session, and ends the process. May be called twice. Without its server,
   * Curator retries what it cannot finish, and is killed then.
   */
  async stop(): Promise<void> {
    this.#child.kill('SIGCONT')
    await this.#talk.end(10_000)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  #announce(event: PeerEvent): void {
    switch (event.event) {
      case 'latch':
        this.#leads.set(event.name, event.leader)
        this.emit('latch:changed', { name: event.name, leader: event.leader })
        return
      case 'cache':
        this.emit('cache:changed', {
          name: event.name,
          type: event.type,
          node: curatorNode(event.node),
        })
        return
      case 'connection':
        this.emit('connection:changed', { state: event.state })
        return
    }
  }
}

/** 64-bit numbers travel as text. */
type PeerNode = Omit<CuratorNode, 'czxid' | 'mzxid'> & {
  readonly czxid: string
  readonly mzxid: string
}

type PeerEvent =
  | ({ readonly event: 'latch' } & CuratorPeerEvents['latch:changed'][0])
  | ({ readonly event: 'connection' } & CuratorPeerEvents['connection:changed'][0])
  | ({ readonly event: 'cache'; readonly node: PeerNode } & Omit<
      CuratorPeerEvents['cache:changed'][0],
      'node'
    >)

function curatorNode(node: PeerNode): CuratorNode {
  return { ...node, czxid: BigInt(node.czxid), mzxid: BigInt(node.mzxid) }
}
