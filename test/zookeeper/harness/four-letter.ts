import { connect } from 'node:net'

/** The roles in which a ZooKeeper server serves its clients. */
export type ServerMode = 'standalone' | 'leader' | 'follower'

/**
 * Sends a four-letter word and gives the whole answer. Rejects when the port refuses, or when
 * nothing was answered in time, as by a paused server.
 */
export function fourLetter(port: number, shardState: string, timeoutMs = 2_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: '127.0.0.1', port })
    socket.setTimeout(timeoutMs, () =>
      socket.destroy(
        new Error(`no answer to ${shardState} on port ${port} within ${timeoutMs} ms`),
      ),
    )
    socket.on('connect', () => socket.write(shardState))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}

/**
 * The role that the server has right now, or undefined while it does not serve: down, paused,
 * starting, or without a quorum.
 */
export async function serverMode(port: number): Promise<ServerMode | undefined> {
  const answer = await fourLetter(port, 'srvr', 500).catch(() => '')
  return /^Mode: (standalone|leader|follower)$/m.exec(answer)?.[1] as ServerMode | undefined
}
