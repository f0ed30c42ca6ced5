import { opCode } from './op-codes.ts'
import { noReply, type Operation } from './operation.ts'
import { type PathRequest, putText, readPath, text, writePath } from './requests.ts'

export const sync: Operation<PathRequest, string> = {
  name: 'sync',
  code: opCode.sync,
  isWrite: false,
  readRequest: readPath,
  writeRequest: writePath,
  readReply: text,
  writeReply: putText,
}

/** An identity that a connection has authenticated as. */
export interface ClientIdentity {
  readonly scheme: string
  readonly user: string
}

export const whoAmI: Operation<void, ClientIdentity[]> = {
  name: 'whoAmI',
  code: opCode.whoAmI,
  isWrite: false,
  readRequest: noReply,
  writeRequest: noReply,
  readReply: (reader) => reader.vector((r) => ({ scheme: r.text(), user: r.text() })),
  writeReply: (writer, identities) =>
    writer.vector(identities, (w, identity) => {
      w.string(identity.scheme)
      w.string(identity.user)
    }),
}

export interface AuthRequest {
  readonly scheme: string
  readonly auth: Uint8Array
}

export const auth: Operation<AuthRequest, void> = {
  name: 'auth',
  code: opCode.auth,
  isWrite: false,
  readRequest: (reader) => {
    reader.int()
    return { scheme: reader.text(), auth: reader.buffer() ?? Buffer.alloc(0) }
  },
  writeRequest: (writer, request) => {
    writer.int(0)
    writer.string(request.scheme)
    writer.buffer(request.auth)
  },
  readReply: noReply,
  writeReply: noReply,
}

export const sasl: Operation<Uint8Array, Uint8Array | null> = {
  name: 'sasl',
  code: opCode.sasl,
  isWrite: false,
  readRequest: (reader) => reader.buffer() ?? Buffer.alloc(0),
  writeRequest: (writer, token) => writer.buffer(token),
  readReply: (reader) => (reader.remaining > 0 ? reader.buffer() : null),
  writeReply: (writer, token) => writer.buffer(token),
}

export const ping: Operation<void, void> = {
  name: 'ping',
  code: opCode.ping,
  isWrite: false,
  readRequest: noReply,
  writeRequest: noReply,
  readReply: noReply,
  writeReply: noReply,
}

export const closeSession: Operation<void, void> = {
  ...ping,
  name: 'closeSession',
  code: opCode.closeSession,
  isWrite: true,
}
