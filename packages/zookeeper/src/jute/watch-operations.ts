import { opCode } from './op-codes.ts'
import { noReply, type Operation } from './operation.ts'
import { putText, text } from './requests.ts'
import type { JuteWriter } from './writer.ts'

export interface AddWatchRequest {
  readonly path: string
  readonly mode: number
}

export const addWatch: Operation<AddWatchRequest, number> = {
  name: 'addWatch',
  code: opCode.addWatch,
  isWrite: false,
  readRequest: (reader) => ({ path: reader.text(), mode: reader.int() }),
  writeRequest: (writer, request) => {
    writer.string(request.path)
    writer.int(request.mode)
  },
  readReply: (reader) => reader.int(),
  writeReply: (writer, error) => writer.int(error),
}

export interface WatchesRequest {
  readonly path: string
  readonly type: number
}

export const removeWatches: Operation<WatchesRequest, void> = {
  name: 'removeWatches',
  code: opCode.removeWatches,
  isWrite: false,
  readRequest: (reader) => ({ path: reader.text(), type: reader.int() }),
  writeRequest: (writer, request) => {
    writer.string(request.path)
    writer.int(request.type)
  },
  readReply: noReply,
  writeReply: noReply,
}

export const checkWatches: Operation<WatchesRequest, void> = {
  ...removeWatches,
  name: 'checkWatches',
  code: opCode.checkWatches,
}

export interface SetWatchesRequest {
  /** The server reports changes after this zxid at once. */
  readonly relativeZxid: bigint
  readonly data: readonly string[]
  readonly exist: readonly string[]
  readonly child: readonly string[]
  readonly persistent: readonly string[]
  readonly recursive: readonly string[]
}

export const setWatches: Operation<SetWatchesRequest, void> = {
  name: 'setWatches',
  code: opCode.setWatches,
  isWrite: false,
  readRequest: (reader) => ({
    relativeZxid: reader.long(),
    data: reader.vector(text),
    exist: reader.vector(text),
    child: reader.vector(text),
    persistent: [],
    recursive: [],
  }),
  writeRequest: writeOneShotWatches,
  readReply: noReply,
  writeReply: noReply,
}

export const setWatches2: Operation<SetWatchesRequest, void> = {
  ...setWatches,
  code: opCode.setWatches2,
  readRequest: (reader) => ({
    ...setWatches.readRequest(reader),
    persistent: reader.vector(text),
    recursive: reader.vector(text),
  }),
  writeRequest: (writer, request) => {
    writeOneShotWatches(writer, request)
    writer.vector(request.persistent, putText)
    writer.vector(request.recursive, putText)
  },
}

function writeOneShotWatches(writer: JuteWriter, request: SetWatchesRequest): void {
  writer.long(request.relativeZxid)
  writer.vector(request.data, putText)
  writer.vector(request.exist, putText)
  writer.vector(request.child, putText)
}
