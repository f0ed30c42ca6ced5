import { opCode } from './op-codes.ts'
import { noReply, type Operation } from './operation.ts'
import type { JuteReader } from './reader.ts'
import { type Acl, readAcl, readStat, type Stat, writeAcl, writeStat } from './records.ts'
import {
  type CreateRequest,
  type CreateTtlRequest,
  type PathRequest,
  putText,
  readCreate,
  readCreateTtl,
  readPath,
  readSetData,
  readVersionedPath,
  readWatchedPath,
  type SetDataRequest,
  text,
  type VersionedPathRequest,
  type WatchedPathRequest,
  writeCreate,
  writeCreateTtl,
  writePath,
  writeSetData,
  writeVersionedPath,
  writeWatchedPath,
} from './requests.ts'
import type { JuteWriter } from './writer.ts'

/** The path and the stat of a created node. */
export interface Created {
  readonly path: string
  readonly stat: Stat
}
const readCreated = (reader: JuteReader): Created => ({
  path: reader.text(),
  stat: readStat(reader),
})
const writeCreated = (writer: JuteWriter, reply: Created): void => {
  writer.string(reply.path)
  writeStat(writer, reply.stat)
}

export const create: Operation<CreateRequest, string> = {
  name: 'create',
  code: opCode.create,
  isWrite: true,
  readRequest: readCreate,
  writeRequest: writeCreate,
  readReply: text,
  writeReply: putText,
}

export const create2: Operation<CreateRequest, Created> = {
  name: 'create',
  code: opCode.create2,
  isWrite: true,
  readRequest: readCreate,
  writeRequest: writeCreate,
  readReply: readCreated,
  writeReply: writeCreated,
}

export const createContainer: Operation<CreateRequest, Created> = {
  ...create2,
  code: opCode.createContainer,
}

export const createTtl: Operation<CreateTtlRequest, Created> = {
  ...create2,
  code: opCode.createTtl,
  readRequest: readCreateTtl,
  writeRequest: writeCreateTtl,
}

export const remove: Operation<VersionedPathRequest, void> = {
  name: 'delete',
  code: opCode.delete,
  isWrite: true,
  readRequest: readVersionedPath,
  writeRequest: writeVersionedPath,
  readReply: noReply,
  writeReply: noReply,
}

export const check: Operation<VersionedPathRequest, void> = {
  ...remove,
  name: 'check',
  code: opCode.check,
}

export const exists: Operation<WatchedPathRequest, Stat> = {
  name: 'exists',
  code: opCode.exists,
  isWrite: false,
  readRequest: readWatchedPath,
  writeRequest: writeWatchedPath,
  readReply: readStat,
  writeReply: writeStat,
}

export interface NodeData {
  readonly data: Uint8Array | null
  readonly stat: Stat
}

export const getData: Operation<WatchedPathRequest, NodeData> = {
  name: 'get',
  code: opCode.getData,
  isWrite: false,
  readRequest: readWatchedPath,
  writeRequest: writeWatchedPath,
  readReply: (reader) => ({ data: reader.buffer(), stat: readStat(reader) }),
  writeReply: (writer, reply) => {
    writer.buffer(reply.data)
    writeStat(writer, reply.stat)
  },
}

export const setData: Operation<SetDataRequest, Stat> = {
  name: 'set',
  code: opCode.setData,
  isWrite: true,
  readRequest: readSetData,
  writeRequest: writeSetData,
  readReply: readStat,
  writeReply: writeStat,
}

export const getChildren: Operation<WatchedPathRequest, string[]> = {
  name: 'children',
  code: opCode.getChildren,
  isWrite: false,
  readRequest: readWatchedPath,
  writeRequest: writeWatchedPath,
  readReply: (reader) => reader.vector(text),
  writeReply: (writer, children) => writer.vector(children, putText),
}

/** The names of the children of a node, and its stat. */
export interface Children {
  readonly children: string[]
  readonly stat: Stat
}

export const getChildren2: Operation<WatchedPathRequest, Children> = {
  name: 'children',
  code: opCode.getChildren2,
  isWrite: false,
  readRequest: readWatchedPath,
  writeRequest: writeWatchedPath,
  readReply: (reader) => ({ children: reader.vector(text), stat: readStat(reader) }),
  writeReply: (writer, reply) => {
    writer.vector(reply.children, putText)
    writeStat(writer, reply.stat)
  },
}

/** The access control list of a node. */
export interface NodeAcl {
  readonly acl: Acl[]
  readonly stat: Stat
}

export const getAcl: Operation<PathRequest, NodeAcl> = {
  name: 'getAcl',
  code: opCode.getAcl,
  isWrite: false,
  readRequest: readPath,
  writeRequest: writePath,
  readReply: (reader) => ({ acl: reader.vector(readAcl), stat: readStat(reader) }),
  writeReply: (writer, reply) => {
    writer.vector(reply.acl, writeAcl)
    writeStat(writer, reply.stat)
  },
}

export interface SetAclRequest {
  readonly path: string
  readonly acl: readonly Acl[]
  readonly version: number
}

export const setAcl: Operation<SetAclRequest, Stat> = {
  name: 'setAcl',
  code: opCode.setAcl,
  isWrite: true,
  readRequest: (reader) => ({
    path: reader.text(),
    acl: reader.vector(readAcl),
    version: reader.int(),
  }),
  writeRequest: (writer, request) => {
    writer.string(request.path)
    writer.vector(request.acl, writeAcl)
    writer.int(request.version)
  },
  readReply: readStat,
  writeReply: writeStat,
}

export const getEphemerals: Operation<PathRequest, string[]> = {
  name: 'getEphemerals',
  code: opCode.getEphemerals,
  isWrite: false,
  readRequest: readPath,
  writeRequest: writePath,
  readReply: (reader) => reader.vector(text),
  writeReply: (writer, paths) => writer.vector(paths, putText),
}

export const getAllChildrenNumber: Operation<PathRequest, number> = {
  name: 'getAllChildrenNumber',
  code: opCode.getAllChildrenNumber,
  isWrite: false,
  readRequest: readPath,
  writeRequest: writePath,
  readReply: (reader) => reader.int(),
  writeReply: (writer, count) => writer.int(count),
}
