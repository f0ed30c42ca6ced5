import type { JuteReader } from '../jute/reader.ts'
import type { JuteWriter } from '../jute/writer.ts'

/** A request on its way: what a connection needs to know of it. */
export interface Call {
  readonly name: string
  readonly code: number
  writeRequest(writer: JuteWriter): void
  /** The server carried it out; the reader stands at the reply. Throws if that is malformed. */
  succeed(reader: JuteReader, zxid: bigint): void
  /** The server refused it. */
  refuse(errno: number, zxid: bigint): void
  /** It could not be sent, or its answer will not come. */
  fail(error: unknown): void
}
