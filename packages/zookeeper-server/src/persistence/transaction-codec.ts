import {
  type JuteReader,
  type JuteWriter,
  MalformedRecordError,
  readAcl,
  writeAcl,
} from '@elasticjob/zookeeper/protocol'
import type { NodeChange, Transaction, TransactionBody } from '../transaction.ts'
import { writeLong } from '../wire.ts'
import { readLong } from './long.ts'

/** Stored on disk: the meaning of a number never changes. */
const kindCode: Readonly<Record<TransactionBody['kind'], number>> = {
  none: 0,
  create: 1,
  delete: 2,
  setData: 3,
  setAcl: 4,
  createSession: 5,
  closeSession: 6,
  multi: 7,
}

/** Writes a transaction without its zxid, which follows from its position in the log. */
export function writeTransaction(writer: JuteWriter, transaction: Transaction): void {
  writeLong(writer, transaction.time)
  writer.long(transaction.sessionId)
  const { body } = transaction
  switch (body.kind) {
    case 'none':
      return writer.int(kindCode.none)
    case 'createSession':
      writer.int(kindCode.createSession)
      writer.int(body.timeout)
      return writer.buffer(body.password)
    case 'closeSession':
      writer.int(kindCode.closeSession)
      return writer.vector(body.ephemerals, (to, path) => to.string(path))
    case 'multi':
      writer.int(kindCode.multi)
      return writer.vector(body.changes, writeChange)
    default:
      return writeChange(writer, body)
  }
}

export function readTransaction(reader: JuteReader, zxid: number): Transaction {
  return { zxid, time: readLong(reader), sessionId: reader.long(), body: readBody(reader) }
}

function readBody(reader: JuteReader): TransactionBody {
  const kind = reader.int()
  switch (kind) {
    case kindCode.none:
      return { kind: 'none' }
    case kindCode.createSession:
      return { kind: 'createSession', timeout: reader.int(), password: readBytes(reader) }
    case kindCode.closeSession:
      return { kind: 'closeSession', ephemerals: reader.vector((from) => from.text()) }
    case kindCode.multi:
      return { kind: 'multi', changes: reader.vector((from) => readChange(from, from.int())) }
    default:
      return readChange(reader, kind)
  }
}

function writeChange(writer: JuteWriter, change: NodeChange): void {
  writer.int(kindCode[change.kind])
  writer.string(change.path)
  switch (change.kind) {
    case 'create':
      writer.buffer(change.data)
      writer.vector(change.acl, writeAcl)
      writer.long(change.owner)
      return writeLong(writer, change.parentCreations)
    case 'delete':
      return
    case 'setData':
      writer.buffer(change.data)
      return writer.int(change.version)
    case 'setAcl':
      writer.vector(change.acl, writeAcl)
      return writer.int(change.version)
  }
}

function readChange(reader: JuteReader, kind: number): NodeChange {
  const path = reader.text()
  switch (kind) {
    case kindCode.create:
      return {
        kind: 'create',
        path,
        data: reader.buffer(),
        acl: reader.vector(readAcl),
        owner: reader.long(),
        parentCreations: readLong(reader),
      }
    case kindCode.delete:
      return { kind: 'delete', path }
    case kindCode.setData:
      return { kind: 'setData', path, data: reader.buffer(), version: reader.int() }
    case kindCode.setAcl:
      return { kind: 'setAcl', path, acl: reader.vector(readAcl), version: reader.int() }
    default:
      throw new MalformedRecordError(`a change of unknown kind ${kind}`)
  }
}

function readBytes(reader: JuteReader): Uint8Array {
  const bytes = reader.buffer()
  if (bytes === null) throw new MalformedRecordError('bytes are missing where they are required')
  return bytes
}
