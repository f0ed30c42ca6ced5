import type { Clock, Transport } from '@elasticjob/zookeeper'

/**
 * A transport on which what arrives waits a while and comes in one piece, as it does on a real socket:
 * an answer and the events behind it are then read together, before whoever asked hears of the answer.
 */
export function joiningTransport(
  transactionRunner: Transport,
  clock: Clock,
  wait: () => number,
): Transport {
  return {
    resolve: (host) => transactionRunner.resolve(host),
    connect: (endpoint, handler) => {
      let chunks: Uint8Array[] = []
      let isOver = false
      const deliver = (): void => {
        const bytes = Buffer.concat(chunks)
        chunks = []
        if (!isOver && bytes.length > 0) handler.received(bytes)
      }
      const stream = transactionRunner.connect(endpoint, {
        opened: () => handler.opened(),
        received: (chunk) => {
          if (chunks.push(chunk) === 1) clock.setTimer(deliver, wait())
        },
        closed: (error) => {
          deliver()
          isOver = true
          handler.closed(error)
        },
      })
      return {
        write: (bytes) => stream.write(bytes),
        end: () => stream.end(),
        destroy: () => {
          isOver = true
          stream.destroy()
        },
      }
    },
  }
}
