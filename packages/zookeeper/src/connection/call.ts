import type { JuteReader } from '../jute/reader.ts'
import type { JuteWriter } from '../jute/writer.ts'
import type { Endpoint } from './transport.ts'

/** A request that a connection sends and settles. */
export interface Call {
  readonly name: string
  readonly code: number
  writeRequest(writer: JuteWriter): void
  /**
   * The server carried out the request; the reader is positioned at the reply. Throws if the reply is
   * malformed.
   */
  succeed(reader: JuteReader, zxid: bigint): void
  /** The server rejected the request. */
  refuse(errno: number, server: Endpoint): void
  /** The request could not be sent, or its answer is lost. */
  fail(error: unknown): void
}
