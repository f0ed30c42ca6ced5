import type { Settle } from './bench-client.ts'
import type { Measurement } from './contract.ts'

/** Sends operation number `op`. */
type Send = (op: number, settle: Settle) => void

/** What ends a measurement: so many operations, or so much time. */
export interface Limit {
  readonly ops: number
  readonly seconds: number
}

/** Runs operations with at most a window of them unanswered, and measures them. */
export async function measure(limit: Limit, window: number, send: Send): Promise<Measurement> {
  const latencies = new Float64Array(limit.ops)
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  const deadline = started + limit.seconds * 1000
  let now = started
  const ops = await pipeline(
    (op) => op < limit.ops && now < deadline,
    window,
    (op, settle) => {
      const sentAt = performance.now()
      send(op, (error) => {
        now = performance.now()
        latencies[op] = now - sentAt
        settle(error)
      })
    },
  )
  const elapsed = performance.now() - started
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    ops,
    opsPerSecond: (ops / elapsed) * 1000,
    ...percentiles(latencies.subarray(0, ops)),
    cpuMicrosPerOp: (user + system) / ops,
    rssMegabytes: process.memoryUsage.rss() / 2 ** 20,
  }
}

/**
 * Every answer makes room for the next operation, as long as there are `more`. Resolves with how many
 * there were; fails with the first that fails.
 */
export function pipeline(
  more: (op: number) => boolean,
  window: number,
  send: Send,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let sent = 0
    let answered = 0
    let ended = false
    const sendNext = (): void => {
      if (!ended && more(sent)) send(sent++, answer)
      else ended = true
    }
    const answer: Settle = (error) => {
      answered++
      if (error instanceof Error) reject(error)
      else sendNext()
      if (ended && answered === sent) resolve(sent)
    }
    for (let slot = 0; slot < window; slot++) sendNext()
    if (sent === 0) resolve(0)
  })
}

/** So many operations, whatever they take. */
export function upTo(ops: number): (op: number) => boolean {
  return (op) => op < ops
}

/** In microseconds, of latencies in milliseconds. */
export function percentiles(latencies: Float64Array): Pick<Measurement, 'p50Micros' | 'p99Micros'> {
  const sorted = latencies.toSorted()
  const at = (share: number): number => (sorted[Math.floor(sorted.length * share)] ?? 0) * 1000
  return { p50Micros: at(0.5), p99Micros: at(0.99) }
}
