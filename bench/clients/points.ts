import { multiParts, type Task } from '../drivers/contract.ts'
import type { Point } from '../measure/rounds.ts'
import type { Figure, Goal } from '../report/report.ts'

/** How much is measured. */
export interface Effort {
  readonly rounds: number
  /** Operations of a point. */
  readonly ops: number
  readonly warmup: number
}

/** The median of five, as the goals are put. */
export const fullEffort: Effort = Object.freeze({ rounds: 5, ops: 50_000, warmup: 20_000 })

/** Shows that everything works; its figures mean nothing. */
export const quickEffort: Effort = Object.freeze({ rounds: 1, ops: 2_000, warmup: 500 })

const valueSize = 100

/** A point and what is shown of it. */
export interface Measured {
  readonly point: Point
  readonly figures: readonly Figure[]
}

/** Where the server is the limit: a real one. */
export function realServerPoints(effort: Effort): Measured[] {
  const pipelined = { throughput: { atLeast: 0.95 }, cpu: { atMost: 0.6 } }
  return [
    sequential(effort, { p50: { atMost: 1 } }),
    ...[100, 1_000, 10_000].map((window) => throughput('get', window, effort, pipelined)),
    ...[100, 1_000].map((window) => throughput('set', window, effort, pipelined)),
    ...[100, 1_000].map((window) => throughput('create', window, effort, pipelined)),
    ...[100, 1_000].map((window) => throughput('delete', window, effort, pipelined)),
    multi(1, effort, { throughput: { atLeast: 2 } }),
    multi(10, effort, {}),
    watch(effort),
  ]
}

/** Where the client is the limit: a server that costs next to nothing. */
export function ceilingPoints(effort: Effort): Measured[] {
  const ceiling = { throughput: { atLeast: 4 } }
  return [
    sequential(effort, {}),
    throughput('get', 100, effort, {}),
    throughput('get', 1_000, effort, ceiling),
    throughput('set', 100, effort, {}),
    throughput('set', 1_000, effort, ceiling),
    throughput('create', 1_000, effort, {}),
    throughput('delete', 1_000, effort, {}),
    multi(1, effort, {}),
    multi(10, effort, {}),
  ]
}

interface Goals {
  readonly throughput?: Goal
  readonly cpu?: Goal
  readonly p50?: Goal
}

const withGoal = (goal: Goal | undefined): { goal: Goal } | object =>
  goal === undefined ? {} : { goal }

function sequential(effort: Effort, goals: Goals): Measured {
  const task: Task = { workload: 'get', window: 1, valueSize, ...counts(effort) }
  return {
    point: { label: 'get, one after the other', task },
    figures: [
      { what: 'get, one after the other', unit: 'ops/s', of: (m) => m.opsPerSecond },
      { what: '– p50', unit: 'µs', of: (m) => m.p50Micros, ...withGoal(goals.p50) },
      { what: '– p99', unit: 'µs', of: (m) => m.p99Micros },
      { what: '– CPU', unit: 'µs/op', of: (m) => m.cpuMicrosPerOp },
    ],
  }
}

function throughput(
  workload: 'get' | 'set' | 'create' | 'delete',
  window: number,
  effort: Effort,
  goals: Goals,
): Measured {
  const what = `${workload}, ${window.toLocaleString('en')} in flight`
  const task: Task = { workload, window, valueSize, ...counts(effort) }
  return {
    point: { label: what, task },
    figures: [
      { what, unit: 'ops/s', of: (m) => m.opsPerSecond, ...withGoal(goals.throughput) },
      { what: '– CPU', unit: 'µs/op', of: (m) => m.cpuMicrosPerOp, ...withGoal(goals.cpu) },
    ],
  }
}

/** Counted by their parts, so that a transaction can be set against single operations. */
function multi(window: number, effort: Effort, goals: Goals): Measured {
  const order = window === 1 ? 'one after the other' : `${window} in flight`
  const what = `multi of ${multiParts} sets, ${order}`
  // Twice as many parts as other points have operations: a transaction has its own costs to warm up.
  const task: Task = {
    workload: 'multi',
    window,
    valueSize,
    ops: (effort.ops * 2) / multiParts,
    warmup: (effort.warmup * 2) / multiParts,
  }
  return {
    point: { label: what, task },
    figures: [
      {
        what,
        unit: 'sets/s',
        of: (m) => m.opsPerSecond * multiParts,
        ...withGoal(goals.throughput),
      },
      { what: '– p50', unit: 'µs', of: (m) => m.p50Micros },
      { what: '– CPU', unit: 'µs/set', of: (m) => m.cpuMicrosPerOp / multiParts },
    ],
  }
}

function watch(effort: Effort): Measured {
  const task: Task = {
    workload: 'watch',
    window: 1,
    valueSize,
    ops: effort.ops / 10,
    warmup: effort.warmup / 10,
  }
  return {
    point: { label: 'watch, from set to event', task },
    figures: [
      { what: 'watch, from set to event, p50', unit: 'µs', of: (m) => m.p50Micros },
      { what: '– p99', unit: 'µs', of: (m) => m.p99Micros },
      // The last point of a round: what the process has come to need.
      { what: 'memory (RSS) after all of the above', unit: 'MB', of: (m) => m.rssMegabytes },
    ],
  }
}

function counts({ ops, warmup }: Effort): { ops: number; warmup: number } {
  return { ops, warmup }
}
