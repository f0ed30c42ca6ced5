import { multiParts, type Task } from '../drivers/contract.ts'
import type { Effort } from '../measure/effort.ts'
import type { Measured } from '../measure/rounds.ts'
import type { Goal } from '../report/report.ts'

const valueSize = 100

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

/**
 * Where the client is the limit: a server that costs next to nothing. The clients differ by a factor
 * of fifty there, so that all get the same time and do what they can in it.
 */
export function ceilingPoints({ ops, warmup, ...rest }: Effort): Measured[] {
  const effort = { ...rest, ops: ops * 10, warmup: warmup * 3, seconds: 1 }
  const ceiling = { throughput: { atLeast: 4 } }
  return [
    sequential({ ...effort, ops }, {}),
    throughput('get', 100, effort, {}),
    throughput('get', 1_000, effort, ceiling),
    throughput('set', 100, effort, {}),
    throughput('set', 1_000, effort, ceiling),
    throughput('create', 1_000, effort, {}),
    throughput('delete', 1_000, effort, {}),
    multi(1, effort, {}),
    multi(10, effort, { throughput: { atLeast: 2 } }),
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
    metrics: [
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
    metrics: [
      { what, unit: 'ops/s', of: (m) => m.opsPerSecond, ...withGoal(goals.throughput) },
      { what: '– CPU', unit: 'µs/op', of: (m) => m.cpuMicrosPerOp, ...withGoal(goals.cpu) },
    ],
  }
}

/** Counted by their parts, so that a transaction can be set against single operations. */
function multi(window: number, effort: Effort, goals: Goals): Measured {
  const order = window === 1 ? 'one after the other' : `${window} in flight`
  const what = `multi of ${multiParts} sets, ${order}`
  // Ten times as many parts as other points have operations: fewer transactions would be over before
  // the compilers of Java and Node have done their work.
  const task: Task = {
    workload: 'multi',
    window,
    valueSize,
    ops: effort.ops / 10,
    warmup: effort.warmup / 10,
    seconds: effort.seconds,
  }
  return {
    point: { label: what, task },
    metrics: [
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
    seconds: effort.seconds,
  }
  return {
    point: { label: 'watch, from set to event', task },
    metrics: [
      { what: 'watch, from set to event, p50', unit: 'µs', of: (m) => m.p50Micros },
      { what: '– p99', unit: 'µs', of: (m) => m.p99Micros },
      // The last point of a round: what the process has come to need.
      { what: 'memory (RSS) after all of the above', unit: 'MB', of: (m) => m.rssMegabytes },
    ],
  }
}

function counts({ ops, warmup, seconds }: Effort): Pick<Task, 'ops' | 'warmup' | 'seconds'> {
  return { ops, warmup, seconds }
}
