/** How much is measured. */
export interface Effort {
  readonly rounds: number
  /** Operations of a point. */
  readonly ops: number
  readonly warmup: number
  /** How long a point may take, for each client. */
  readonly seconds: number
  /** The tree of a great many nodes: so many children below each of so many parents. */
  readonly parents: number
  readonly children: number
  readonly idleSessions: number
}

/** The median of five, as the goals are put. */
const fullEffort: Effort = Object.freeze({
  rounds: 5,
  ops: 20_000,
  warmup: 10_000,
  seconds: 20,
  parents: 1_000,
  children: 1_000,
  idleSessions: 1_000,
})

/** Shows that everything works; its figures mean nothing. */
const quickEffort: Effort = Object.freeze({
  rounds: 1,
  ops: 2_000,
  warmup: 500,
  seconds: 5,
  parents: 20,
  children: 100,
  idleSessions: 50,
})

export function effortOf(quick: boolean): Effort {
  return quick ? quickEffort : fullEffort
}

/** How the figures of the rounds came to be, for the reader of the table. */
export function describeEffort({ rounds, ops, warmup }: Effort): string {
  const [operations, before] = [ops, warmup].map((count) => count.toLocaleString('en'))
  return `the median of ${rounds} interleaved rounds, ${operations} operations after ${before} to warm up, 100-byte values`
}
