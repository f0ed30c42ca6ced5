import type { JuteReader } from './reader.ts'
import type { JuteWriter } from './writer.ts'

/** The server's metadata of a node. */
export interface Stat {
  readonly czxid: bigint
  /** The zxid of the last change of its data. */
  readonly mzxid: bigint
  /** The creation time, in milliseconds since the epoch, by the server's clock. */
  readonly ctime: bigint
  /** The time of the last change of its data, in milliseconds since the epoch, by the server's clock. */
  readonly mtime: bigint
  /** The number of changes to its data. */
  readonly version: number
  /** The number of changes to its children. */
  readonly cversion: number
  /** The number of changes to its ACL. */
  readonly aversion: number
  /** The session that owns an ephemeral node; 0 for a persistent node. TTL nodes store their TTL here. */
  readonly ephemeralOwner: bigint
  readonly dataLength: number
  readonly numChildren: number
  /** The zxid of the last change of its list of children. */
  readonly pzxid: bigint
}

/** The size of a stat on the wire. */
export const statSize = 68

export function readStat(reader: JuteReader): Stat {
  return {
    czxid: reader.long(),
    mzxid: reader.long(),
    ctime: reader.long(),
    mtime: reader.long(),
    version: reader.int(),
    cversion: reader.int(),
    aversion: reader.int(),
    ephemeralOwner: reader.long(),
    dataLength: reader.int(),
    numChildren: reader.int(),
    pzxid: reader.long(),
  }
}

export function writeStat(writer: JuteWriter, stat: Stat): void {
  writer.long(stat.czxid)
  writer.long(stat.mzxid)
  writer.long(stat.ctime)
  writer.long(stat.mtime)
  writer.int(stat.version)
  writer.int(stat.cversion)
  writer.int(stat.aversion)
  writer.long(stat.ephemeralOwner)
  writer.int(stat.dataLength)
  writer.int(stat.numChildren)
  writer.long(stat.pzxid)
}

/** The subject of an ACL entry: an identity within an authentication scheme. */
export interface AclId {
  readonly scheme: string
  readonly id: string
}

/** One entry of an access control list. */
export interface Acl {
  /** The granted permission bits: read 1, write 2, create 4, delete 8, admin 16. */
  readonly permissions: number
  readonly id: AclId
}

/**
 * Reads an ACL entry. An entry of scheme `auth` means the caller and needs no id; some clients, for example
 * Python's kazoo, send null for it.
 */
export function readAcl(reader: JuteReader): Acl {
  const permissions = reader.int()
  const scheme = reader.text()
  const id = scheme === 'auth' ? (reader.string() ?? '') : reader.text()
  return { permissions, id: { scheme, id } }
}

export function writeAcl(writer: JuteWriter, acl: Acl): void {
  writer.int(acl.permissions)
  writer.string(acl.id.scheme)
  writer.string(acl.id.id)
}

export interface ConnectRequest {
  readonly lastZxidSeen: bigint
  readonly timeout: number
  readonly sessionId: bigint
  readonly password: Uint8Array
  /** Absent in requests of clients before 3.4; the answer then omits it too. */
  readonly readOnly: boolean | undefined
}

export function writeConnectRequest(writer: JuteWriter, request: ConnectRequest): void {
  writer.int(0)
  writer.long(request.lastZxidSeen)
  writer.int(request.timeout)
  writer.long(request.sessionId)
  writer.buffer(request.password)
  if (request.readOnly !== undefined) writer.bool(request.readOnly)
}

export function readConnectRequest(reader: JuteReader): ConnectRequest {
  reader.int()
  return {
    lastZxidSeen: reader.long(),
    timeout: reader.int(),
    sessionId: reader.long(),
    password: reader.buffer() ?? Buffer.alloc(0),
    readOnly: reader.remaining > 0 ? reader.bool() : undefined,
  }
}

export interface ConnectResponse {
  /** The negotiated timeout; 0 or less means that the session has expired. */
  readonly timeout: number
  readonly sessionId: bigint
  readonly password: Uint8Array
  readonly readOnly: boolean | undefined
}

export function writeConnectResponse(writer: JuteWriter, response: ConnectResponse): void {
  writer.int(0)
  writer.int(response.timeout)
  writer.long(response.sessionId)
  writer.buffer(response.password)
  if (response.readOnly !== undefined) writer.bool(response.readOnly)
}

export function readConnectResponse(reader: JuteReader): ConnectResponse {
  reader.int()
  return {
    timeout: reader.int(),
    sessionId: reader.long(),
    password: reader.buffer() ?? Buffer.alloc(0),
    readOnly: reader.remaining > 0 ? reader.bool() : undefined,
  }
}

export interface RequestHeader {
  readonly xid: number
  readonly type: number
}

export function readRequestHeader(reader: JuteReader): RequestHeader {
  return { xid: reader.int(), type: reader.int() }
}

export interface ReplyHeader {
  readonly xid: number
  readonly zxid: bigint
  readonly error: number
}

export function writeReplyHeader(writer: JuteWriter, header: ReplyHeader): void {
  writer.int(header.xid)
  writer.long(header.zxid)
  writer.int(header.error)
}

/** The body of a watch notification. */
export interface WatcherEvent {
  readonly type: number
  readonly state: number
  readonly path: string
}

export function readWatcherEvent(reader: JuteReader): WatcherEvent {
  return { type: reader.int(), state: reader.int(), path: reader.text() }
}

export function writeWatcherEvent(writer: JuteWriter, event: WatcherEvent): void {
  writer.int(event.type)
  writer.int(event.state)
  writer.string(event.path)
}
