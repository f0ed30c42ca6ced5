import {
  type Acl,
  JuteReader,
  JuteWriter,
  MalformedRecordError,
  readAcl,
  writeAcl,
} from '@elasticjob/zookeeper/protocol'
import type { RecoveryTarget, Snapshot } from '../durability.ts'
import type { SnapshotNode, SnapshotSession } from '../transaction.ts'
import { writeLong } from '../wire.ts'
import { beginFrame } from './frame.ts'
import { readLong } from './long.ts'

/** The kinds of snapshot frames. The sessions come first, the end last. */
const blockKind = { sessions: 1, nodes: 2, end: 3 } as const

/** The approximate size of a block of nodes, after which the event loop may run. */
const blockSize = 256 * 1024

/** Encodes a state into frames, without length and checksum. */
export class SnapshotEncoder {
  readonly #snapshot: Snapshot
  readonly #writer = new JuteWriter()
  /** The ACLs written so far, with their numbers. */
  readonly #acls = new Map<readonly Acl[], number>()
  #nodes = 0

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
  }

  get nodes(): number {
    return this.#nodes
  }

  /** All frames but the last. The state may change between two of them. */
  *blocks(): Generator<Buffer> {
    const { sessions, lastSessionId, nodes } = this.#snapshot
    const writer = this.#writer
    beginBlock(writer, blockKind.sessions)
    writer.long(lastSessionId)
    for (const session of sessions) writeSession(writer, session)
    yield writer.take()

    for (const node of nodes) {
      if (writer.length === 0) beginBlock(writer, blockKind.nodes)
      this.#writeNode(node)
      this.#nodes++
      if (writer.length >= blockSize) yield writer.take()
    }
    if (writer.length > 0) yield writer.take()
  }

  /** The last frame: some nodes may show transactions up to `upTo`. */
  end(upTo: number): Buffer {
    const writer = this.#writer
    beginBlock(writer, blockKind.end)
    writeLong(writer, upTo)
    return writer.take()
  }

  #writeNode(node: SnapshotNode): void {
    const writer = this.#writer
    writer.string(node.path)
    writer.buffer(node.data)
    this.#writeAcl(node.acl)
    writer.long(node.owner)
    writeLong(writer, node.czxid)
    writeLong(writer, node.mzxid)
    writeLong(writer, node.pzxid)
    writeLong(writer, node.ctime)
    writeLong(writer, node.mtime)
    writer.int(node.version)
    writer.int(node.aclVersion)
    writeLong(writer, node.creations)
  }

  /** An ACL is written in full at the first use of its number. */
  #writeAcl(acl: readonly Acl[]): void {
    const known = this.#acls.get(acl)
    this.#writer.int(known ?? this.#acls.size)
    if (known !== undefined) return
    this.#acls.set(acl, this.#acls.size)
    this.#writer.vector(acl, writeAcl)
  }
}

/** Reads how far the log has to reach from the last frame of a snapshot; undefined for any other frame. */
export function decodeEnd(payload: Buffer): number | undefined {
  const reader = new JuteReader(payload)
  return reader.int() === blockKind.end ? readLong(reader) : undefined
}

/** Fills a state from the frames of a snapshot. */
export class SnapshotDecoder {
  readonly #zxid: number
  readonly #target: RecoveryTarget
  readonly #acls: (readonly Acl[])[] = []

  constructor(zxid: number, target: RecoveryTarget) {
    this.#zxid = zxid
    this.#target = target
  }

  decode(payload: Buffer): void {
    const reader = new JuteReader(payload)
    const kind = reader.int()
    switch (kind) {
      case blockKind.sessions:
        this.#target.loadHeader(this.#zxid, reader.long())
        while (reader.remaining > 0) this.#target.loadSession(readSession(reader))
        return
      case blockKind.nodes:
        while (reader.remaining > 0) this.#target.loadNode(this.#readNode(reader))
        return
      case blockKind.end:
        return
      default:
        throw new MalformedRecordError(`a block of unknown kind ${kind}`)
    }
  }

  #readNode(reader: JuteReader): SnapshotNode {
    return {
      path: reader.text(),
      data: reader.buffer(),
      acl: this.#readAcl(reader),
      owner: reader.long(),
      czxid: readLong(reader),
      mzxid: readLong(reader),
      pzxid: readLong(reader),
      ctime: readLong(reader),
      mtime: readLong(reader),
      version: reader.int(),
      aclVersion: reader.int(),
      creations: readLong(reader),
    }
  }

  #readAcl(reader: JuteReader): readonly Acl[] {
    const number = reader.int()
    if (number === this.#acls.length) this.#acls.push(reader.vector(readAcl))
    const acl = this.#acls[number]
    if (acl === undefined)
      throw new MalformedRecordError(`an unknown access control list ${number}`)
    return acl
  }
}

function beginBlock(writer: JuteWriter, kind: number): void {
  beginFrame(writer)
  writer.int(kind)
}

function writeSession(writer: JuteWriter, session: SnapshotSession): void {
  writer.long(session.sessionId)
  writer.int(session.timeout)
  writer.buffer(session.password)
}

function readSession(reader: JuteReader): SnapshotSession {
  return {
    sessionId: reader.long(),
    timeout: reader.int(),
    password: reader.buffer() ?? Buffer.alloc(0),
  }
}
