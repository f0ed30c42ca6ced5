import {
  JuteReader,
  JuteWriter,
  readConnectResponse,
  reservedXid,
  writeConnectRequest,
} from '@elasticjob/zookeeper/protocol'
import {
  decodeEvent,
  decodeHandshake,
  decodeReply,
  type Heard,
  type Perspective,
} from '../operations/decode.ts'
import { damaged, encodeRequest, framed } from '../operations/encode.ts'
import type { Connect, Request } from '../operations/operation.ts'
import type { SteerableServer } from '../servers/steerable-server.ts'
import { isEvent, WireConnection, xidOf } from './wire-connection.ts'
import type { ZxidScale } from './zxid-scale.ts'

interface Session {
  readonly id: bigint
  readonly password: Uint8Array
  isAlive: boolean
}

interface Pending {
  readonly xid: number
  readonly request: Request
}

/** A place for one connection. */
interface Slot {
  connection: WireConnection | undefined
  /** The last session of the slot. */
  session: Session | undefined
  isHandshaking: boolean
  pending: Pending[]
  nextXid: number
  heard: Heard[]
}

const unknownSession = 0x1234_5678_9abcn

/** The maximum apparent difference between the two clocks of one machine, in milliseconds. */
const clockTolerance = 1_000n

/** One of the two servers, with its connections and the frames received from it. */
export class Side implements Perspective {
  readonly server: SteerableServer
  readonly #scale: ZxidScale
  readonly #slots: readonly Slot[]
  readonly #names = new Map<bigint, string>([[0n, 'nobody']])
  readonly #startedAt = BigInt(Date.now())
  #lastZxid = 0n

  constructor(server: SteerableServer, slots: number, scale: ZxidScale) {
    this.server = server
    this.#scale = scale
    this.#slots = Array.from({ length: slots }, () => ({
      connection: undefined,
      session: undefined,
      isHandshaking: false,
      pending: [],
      nextXid: 1,
      heard: [],
    }))
  }

  get lastZxid(): bigint {
    return this.#lastZxid
  }

  get sessionCount(): number {
    return this.#names.size - 1
  }

  isConnected(on: number): boolean {
    const { connection } = this.#slot(on)
    return connection !== undefined && !connection.isClosed
  }

  hasLiveSession(on: number): boolean {
    return this.#slot(on).session?.isAlive === true
  }

  /** Whether the session of this slot has a connection, in any slot. */
  isAttached(on: number | undefined): boolean {
    const session = on === undefined ? undefined : this.#slot(on).session
    return (
      session !== undefined &&
      this.#slots.some((slot) => slot.session === session && slot.connection?.isClosed === false)
    )
  }

  async connect(operation: Connect): Promise<void> {
    await this.drop(operation.on)
    const slot = this.#slot(operation.on)
    this.#hear(slot)
    const wanted = operation.sessionOf === undefined ? undefined : this.#slot(operation.sessionOf)
    const connection = await WireConnection.open(this.server.port)
    slot.connection = connection
    slot.isHandshaking = true
    slot.pending = []
    slot.nextXid = 1
    connection.send(framed(this.#connectRequest(operation, wanted)))
    await connection.until(() => connection.answers > 0)
    const answer = connection.lastAnswer
    if (answer === undefined) return
    const { timeout, sessionId, password } = readConnectResponse(new JuteReader(answer))
    if (timeout <= 0) return connection.untilClosed()
    this.#attach(slot, wanted?.session, sessionId, password)
    await this.#untilTakenOver(slot)
  }

  async drop(on: number): Promise<void> {
    const { connection, session } = this.#slot(on)
    if (connection === undefined || connection.isClosed || session === undefined) return
    await this.server.drop(session.id)
    await connection.untilClosed()
  }

  async expire(on: number): Promise<void> {
    const { session } = this.#slot(on)
    if (session === undefined || !session.isAlive) return
    session.isAlive = false
    await this.server.expire(session.id)
    for (const slot of this.#slots) {
      if (slot.session !== session) continue
      await slot.connection?.untilClosed()
      // Events about the session's own nodes may or may not have been sent before the end.
      slot.connection?.takeFrames()
    }
  }

  /** Sends requests at once, and waits until all are answered. */
  async request(on: number, requests: readonly Request[]): Promise<void> {
    const { connection } = this.#slot(on)
    if (connection === undefined) return
    const frames = requests.map((request) => this.#encode(on, request))
    const pings = requests.filter((request) => request.do === 'ping').length
    await connection.sendAndPing(frames, pings)
  }

  /** Sends a request that is answered out of order, and after which the connection may be closed. */
  async requestAlone(on: number, request: Request): Promise<void> {
    const { connection } = this.#slot(on)
    if (connection === undefined) return
    const before = connection.answers
    connection.send(this.#encode(on, request))
    await connection.until(() => connection.answers > before)
    const error = connection.lastAnswer?.readInt32BE(12)
    if (error !== 0) await connection.untilClosed()
  }

  /** Sends a request after which the connection is closed. */
  async requestLast(on: number, request: Request): Promise<void> {
    const { connection, session } = this.#slot(on)
    if (request.do === 'closeSession' && session !== undefined) session.isAlive = false
    connection?.send(this.#encode(on, request))
    await connection?.untilClosed()
  }

  async sendBadFrame(on: number, length: number): Promise<void> {
    const { connection } = this.#slot(on)
    const frame = Buffer.alloc(8)
    frame.writeInt32BE(length)
    connection?.send(frame)
    await connection?.untilClosed()
  }

  /** Resolves when everything in flight has arrived on all connections. */
  async settle(): Promise<void> {
    const connections = this.#slots.flatMap(({ connection }) => connection ?? [])
    const live = connections.filter(({ isClosed }) => !isClosed)
    await Promise.all(live.map((connection) => connection.sendAndPing([], 0)))
  }

  /** The frames received on a slot since the last call. */
  takeHeard(on: number): Heard[] {
    const slot = this.#slot(on)
    this.#hear(slot)
    const { heard } = slot
    slot.heard = []
    return heard
  }

  close(): Promise<void> {
    for (const { connection } of this.#slots) connection?.destroy()
    return this.server.stop()
  }

  zxid(zxid: bigint): string {
    if (zxid > this.#lastZxid) this.#lastZxid = zxid
    return String(this.#scale.canonical(zxid))
  }

  session(sessionId: bigint): string {
    return this.#names.get(sessionId) ?? `unknown 0x${sessionId.toString(16)}`
  }

  time(milliseconds: bigint): string {
    if (milliseconds === 0n) return 'never'
    const now = BigInt(Date.now())
    const isPlausible =
      milliseconds >= this.#startedAt - clockTolerance && milliseconds <= now + clockTolerance
    return isPlausible ? 'some time' : `${milliseconds}, which is not now`
  }

  #slot(on: number): Slot {
    const slot = this.#slots[on]
    if (slot === undefined) throw new RangeError(`there is no slot ${on}`)
    return slot
  }

  #connectRequest(operation: Connect, wanted: Slot | undefined): Buffer {
    const seen = { nothing: 0n, everything: this.#lastZxid, more: this.#lastZxid + 1_000n }
    const password = Buffer.from(wanted?.session?.password ?? new Uint8Array(16))
    if (operation.password === 'wrong') password[0] = (password[0] ?? 0) ^ 0xff
    const writer = new JuteWriter()
    writeConnectRequest(writer, {
      lastZxidSeen: seen[operation.seen],
      timeout: operation.timeout,
      sessionId: wanted === undefined ? 0n : (wanted.session?.id ?? unknownSession),
      password: operation.password === 'empty' ? Buffer.alloc(0) : password,
      readOnly: operation.readOnly,
    })
    return damaged(writer.take(), operation.damage, 0)
  }

  #attach(
    slot: Slot,
    previous: Session | undefined,
    sessionId: bigint,
    password: Uint8Array,
  ): void {
    if (previous?.id === sessionId) {
      slot.session = previous
      return
    }
    this.#names.set(sessionId, `session ${this.#names.size}`)
    slot.session = { id: sessionId, password: Buffer.from(password), isAlive: true }
  }

  /** A session has one connection: its connection in another slot is closed. */
  async #untilTakenOver(by: Slot): Promise<void> {
    for (const slot of this.#slots) {
      if (slot !== by && slot.session === by.session) await slot.connection?.untilClosed()
    }
  }

  #encode(on: number, request: Request): Buffer {
    const slot = this.#slot(on)
    const xid = request.xid ?? slot.nextXid++
    slot.pending.push({ xid, request })
    const zxidAgo = (count: number): bigint => this.#scale.canonical(this.#lastZxid - BigInt(count))
    return framed(encodeRequest(request, xid, zxidAgo))
  }

  #hear(slot: Slot): void {
    const { connection } = slot
    if (connection === undefined) return
    for (const frame of connection.takeFrames()) {
      const heard = this.#decode(slot, frame)
      if (!isLoneCheck(heard)) slot.heard.push(heard)
    }
    if (!connection.isClosed) return
    slot.heard.push({ closed: true })
    slot.connection = undefined
  }

  #decode(slot: Slot, frame: Buffer): Heard {
    if (slot.isHandshaking) {
      slot.isHandshaking = false
      return decodeHandshake(frame, this)
    }
    if (isEvent(frame)) return decodeEvent(frame, this)
    const xid = xidOf(frame)
    if (xid === reservedXid.ping) return decodeReply(frame, ping, this)
    const at = slot.pending.findIndex((pending) => pending.xid === xid)
    const answered = slot.pending[at]
    if (answered === undefined) return { unexpected: frame.toString('hex') }
    slot.pending = slot.pending.slice(at + 1)
    return decodeReply(frame, answered.request, this)
  }
}

const ping: Request = { do: 'ping', on: 0 }

/**
 * The real server never answers a successful check outside a multi: it fails to write a stat that does not exist. No
 * client sends such a request.
 */
function isLoneCheck({ answer, error }: Heard): boolean {
  return answer === 'check' && error === 0
}
