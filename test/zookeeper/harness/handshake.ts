/** The first message of a client and the server's answer, which open or re-attach a session. */

export interface ConnectRequest {
  readonly lastZxidSeen: bigint
  readonly timeoutMs: number
  readonly sessionId: bigint
  readonly password: Uint8Array
}

export interface ConnectResponse {
  /** Zero or less says that the session is no more. */
  readonly timeoutMs: number
  readonly sessionId: bigint
  readonly password: Uint8Array
}

export function encodeConnectRequest(request: ConnectRequest): Buffer {
  const head = Buffer.alloc(28)
  head.writeInt32BE(0, 0)
  head.writeBigInt64BE(request.lastZxidSeen, 4)
  head.writeInt32BE(request.timeoutMs, 12)
  head.writeBigInt64BE(request.sessionId, 16)
  head.writeInt32BE(request.password.length, 24)
  return Buffer.concat([head, request.password, readOnlyNo])
}

export function decodeConnectRequest(payload: Buffer): ConnectRequest {
  return {
    lastZxidSeen: payload.readBigInt64BE(4),
    timeoutMs: payload.readInt32BE(12),
    sessionId: payload.readBigInt64BE(16),
    password: payload.subarray(28, 28 + Math.max(0, payload.readInt32BE(24))),
  }
}

export function encodeConnectResponse(response: ConnectResponse): Buffer {
  const head = Buffer.alloc(20)
  head.writeInt32BE(0, 0)
  head.writeInt32BE(response.timeoutMs, 4)
  head.writeBigInt64BE(response.sessionId, 8)
  head.writeInt32BE(response.password.length, 16)
  return Buffer.concat([head, response.password, readOnlyNo])
}

export function decodeConnectResponse(payload: Buffer): ConnectResponse {
  return {
    timeoutMs: payload.readInt32BE(4),
    sessionId: payload.readBigInt64BE(8),
    password: payload.subarray(20, 20 + Math.max(0, payload.readInt32BE(16))),
  }
}

const readOnlyNo = Buffer.from([0])
