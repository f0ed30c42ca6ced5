import { connect } from 'node:net'
import { encodeFrame, FrameSplitter } from '../harness/frames.ts'
import { decodeConnectResponse, encodeConnectRequest } from '../harness/handshake.ts'

const attempts = 5

/**
 * Whether the server still knows a session: asked by presenting its id and password, as a client
 * does that reconnects. Works on every kind of server, without four-letter words.
 */
export async function sessionLives(
  connectString: string,
  sessionId: bigint,
  password: Uint8Array,
): Promise<boolean> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const lives = await askOnce(firstPort(connectString), sessionId, password)
    if (lives !== undefined) return lives
  }
  throw new Error(`the server did not answer ${attempts} handshakes`)
}

/** The port of the server that a connect string names first. */
export function firstPort(connectString: string): number {
  return Number(/:(\d+)/.exec(connectString)?.[1])
}

/**
 * The server's answer, or undefined if it gave none: a follower that hears of the session's end
 * during the handshake closes the connection.
 */
function askOnce(
  port: number,
  sessionId: bigint,
  password: Uint8Array,
): Promise<boolean | undefined> {
  return new Promise((resolve, reject) => {
    const splitter = new FrameSplitter()
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('connect', () => {
      const request = { lastZxidSeen: 0n, timeoutMs: 10_000, sessionId, password }
      socket.write(encodeFrame(encodeConnectRequest(request)))
    })
    socket.on('data', (chunk) => {
      for (const payload of splitter.push(chunk)) {
        resolve(decodeConnectResponse(payload).timeoutMs > 0)
        socket.destroy()
      }
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(undefined))
  })
}
