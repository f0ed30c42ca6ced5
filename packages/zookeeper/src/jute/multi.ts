import { MalformedRecordError } from './malformed.ts'
import { opCode } from './op-codes.ts'
import type { Operation } from './operation.ts'
import type { JuteReader } from './reader.ts'
import { readStat, type Stat, writeStat } from './records.ts'
import {
  type CreateRequest,
  type CreateTtlRequest,
  putText,
  readCreate,
  readCreateTtl,
  readSetData,
  readVersionedPath,
  readWatchedPath,
  type SetDataRequest,
  text,
  type VersionedPathRequest,
  type WatchedPathRequest,
  writeCreate,
  writeCreateTtl,
  writeSetData,
  writeVersionedPath,
  writeWatchedPath,
} from './requests.ts'
import type { JuteWriter } from './writer.ts'

/** A part of a multi: the request of the operation that its type names. */
export type MultiPart =
  | ({ readonly type: typeof opCode.create } & CreateRequest)
  | ({ readonly type: typeof opCode.create2 } & CreateRequest)
  | ({ readonly type: typeof opCode.createContainer } & CreateRequest)
  | ({ readonly type: typeof opCode.createTtl } & CreateTtlRequest)
  | ({ readonly type: typeof opCode.delete } & VersionedPathRequest)
  | ({ readonly type: typeof opCode.check } & VersionedPathRequest)
  | ({ readonly type: typeof opCode.setData } & SetDataRequest)

export type MultiReadPart =
  | ({ readonly type: typeof opCode.getData } & WatchedPathRequest)
  | ({ readonly type: typeof opCode.getChildren } & WatchedPathRequest)

/** The result of one part of a multi or multi-read. */
export type MultiResult =
  | { readonly type: typeof opCode.create; readonly path: string }
  | { readonly type: typeof opCode.create2; readonly path: string; readonly stat: Stat }
  | { readonly type: typeof opCode.delete }
  | { readonly type: typeof opCode.check }
  | { readonly type: typeof opCode.setData; readonly stat: Stat }
  | { readonly type: typeof opCode.getData; readonly data: Uint8Array | null; readonly stat: Stat }
  | { readonly type: typeof opCode.getChildren; readonly children: string[] }
  | { readonly type: typeof opCode.error; readonly error: number }

/**
 * Several writes as one transaction. Wire layout: {int type; bool done; int error} before each part, {-1,
 * true, -1} after the last. When it fails, the reply's own error is 0 and every result is of type error: 0
 * before the failed part, its error number, -2 after it.
 */
export const multi: Operation<readonly MultiPart[], MultiResult[]> = {
  name: 'multi',
  code: opCode.multi,
  isWrite: true,
  writeRequest: (writer, parts) => {
    for (const part of parts) {
      writePartHeader(writer, part.type)
      writePart(writer, part)
    }
    writeEnd(writer)
  },
  readRequest: (reader) => readParts(reader, readPart),
  writeReply: writeResults,
  readReply: (reader) => readParts(reader, readResult),
}

/** Several reads in one request; each part succeeds or fails independently. */
export const multiRead: Operation<readonly MultiReadPart[], MultiResult[]> = {
  name: 'multiRead',
  code: opCode.multiRead,
  isWrite: false,
  writeRequest: (writer, parts) => {
    for (const part of parts) {
      writePartHeader(writer, part.type)
      writeWatchedPath(writer, part)
    }
    writeEnd(writer)
  },
  readRequest: (reader) => readParts(reader, readReadPart),
  writeReply: writeResults,
  readReply: (reader) => readParts(reader, readResult),
}

function writePartHeader(writer: JuteWriter, type: number, error: number = -1): void {
  writer.int(type)
  writer.bool(false)
  writer.int(error)
}

function writeEnd(writer: JuteWriter): void {
  writer.int(-1)
  writer.bool(true)
  writer.int(-1)
}

function readParts<T>(reader: JuteReader, read: (reader: JuteReader, type: number) => T): T[] {
  const parts: T[] = []
  for (;;) {
    const type = reader.int()
    const done = reader.bool()
    reader.int()
    if (done) return parts
    parts.push(read(reader, type))
  }
}

function writePart(writer: JuteWriter, part: MultiPart): void {
  switch (part.type) {
    case opCode.create:
    case opCode.create2:
    case opCode.createContainer:
      return writeCreate(writer, part)
    case opCode.createTtl:
      return writeCreateTtl(writer, part)
    case opCode.delete:
    case opCode.check:
      return writeVersionedPath(writer, part)
    case opCode.setData:
      return writeSetData(writer, part)
  }
}

function readPart(reader: JuteReader, type: number): MultiPart {
  switch (type) {
    case opCode.create:
    case opCode.create2:
    case opCode.createContainer:
      return { type, ...readCreate(reader) }
    case opCode.createTtl:
      return { type, ...readCreateTtl(reader) }
    case opCode.delete:
    case opCode.check:
      return { type, ...readVersionedPath(reader) }
    case opCode.setData:
      return { type, ...readSetData(reader) }
    default:
      throw new MalformedRecordError(`a multi cannot hold an operation of type ${type}`)
  }
}

function readReadPart(reader: JuteReader, type: number): MultiReadPart {
  switch (type) {
    case opCode.getData:
    case opCode.getChildren:
      return { type, ...readWatchedPath(reader) }
    default:
      throw new MalformedRecordError(`a multi-read cannot hold an operation of type ${type}`)
  }
}

function writeResults(writer: JuteWriter, results: readonly MultiResult[]): void {
  for (const result of results) writeResult(writer, result)
  writeEnd(writer)
}

function writeResult(writer: JuteWriter, result: MultiResult): void {
  const error = result.type === opCode.error ? result.error : 0
  writePartHeader(writer, result.type, error)
  switch (result.type) {
    case opCode.create:
      return writer.string(result.path)
    case opCode.create2:
      writer.string(result.path)
      return writeStat(writer, result.stat)
    case opCode.setData:
      return writeStat(writer, result.stat)
    case opCode.getData:
      writer.buffer(result.data)
      return writeStat(writer, result.stat)
    case opCode.getChildren:
      return writer.vector(result.children, putText)
    case opCode.error:
      return writer.int(result.error)
    case opCode.delete:
    case opCode.check:
      return
  }
}

/**
 * Decides by the header's type: servers answer a create with stat as type 1 or 15, depending on the version.
 */
function readResult(reader: JuteReader, type: number): MultiResult {
  switch (type) {
    case opCode.create:
      return { type, path: reader.text() }
    case opCode.create2:
    case opCode.createContainer:
    case opCode.createTtl:
      return { type: opCode.create2, path: reader.text(), stat: readStat(reader) }
    case opCode.delete:
    case opCode.check:
      return { type }
    case opCode.setData:
      return { type, stat: readStat(reader) }
    case opCode.getData:
      return { type, data: reader.buffer(), stat: readStat(reader) }
    case opCode.getChildren:
      return { type, children: reader.vector(text) }
    case opCode.error:
      return { type, error: reader.int() }
    default:
      throw new MalformedRecordError(`a reply to a multi holds a result of unknown type ${type}`)
  }
}
