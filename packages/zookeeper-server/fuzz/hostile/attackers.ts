import { connect } from 'node:net'

import type { SeededRandom } from '@elasticjob/zookeeper/testing'

import { type Attack, nextAttack } from './attacks.ts'

/** The number of concurrent hostile connections. */
const atOnce = 64

/** Sends attacks over separate connections until this many frames were sent. */
export async function attack(
  port: number,
  frames: number,
  random: SeededRandom,
  progress: (frames: number) => void,
): Promise<{ frames: number; connections: number }> {
  let sent = 0
  let connections = 0
  const attacker = async (): Promise<void> => {
    while (sent < frames) {
      const next = nextAttack(random)
      sent += next.frames
      connections++
      await deliver(port, next)
      progress(sent)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, attacker))
  return { frames: sent, connections }
}

/**
 * Ends when the server answers or closes the connection; if the server waits for more, the attacker abandons the
 * connection.
 */
function deliver(port: number, { bytes }: Attack): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const done = (): void => {
      // A reset leaves no port in TIME_WAIT: a million connections would run out of ports.
      socket.resetAndDestroy()
      resolve()
    }
    socket.on('error', done)
    socket.on('close', done)
    socket.on('data', done)
    socket.on('connect', () => {
      socket.write(bytes, () => setImmediate(() => setImmediate(done)))
    })
  })
}
