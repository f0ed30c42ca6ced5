/** What a simulation has seen: of the code that ran, of the wire and of the server; no opinion of the product's. */
import type { Span } from './session-log.ts'
import type { Transaction } from './registry.ts'

/** A run as the user's code has seen it. Times are simulated milliseconds since the beginning. */
export interface BodyRun {
  readonly process: string
  readonly instance: string
  readonly jobName: string
  readonly item: number
  readonly runId: string
  readonly source: string
  readonly fireTime: number
  readonly attempt: number
  readonly token: bigint | undefined
  readonly begin: number
  end: number | undefined
  result: 'success' | 'failure' | 'aborted' | 'died' | undefined
  abortedAt: number | undefined
}

/** A run of Java's, as its code has seen it. */
export interface JavaRun {
  readonly process: string
  readonly instance: string
  readonly jobName: string
  readonly item: number
  /** When Java last saw that nobody runs the item. */
  readonly checkedAt: number
  /** Whether it began because a scheduled time had come. */
  readonly isFire: boolean
  readonly begin: number
  end: number | undefined
}

/** An item's word as the server holds it. */
export interface Word {
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
}

/** A transaction that set an item's word. */
export interface WordChange {
  readonly zxid: number
  readonly at: number
  readonly jobName: string
  readonly item: number
  readonly word: Word
}

/** What the product said, for the timeline only. */
export interface Told {
  readonly at: number
  readonly process: string
  readonly name: string
  readonly text: string
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
  /** From here on every fire of every item has to be run. */
  readonly fires: readonly number[]
}

export interface History {
  readonly seed: number
  /** Wall-clock time of the beginning. */
  readonly epoch: number
  readonly end: number
  /** By how much the registry's clock is ahead of everybody's in the end. */
  readonly registryAhead: number
  readonly runs: readonly BodyRun[]
  readonly javaRuns: readonly JavaRun[]
  readonly words: readonly WordChange[]
  readonly leases: ReadonlyMap<bigint, readonly Span[]>
  /** The session of each instance, and when it ended, by the server's account. */
  readonly sessionOf: ReadonlyMap<string, bigint>
  /** Instances that more than one session called itself by. */
  readonly reused: readonly string[]
  /** The transactions by which instances have said that they are gone: the session may outlive it if its end is lost. */
  readonly left: ReadonlyMap<string, number>
  readonly closed: ReadonlyMap<bigint, { readonly zxid: number; readonly at: number }>
  /** Sessions that were ended by force, before their time: nobody could know it. */
  readonly forced: ReadonlySet<bigint>
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
  readonly told: readonly Told[]
  readonly done: readonly Done[]
  readonly transactions: readonly Transaction[]
  /** When each of them came about. */
  readonly committedAt: readonly number[]
}

export interface Violation {
  readonly rule: string
  readonly at: number
  readonly text: string
  readonly jobName?: string
  readonly item?: number
}
