import { JuteWriter, opCode } from '@elasticjob/zookeeper/protocol'
import type { AclEntry, Damage, Part, Request, RequestBody } from './operation.ts'

/** The type number of a request on the wire. */
export function typeOf(body: RequestBody): number {
  return body.do === 'other' ? body.type : opCode[body.do]
}

/** The zxid of this many transactions ago. */
export type ZxidAgo = (count: number) => bigint

/** The bytes of a request, without the length prefix. */
export function encodeRequest(request: Request, xid: number, zxidAgo: ZxidAgo): Buffer {
  const writer = new JuteWriter()
  writer.int(xid)
  writer.int(typeOf(request))
  writeBody(writer, request, zxidAgo)
  const rest = Buffer.from(request.do === 'other' ? request.body : '', 'hex')
  return damaged(Buffer.concat([writer.take(), rest]), request.damage, headerLength)
}

/** Frames begin with their length. */
export function framed(payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(4 + payload.length)
  frame.writeInt32BE(payload.length, 0)
  frame.set(payload, 4)
  return frame
}

const headerLength = 8

/** The first `spared` bytes stay unchanged. */
export function damaged(bytes: Buffer, damage: Damage | undefined, spared: number): Buffer {
  if (damage === undefined) return bytes
  const end = Math.max(bytes.length - (damage.cut ?? 0), spared)
  const result = Buffer.concat([bytes.subarray(0, end), Buffer.from(damage.add ?? '', 'hex')])
  if (damage.set !== undefined) {
    const [fromEnd, value] = damage.set
    const at = result.length - 1 - fromEnd
    if (at >= spared) result[at] = value
  }
  return result
}

function writeBody(writer: JuteWriter, body: RequestBody, zxidAgo: ZxidAgo): void {
  switch (body.do) {
    case 'getAcl':
    case 'getEphemerals':
    case 'getAllChildrenNumber':
    case 'sync':
      return writer.string(body.path)
    case 'setAcl':
      writer.string(body.path)
      writer.vector(body.acl, writeAclEntry)
      return writer.int(body.version)
    case 'multi':
    case 'multiRead':
      for (const part of body.parts) {
        writePartHeader(writer, part.as ?? opCode[part.do], false)
        writePart(writer, part)
      }
      return writePartHeader(writer, -1, true)
    case 'addWatch':
      writer.string(body.path)
      return writer.int(body.mode)
    case 'checkWatches':
    case 'removeWatches':
      writer.string(body.path)
      return writer.int(body.type)
    case 'setWatches':
    case 'setWatches2':
      writer.long(zxidAgo(body.ago))
      writer.vector(body.data, writeText)
      writer.vector(body.exist, writeText)
      writer.vector(body.child, writeText)
      if (body.do === 'setWatches') return
      writer.vector(body.persistent, writeText)
      return writer.vector(body.recursive, writeText)
    case 'auth':
      writer.int(0)
      writer.string(body.scheme)
      return writer.buffer(Buffer.from(body.auth))
    case 'sasl':
      return writer.buffer(Buffer.from(body.token))
    case 'reconfig':
      writer.string(null)
      writer.string(null)
      writer.string(body.members)
      return writer.long(-1n)
    case 'whoAmI':
    case 'ping':
    case 'closeSession':
    case 'other':
      return
    default:
      return writePart(writer, body)
  }
}

function writePart(writer: JuteWriter, part: Part): void {
  writer.string(part.path)
  switch (part.do) {
    case 'create':
    case 'create2':
    case 'createContainer':
    case 'createTtl':
      writer.buffer(bytesOf(part.data))
      writer.vector(part.acl, writeAclEntry)
      writer.int(part.flags)
      if (part.do === 'createTtl') writer.long(BigInt(part.ttl))
      return
    case 'setData':
      writer.buffer(bytesOf(part.data))
      return writer.int(part.version)
    case 'delete':
    case 'check':
      return writer.int(part.version)
    default:
      return writer.bool(part.watch)
  }
}

function writePartHeader(writer: JuteWriter, type: number, isEnd: boolean): void {
  writer.int(type)
  writer.bool(isEnd)
  writer.int(-1)
}

function writeAclEntry(writer: JuteWriter, [permissions, scheme, id]: AclEntry): void {
  writer.int(permissions)
  writer.string(scheme)
  writer.string(id)
}

function writeText(writer: JuteWriter, text: string): void {
  writer.string(text)
}

function bytesOf(text: string | null): Buffer | null {
  return text === null ? null : Buffer.from(text)
}
