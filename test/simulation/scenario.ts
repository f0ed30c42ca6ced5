/** What happens in a simulation, as data: made from a seed, printable, and able to lose parts. */
import type { MachineClock } from './process.ts'
import type { Situation } from './situation.ts'

export interface JobPlan {
  readonly jobName: string
  /** Seconds between fires: a divisor of 60. */
  readonly period: number
  readonly total: number
  readonly failover: boolean
  readonly misfire: boolean
  readonly staticSharding: boolean
  readonly strategy: string
  /** Whether runs are written down; else nothing is promised but that they come. */
  readonly monitorExecution: boolean
  /** Whether instances of Java's take part. */
  readonly isMixed: boolean
  /** How long its code takes, in milliseconds: at least, and at most. */
  readonly work: readonly [number, number]
  /** What share of its runs fail, and what share pays no heed to its abort. */
  readonly failing: number
  readonly deaf: number
  /** What share of its runs save offsets. */
  readonly saving: number
  /** The longest that a run may take, in milliseconds; 0 for no limit. */
  readonly timeout: number
  readonly catchUp: 'skip' | 'once' | 'all'
  readonly timeZone: string | undefined
  /** Whether it has a once-per-run listener. */
  readonly hasListener: boolean
}

/** What is done to the cluster. `slot`: the place of a process, whoever is there at the time. */
export type Action =
  | { readonly kind: 'cut' | 'lose-reply' | 'expire'; readonly slot: number }
  /** `suspend`: the machine, with all its clocks but the one since its boot. */
  | { readonly kind: 'freeze' | 'suspend'; readonly slot: number; readonly for: number }
  | {
      readonly kind: 'partition'
      readonly slot: number
      /** What does not arrive. */
      readonly way: 'both' | 'to server' | 'to client'
      /** From which server; undefined for all. */
      readonly host: number | undefined
      readonly for: number
    }
  /** Every turn of the loop takes so many milliseconds. */
  | {
      readonly kind: 'slow-cpu'
      readonly slot: number
      readonly turn: number
      readonly for: number
    }
  | {
      readonly kind: 'slow'
      readonly slot: number
      readonly to: 'server' | 'client'
      readonly delay: number
      readonly for: number
    }
  | {
      readonly kind: 'crash'
      readonly slot: number
      readonly silent: boolean
      readonly back: number
    }
  | { readonly kind: 'stop'; readonly slot: number; readonly back: number }
  | { readonly kind: 'join'; readonly count: number }
  | { readonly kind: 'clock-jump'; readonly slot: number; readonly by: number }
  | { readonly kind: 'server-pause'; readonly host: number; readonly for: number }
  | { readonly kind: 'server-restart'; readonly host: number }
  | {
      readonly kind: 'server-cut'
      readonly host: number
      readonly other: number
      readonly for: number
    }
  | {
      readonly kind: 'server-lag'
      readonly host: number
      readonly by: number
      readonly for: number
    }
  | { readonly kind: 'set-total'; readonly job: number; readonly total: number }
  | { readonly kind: 'set-period'; readonly job: number; readonly period: number }
  | { readonly kind: 'set-failover'; readonly job: number; readonly failover: boolean }
  | { readonly kind: 'set-misfire'; readonly job: number; readonly misfire: boolean }
  | { readonly kind: 'set-strategy'; readonly job: number; readonly strategy: string }
  | { readonly kind: 'reshard'; readonly job: number }
  | {
      readonly kind: 'disable-server'
      readonly job: number
      readonly slot: number
      readonly for: number
    }
  | {
      readonly kind: 'disable-shard'
      readonly job: number
      readonly shard: number
      readonly for: number
    }
  | {
      readonly kind: 'trigger'
      readonly job: number
      readonly slot: number
      readonly as: 'round' | 'node'
    }
  | { readonly kind: 'delete-instance'; readonly job: number; readonly slot: number }
  | { readonly kind: 'pause-job'; readonly job: number; readonly for: number }
  | {
      readonly kind: 'pause-server'
      readonly job: number
      readonly slot: number
      readonly for: number
    }
  | {
      readonly kind: 'trigger-items'
      readonly job: number
      readonly slot: number
      readonly shards: readonly number[]
    }
  /** An operator wants the present run of a shard to end. */
  | { readonly kind: 'stop-run'; readonly job: number; readonly shard: number }
  /** An operator asks an instance to leave the job. */
  | { readonly kind: 'ask-shutdown'; readonly job: number; readonly slot: number }
  /** An operator writes what cannot be read into a node of a job, and puts it right later. */
  | { readonly kind: 'corrupt-config'; readonly job: number; readonly for: number }
  /** Nobody but the operator may read or change a node of a job for a while. */
  | {
      readonly kind: 'deny-access'
      readonly job: number
      readonly node: string
      readonly for: number
    }
  /** All servers start again without any data. */
  | { readonly kind: 'wipe' }
  /** All servers start again with the data of so many milliseconds ago. */
  | { readonly kind: 'restore'; readonly age: number }
  /** The registry's wall clock is set: what is written from now on has other times. */
  | { readonly kind: 'registry-clock-jump'; readonly by: number }

export type Event = Action & {
  readonly at: number
  /** It waits until a job is in this situation. */
  readonly when?: Situation & { readonly job: number }
}

export interface Scenario {
  readonly seed: number
  readonly servers: 1 | 3
  readonly instances: number
  /** How many of the places, the last ones, have a process of Java's. */
  readonly java: number
  /** The clocks of the machine in each place. */
  readonly clocks: readonly MachineClock[]
  readonly sessionTimeout: number
  /** The servers' tick. */
  readonly tickTime: number
  readonly jobs: readonly JobPlan[]
  readonly events: readonly Event[]
  /** When the troubles end, and when everything does at the latest. */
  readonly calmFrom: number
  readonly end: number
}

/** Where all jobs stand. */
export const namespace = 'sim'
export const minute = 60_000
/** So many fire times of every job have to be run in calm. */
export const calmTimes = 3
/** Seconds between fire times. */
export const periods: readonly number[] = [2, 3, 5, 10, 15, 20, 30]

export const strategies: readonly string[] = [
  'AVG_ALLOCATION',
  'AVG_ALLOCATION',
  'ODEVITY',
  'ROUND_ROBIN',
  'STICKY',
]

const halfMinute = 30_000
/** Shortly before a half minute nothing has just fired, whatever the period, and nothing runs. */
const beforeFires = 500
/** For so long after the troubles fire times may still be reported. */
const leastCalm = minute

/** The end that such a moment of calm has. */
export function endAfter(time: number): number {
  return Math.ceil((time + beforeFires) / halfMinute) * halfMinute - beforeFires
}

/** When a simulation may end: each of them, until nothing is left open. */
export function endsOf({ calmFrom, end }: Scenario): number[] {
  const ends: number[] = []
  for (let time = endAfter(calmFrom + leastCalm); time < end; time += halfMinute) ends.push(time)
  return [...ends, end]
}

export function cronOf(period: number): string {
  return `0/${period} * * * * ?`
}
