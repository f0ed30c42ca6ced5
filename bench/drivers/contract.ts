/**
 * How the benchmark talks with a client under measurement, whatever language it is written in. A
 * driver is started with `<connect string> <root path>`; it connects, makes the root, and says
 * `{"ready":true}`. Then it takes one command a line, `{"id":1,"workload":"get",...}`, and answers
 * `{"id":1,"result":{...}}` or `{"id":1,"error":"..."}`. At the end of its input it closes its
 * client and exits.
 */
export interface Task {
  readonly workload: Workload
  /** The operations to measure, at most. */
  readonly ops: number
  /** Operations before those, for compilers and caches to settle; at most, too. */
  readonly warmup: number
  /** How long to measure at most, and to warm up: a slow client is measured with fewer operations. */
  readonly seconds: number
  /**
   * How many operations are without an answer at a time. One is one after the other, by the
   * synchronous call where a client has that.
   */
  readonly window: number
  /** Bytes of a node's data. */
  readonly valueSize: number
}

/**
 * `multi` is one transaction of a hundred sets, `watch` the time from a set in one session to its
 * event in another of the same process.
 */
type Workload = 'get' | 'set' | 'create' | 'delete' | 'multi' | 'watch'

export const multiParts = 100

/** What a driver answers to a task; null when its client cannot do such a thing. */
export interface Measurement {
  /** The operations that were measured. */
  readonly ops: number
  readonly opsPerSecond: number
  /** From the call to its answer, the time in the client's own queue included. */
  readonly p50Micros: number
  readonly p99Micros: number
  /** Of the whole process, all its threads, during the measured operations. */
  readonly cpuMicrosPerOp: number
  readonly rssMegabytes: number
}
