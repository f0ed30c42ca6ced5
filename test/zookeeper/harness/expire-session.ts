import { connect } from 'node:net'
import { encodeFrame, FrameSplitter } from './frames.ts'
import { decodeConnectResponse, encodeConnectRequest } from './handshake.ts'

const closeSessionOpcode = -11
const answerTimeoutMs = 2_000
const attempts = 10

/**
 * Ends a session while its owner believes in it: a second connection presents the same id and
 * password, and closes the session. The server then deletes its ephemeral nodes, and tells the
 * owner at its next reconnect that the session has expired. Works on any server.
 */
export async function expireSession(
  connectString: string,
  sessionId: bigint,
  password: Uint8Array,
): Promise<void> {
  const ports = [...connectString.matchAll(/:(\d+)/g)].map(([, port]) => Number(port))
  let failure: unknown
  // The owner may reconnect and win the session back before the server reads the close request,
  // and a member of an ensemble may be down.
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      if (await tryToClose(ports[attempt % ports.length] ?? 0, sessionId, password)) return
    } catch (error) {
      failure = error
    }
  }
  throw new Error(`session 0x${sessionId.toString(16)} is still there after ${attempts} attempts`, {
    cause: failure,
  })
}

/** Whether the session is over: closed by us now, or unknown to the server already. */
function tryToClose(port: number, sessionId: bigint, password: Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const splitter = new FrameSplitter()
    let answers = 0
    let over = false
    const socket = connect({ host: '127.0.0.1', port })
    socket.setTimeout(answerTimeoutMs, () =>
      socket.destroy(new Error(`no answer about the session within ${answerTimeoutMs} ms`)),
    )
    // Both messages at once, to leave the owner no time between them.
    socket.on('connect', () => {
      socket.write(Buffer.concat([reattachFrame(sessionId, password), closeFrame()]))
    })
    socket.on('data', (chunk) => {
      for (const payload of splitter.push(chunk)) {
        answers++
        if (answers === 1 && decodeConnectResponse(payload).timeoutMs > 0) continue
        over = true
        socket.destroy()
      }
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(over))
  })
}

function reattachFrame(sessionId: bigint, password: Uint8Array): Buffer {
  return encodeFrame(
    encodeConnectRequest({ lastZxidSeen: 0n, timeoutMs: 10_000, sessionId, password }),
  )
}

function closeFrame(): Buffer {
  const header = Buffer.alloc(8)
  header.writeInt32BE(1, 0)
  header.writeInt32BE(closeSessionOpcode, 4)
  return encodeFrame(header)
}
