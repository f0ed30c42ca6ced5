import type { Settle } from './bench-client.ts'
import type { Measurement } from './contract.ts'

/** Sends operation number `op`. */
type Send = (op: number, settle: Settle) => void

/** Runs operations with at most a window of them unanswered, and measures them. */
export async function measure(ops: number, window: number, send: Send): Promise<Measurement> {
  const latencies = new Float64Array(ops)
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  await pipeline(ops, window, (op, settle) => {
    const sentAt = performance.now()
    send(op, (error) => {
      latencies[op] = performance.now() - sentAt
      settle(error)
    })
  })
  const elapsed = performance.now() - started
  const { user, system } = process.cpuUsage(cpuBefore)
  latencies.sort()
  return {
    opsPerSecond: (ops / elapsed) * 1000,
    p50Micros: percentile(latencies, 0.5) * 1000,
    p99Micros: percentile(latencies, 0.99) * 1000,
    cpuMicrosPerOp: (user + system) / ops,
    rssMegabytes: process.memoryUsage.rss() / 2 ** 20,
  }
}

/** Every answer makes room for the next operation. Fails with the first that fails. */
export function pipeline(ops: number, window: number, send: Send): Promise<void> {
  if (ops === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    let sent = 0
    let answered = 0
    const answer: Settle = (error) => {
      if (error instanceof Error) reject(error)
      else if (sent < ops) send(sent++, answer)
      if (++answered === ops) resolve()
    }
    while (sent < Math.min(window, ops)) send(sent++, answer)
  })
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
