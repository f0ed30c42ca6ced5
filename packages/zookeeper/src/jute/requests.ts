import type { JuteReader } from './reader.ts'
import { type Acl, readAcl, writeAcl } from './records.ts'
import type { JuteWriter } from './writer.ts'

export const text = (reader: JuteReader): string => reader.text()
export const putText = (writer: JuteWriter, value: string): void => writer.string(value)

export interface PathRequest {
  readonly path: string
}
export const readPath = (reader: JuteReader): PathRequest => ({ path: reader.text() })
export const writePath = (writer: JuteWriter, { path }: PathRequest): void => writer.string(path)

export interface WatchedPathRequest {
  readonly path: string
  readonly watch: boolean
}
export const readWatchedPath = (reader: JuteReader): WatchedPathRequest => ({
  path: reader.text(),
  watch: reader.bool(),
})
export const writeWatchedPath = (writer: JuteWriter, request: WatchedPathRequest): void => {
  writer.string(request.path)
  writer.bool(request.watch)
}

export interface VersionedPathRequest {
  readonly path: string
  readonly version: number
}
export const readVersionedPath = (reader: JuteReader): VersionedPathRequest => ({
  path: reader.text(),
  version: reader.int(),
})
export const writeVersionedPath = (writer: JuteWriter, request: VersionedPathRequest): void => {
  writer.string(request.path)
  writer.int(request.version)
}

export interface CreateRequest {
  readonly path: string
  readonly data: Uint8Array | null
  readonly acl: readonly Acl[]
  readonly flags: number
}
export const readCreate = (reader: JuteReader): CreateRequest => ({
  path: reader.text(),
  data: reader.buffer(),
  acl: reader.vector(readAcl),
  flags: reader.int(),
})
export const writeCreate = (writer: JuteWriter, request: CreateRequest): void => {
  writer.string(request.path)
  writer.buffer(request.data)
  writer.vector(request.acl, writeAcl)
  writer.int(request.flags)
}

export interface CreateTtlRequest extends CreateRequest {
  /** How long the node may stay without children and changes, in milliseconds. */
  readonly ttl: bigint
}
export const readCreateTtl = (reader: JuteReader): CreateTtlRequest => ({
  ...readCreate(reader),
  ttl: reader.long(),
})
export const writeCreateTtl = (writer: JuteWriter, request: CreateTtlRequest): void => {
  writeCreate(writer, request)
  writer.long(request.ttl)
}

export interface SetDataRequest {
  readonly path: string
  readonly data: Uint8Array | null
  readonly version: number
}
export const readSetData = (reader: JuteReader): SetDataRequest => ({
  path: reader.text(),
  data: reader.buffer(),
  version: reader.int(),
})
export const writeSetData = (writer: JuteWriter, request: SetDataRequest): void => {
  writer.string(request.path)
  writer.buffer(request.data)
  writer.int(request.version)
}
