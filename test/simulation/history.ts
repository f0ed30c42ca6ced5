/** What a simulation has seen: of the code that ran, of the wire and of the server; no opinion of the product's. */
import type { Coverage } from './coverage.ts'
import type { Span } from './session-log.ts'
import type { Transaction } from './registry.ts'
import type { Closed } from './tree-log.ts'

/** A run as the user's code has seen it. Times are simulated milliseconds since the beginning. */
export interface BodyRun {
  readonly process: string
  readonly instance: string
  readonly jobName: string
  readonly shard: number
  readonly runId: string
  readonly source: string
  readonly fireTime: number
  readonly attempt: number
  readonly token: bigint | undefined
  readonly begin: number
  end: number | undefined
  result: 'success' | 'failure' | 'aborted' | 'died' | undefined
  abortedAt: number | undefined
  /** The longest that it may take, in milliseconds; 0 for no limit. */
  readonly timeout?: number
  /** Whether it was told that it took too long. */
  isTimedOut?: boolean
  /** The offset that it was given, and those that it has saved. */
  readonly offset: string | undefined
  readonly saved: string[]
}

/** A run of Java's, as its code has seen it. */
export interface JavaRun {
  readonly process: string
  readonly instance: string
  readonly jobName: string
  readonly shard: number
  /** When Java last saw that nobody runs the shard. */
  readonly checkedAt: number
  /** Whether it began because a scheduled time had come. */
  readonly isFire: boolean
  readonly begin: number
  end: number | undefined
}

/** A shard state as the server holds it. */
export interface SeenState {
  readonly state: 'idle' | 'running' | 'crashed' | 'abandoned'
  readonly run: string
  readonly instance: string
  readonly fireTime: number
  readonly source?: string
  readonly attempt: number
  readonly round: number
  readonly begin: number
  readonly end: number
  readonly outcome?: string
  /** Up to then all fire times are accounted for. */
  readonly since?: number
}

/** A transaction that set a shard state. */
export interface StateChange {
  readonly zxid: number
  /** Grows with every transaction, also where zxids begin again. */
  readonly order: number
  /** How often the registry had lost something by then. */
  readonly era: number
  /** Not written by anybody: the registry was restored with it. */
  readonly isRestored?: boolean
  readonly at: number
  readonly jobName: string
  readonly shard: number
  readonly shardState: SeenState
}

/** What the product said, for the timeline only. */
export interface Told {
  readonly at: number
  readonly process: string
  readonly name: string
  readonly text: string
}

/** A process has seen the registry as it was after a transaction. */
export type Heard = readonly [at: number, order: number]

export interface Loss {
  readonly at: number
  /** The same by the registry's clock. */
  readonly time: number
  readonly kind: 'wiped' | 'restored' | 'deleted'
}

/** The registry's clock was set. */
export interface ClockJump {
  readonly at: number
  readonly ahead: number
}

/** A call of a once-per-run listener. */
export interface ListenerCall {
  readonly at: number
  readonly process: string
  readonly instance: string
  readonly jobName: string
  readonly method: 'beforeLastStarted' | 'afterLastCompleted'
  readonly fireTime: number
}

/** What was done to the cluster. */
export interface Done {
  readonly at: number
  readonly text: string
}

/** A job as it has to be in the end. */
export interface Expected {
  readonly jobName: string
  readonly total: number
  readonly failover: boolean
  readonly isMixed: boolean
  readonly monitorExecution: boolean
  readonly hasListener?: boolean
  /** From here on every fire of every shard has to be run. */
  readonly fires: readonly number[]
}

export interface History {
  readonly seed: number
  /** Wall-clock time of the beginning. */
  readonly assignment: number
  readonly sessionTimeout: number
  readonly end: number
  /** By how much the registry's clock is ahead of everybody's in the end. */
  readonly registryAhead: number
  /** When it was set, and by how much it was ahead then. */
  readonly clockJumps: readonly ClockJump[]
  readonly runs: readonly BodyRun[]
  readonly javaRuns: readonly JavaRun[]
  readonly listenerCalls: readonly ListenerCall[]
  readonly states: readonly StateChange[]
  readonly leases: ReadonlyMap<bigint, readonly Span[]>
  /** The session of each instance, and when it ended, by the server's account. */
  readonly sessionOf: ReadonlyMap<string, bigint>
  /** Instances that more than one session called itself by. */
  readonly reused: readonly string[]
  /** The transactions by which instances have said that they are gone: the session may outlive it if its end is lost. */
  readonly left: ReadonlyMap<string, number>
  readonly closed: ReadonlyMap<bigint, readonly Closed[]>
  /** The present era. */
  readonly era: number
  /** When the registry lost something, and what it was. */
  readonly losses: readonly Loss[]
  /** When each process first heard of so many transactions. */
  readonly heard: ReadonlyMap<string, readonly Heard[]>
  /** When transactions were sent, by their order, as far as their answer came. */
  readonly sentAt: ReadonlyMap<number, number>
  /** Sessions that were ended by force, before their time, and when: nobody could know it. */
  readonly forced: ReadonlyMap<bigint, number>
  /** When each process stood still. */
  readonly freezes: ReadonlyMap<string, readonly (readonly [number, number])[]>
  readonly expected: readonly Expected[]
  /** The tree in the end: paths and data. */
  readonly tree: ReadonlyMap<string, string>
  /** Runs that an operator wanted to end. */
  readonly stopped: ReadonlySet<string>
  /** Promises of the product that were not kept in time. */
  readonly hanging: readonly string[]
  readonly problems: readonly string[]
  /** Which faults have met which situations. */
  readonly coverage: Coverage
  readonly told: readonly Told[]
  readonly done: readonly Done[]
  readonly transactions: readonly Transaction[]
  /** When each of them came about. */
  readonly committedAt: readonly number[]
  /** Grow with every one of them, also where zxids begin again. */
  readonly orders: readonly number[]
}

export interface Violation {
  readonly rule: string
  readonly at: number
  readonly text: string
  readonly jobName?: string
  readonly shard?: number
}
