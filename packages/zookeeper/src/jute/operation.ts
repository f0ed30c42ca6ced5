import type { JuteReader } from './reader.ts'
import type { JuteWriter } from './writer.ts'

/**
 * One request of the protocol and its reply, for both sides: a client writes the request and reads the reply,
 * a server does the reverse.
 */
export interface Operation<Request, Reply> {
  readonly name: string
  readonly code: number
  /** Whether the server commits the request as a transaction; an answer then proves the session. */
  readonly isWrite: boolean
  readonly writeRequest: (writer: JuteWriter, request: Request) => void
  readonly readRequest: (reader: JuteReader) => Request
  readonly writeReply: (writer: JuteWriter, reply: Reply) => void
  readonly readReply: (reader: JuteReader) => Reply
}

/** The client's half of an operation. */
export type ClientOperation<Request, Reply> = Pick<
  Operation<Request, Reply>,
  'name' | 'code' | 'isWrite' | 'writeRequest' | 'readReply'
>

/** The reply of an operation that has a header only. */
export function noReply(): void {}
