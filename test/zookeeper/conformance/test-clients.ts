import { ZooKeeper, type ZooKeeperOptions } from '@elasticjob/zookeeper'
import { sessionLives } from './session-probe.ts'

/** What the tests need of the server that they run against. */
export interface TestServer {
  readonly connectString: string
  /** Ends the session on the server while its owner still believes in it. */
  expireSession(sessionId: bigint, password: Uint8Array): Promise<void>
  stop(): Promise<void>
}

export interface TestClientOptions extends Omit<ZooKeeperOptions, 'servers'> {
  /**
   * The root of the client's paths.
   * @default the root of the test
   */
  readonly chroot?: string
  /**
   * What to connect to instead of the server itself: a proxy, or another port.
   * @default the server
   */
  readonly via?: { readonly connectString: string }
}

interface OpenClient {
  readonly client: ZooKeeper
  readonly chroot: string
}

/** Short, so that a test that loses a connection does not spend its time on waiting. */
const quickReconnect = { initialDelay: 5, maxDelay: 20 } as const

/** The clients of one test. Whatever they leave behind when they are closed fails the test. */
export class TestClients {
  readonly #server: TestServer
  readonly #inspector: ZooKeeper
  readonly #root: string
  readonly #open: OpenClient[] = []

  constructor(server: TestServer, inspector: ZooKeeper, root: string) {
    this.#server = server
    this.#inspector = inspector
    this.#root = root
  }

  /** A client that was not told to connect yet. */
  prepare(options: TestClientOptions = {}): ZooKeeper {
    const { chroot = this.#root, via, ...settings } = options
    const servers = (via ?? this.#server).connectString + chroot
    const client = new ZooKeeper({ servers, reconnect: quickReconnect, ...settings })
    this.#open.push({ client, chroot })
    return client
  }

  /** A connected client that sees what was written before, whichever server it came to. */
  async connect(options: TestClientOptions = {}): Promise<ZooKeeper> {
    const client = await this.prepare(options).connect()
    await client.sync()
    return client
  }

  /** Closes every client and looks, here and on the server, for what is left of it. */
  async closeAll(): Promise<void> {
    const leaks: unknown[] = []
    for (const open of this.#open.splice(0)) {
      await this.#close(open).catch((error: unknown) => leaks.push(error))
    }
    if (leaks.length > 0) throw leaks.length === 1 ? leaks[0] : new AggregateError(leaks)
  }

  async #close({ client, chroot }: OpenClient): Promise<void> {
    const { sessionId, sessionPassword } = client
    const mayEndSession = client.state === 'connected'
    const ephemerals = mayEndSession ? await client.getEphemerals() : []
    await client.close()

    const { state, outstanding, watchCount } = client
    if (state !== 'closed' || outstanding > 0 || watchCount > 0) {
      throw new Error(
        `a client is ${state} after its close, with ${outstanding} requests and ${watchCount} watches`,
      )
    }
    if (sessionId === 0n) return
    if (!mayEndSession) {
      // Nobody could tell the server: there the session would live on until it times out.
      await this.#server.expireSession(sessionId, sessionPassword)
      return
    }
    if (await sessionLives(this.#server.connectString, sessionId, sessionPassword)) {
      throw new Error('a closed client has left its session behind')
    }
    await this.#inspector.sync()
    for (const path of ephemerals) {
      if ((await this.#inspector.exists(chroot + path)) !== undefined) {
        throw new Error(`a closed client has left ${chroot}${path} behind`)
      }
    }
  }
}
