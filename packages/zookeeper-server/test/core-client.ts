import {
  type Acl,
  type ConnectResponse,
  type NodeData,
  JuteReader,
  JuteWriter,
  type Operation,
  operations,
  opCode,
  readConnectResponse,
  readWatcherEvent,
  reservedXid,
  type WatcherEvent,
  writeConnectRequest,
} from '@elasticjob/zookeeper/protocol'
import { openAcl } from '../src/acl/acl-table.ts'
import type { CoreOptions } from '../src/core-options.ts'
import type { Peer, PeerLink } from '../src/peer.ts'
import { ServerCore } from '../src/server-core.ts'
import type { Transaction } from '../src/transaction.ts'

/** A core with a manual clock, fixed randomness, and a log that only collects. */
export class CoreHarness {
  readonly log: Transaction[] = []
  readonly core: ServerCore
  wall = 1_700_000_000_000
  elapsed = 0
  #passwords = 0

  constructor(options: CoreOptions = {}) {
    this.core = new ServerCore(options, {
      clock: { now: () => this.wall, monotonic: () => this.elapsed },
      random: { bytes: (count) => new Uint8Array(count).fill(++this.#passwords) },
      log: { append: (transaction) => void this.log.push(transaction) },
    })
  }

  client(address = '127.0.0.1'): CoreClient {
    return new CoreClient(this.core, address)
  }

  /** A client with a session. */
  connected(address?: string): CoreClient {
    const client = this.client(address)
    client.connect()
    return client
  }

  /** Advances both clocks and the core. */
  pass(milliseconds: number): void {
    this.wall += milliseconds
    this.elapsed += milliseconds
    this.core.advance()
  }
}

export interface Reply<T> {
  readonly xid: number
  readonly zxid: number
  readonly error: number
  /** The body, if there was no error. */
  readonly body: T | undefined
}

export interface ConnectChoices {
  readonly lastZxidSeen?: bigint
  readonly timeout?: number
  readonly sessionId?: bigint
  readonly password?: Uint8Array
  readonly readOnly?: boolean | undefined
}

/** A client of the plain protocol, connected to the core without a network. */
export class CoreClient implements PeerLink {
  readonly peer: Peer
  /** The received notifications. */
  readonly events: WatcherEvent[] = []
  isClosed = false
  session: ConnectResponse | undefined
  readonly #core: ServerCore
  #inbox: Buffer[] = []
  #nextXid = 1

  constructor(core: ServerCore, address: string) {
    this.#core = core
    this.peer = core.connect(this, address)
  }

  get sessionId(): bigint {
    return this.session?.sessionId ?? 0n
  }

  send(frame: Uint8Array): void {
    this.#receive(Buffer.from(frame))
  }

  close(): void {
    this.isClosed = true
  }

  drop(): void {
    this.isClosed = true
  }

  /** Disconnects without closing the session. */
  disconnect(): void {
    this.#core.disconnect(this.peer)
  }

  connect(choices: ConnectChoices = {}): ConnectResponse | undefined {
    const [frame] = this.exchange((writer) =>
      writeConnectRequest(writer, {
        lastZxidSeen: 0n,
        timeout: 10_000,
        sessionId: 0n,
        password: new Uint8Array(16),
        readOnly: false,
        ...choices,
      }),
    )
    this.session = frame === undefined ? undefined : readConnectResponse(new JuteReader(frame))
    return this.session
  }

  /** Sends one frame and returns all frames received for it. */
  exchange(write: (writer: JuteWriter) => void): Buffer[] {
    const writer = new JuteWriter()
    write(writer)
    this.#inbox = []
    this.#core.heard(this.peer)
    this.#core.receive(this.peer, new JuteReader(writer.take()))
    const bytes = this.#core.output.take()
    for (let at = 0; at < bytes.length;) {
      const end = at + 4 + bytes.readInt32BE(at)
      this.#receive(bytes.subarray(at, end))
      at = end
    }
    return this.#inbox
  }

  call<Request, Answer>(
    operation: Operation<Request, Answer>,
    request: Request,
    xid: number = this.#nextXid++,
  ): Reply<Answer> {
    const frames = this.exchange((writer) => {
      writer.int(xid)
      writer.int(operation.code)
      operation.writeRequest(writer, request)
    })
    const [frame] = frames
    if (frames.length !== 1 || frame === undefined) {
      throw new Error(`${frames.length} replies to ${operation.name}`)
    }
    const reader = new JuteReader(frame)
    const header = { xid: reader.int(), zxid: Number(reader.long()), error: reader.int() }
    return { ...header, body: header.error === 0 ? operation.readReply(reader) : undefined }
  }

  /** The events since the last call. */
  takeEvents(): string[] {
    return this.events.splice(0).map(({ type, path }) => `${type} ${path}`)
  }

  create(path: string, choices: CreateChoices = {}): Reply<string> {
    return this.call(operations.create, { path, data: null, acl: openAcl, flags: 0, ...choices })
  }

  get(path: string, watch = false): Reply<NodeData> {
    return this.call(operations.getData, { path, watch })
  }

  set(path: string, data: string, version = -1): Reply<unknown> {
    return this.call(operations.setData, { path, data: Buffer.from(data), version })
  }

  remove(path: string, version = -1): Reply<void> {
    return this.call(operations.remove, { path, version })
  }

  authenticate(userAndPassword: string, scheme = 'digest'): Reply<void> {
    const auth = Buffer.from(userAndPassword)
    return this.call(operations.auth, { scheme, auth }, reservedXid.auth)
  }

  closeSession(): Reply<void> {
    return this.call(operations.closeSession, undefined)
  }

  #receive(framed: Buffer): void {
    const frame = framed.subarray(4)
    const isEvent = this.session !== undefined && frame.readInt32BE(0) === reservedXid.notification
    if (isEvent) this.events.push(readWatcherEvent(new JuteReader(frame, 16)))
    else this.#inbox.push(frame)
  }
}

export interface CreateChoices {
  readonly data?: Uint8Array | null
  readonly acl?: readonly Acl[]
  readonly flags?: number
}

export { opCode, operations }
