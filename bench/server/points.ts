import type { Effort } from '../measure/effort.ts'
import type { Task } from '../drivers/contract.ts'
import type { Metric, Goal } from '../report/report.ts'
import type { Measured } from '../measure/rounds.ts'

/** What both hold in memory; the real server writes a log even so, without waiting for the disk. */
export function memoryPoints(effort: Effort): Measured[] {
  return [
    ...[100, 1_000].map((window) => throughput('get', window, effort, { atLeast: 3 })),
    ...[100, 1_000].map((window) => throughput('set', window, effort, { atLeast: 2 })),
  ]
}

/** Each write is on the disk before it is answered. */
export function fsyncPoints(effort: Effort): Measured[] {
  return [100, 1_000].map((window) => throughput('set', window, effort, { atLeast: 1 }))
}

function throughput(
  workload: 'get' | 'set',
  window: number,
  { ops, warmup, seconds }: Effort,
  goal: Goal,
): Measured {
  const what = `${workload}, ${window.toLocaleString('en')} in flight`
  const task: Task = { workload, window, ops, warmup, seconds, valueSize: 100 }
  const metrics: Metric[] = [
    { what, unit: 'ops/s', of: (m) => m.opsPerSecond, goal },
    { what: '– p50', unit: 'µs', of: (m) => m.p50Micros },
    { what: '– p99', unit: 'µs', of: (m) => m.p99Micros },
  ]
  return { point: { label: what, task }, metrics }
}
