/** What happens in a simulation, as data: made from a seed, printable, and able to lose parts. */

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
}

/** What is done to the cluster. `slot`: the place of a process, whoever is there at the time. */
export type Deed =
  | { readonly kind: 'cut' | 'lose-reply' | 'expire'; readonly slot: number }
  | { readonly kind: 'partition' | 'freeze'; readonly slot: number; readonly for: number }
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
  | {
      readonly kind: 'disable-server'
      readonly job: number
      readonly slot: number
      readonly for: number
    }
  | {
      readonly kind: 'disable-shard'
      readonly job: number
      readonly item: number
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
      readonly items: readonly number[]
    }
  /** An operator wants the present run of an item to end. */
  | { readonly kind: 'stop-run'; readonly job: number; readonly item: number }
  /** An operator asks an instance to leave the job. */
  | { readonly kind: 'ask-shutdown'; readonly job: number; readonly slot: number }
  /** The registry's wall clock is set: what is written from now on has other times. */
  | { readonly kind: 'registry-clock-jump'; readonly by: number }

export type Event = Deed & { readonly at: number }

export interface Scenario {
  readonly seed: number
  readonly servers: 1 | 3
  readonly instances: number
  /** How many of the places, the last ones, have a process of Java's. */
  readonly java: number
  /** How far the clock of the process in each slot is off, in milliseconds. */
  readonly skews: readonly number[]
  readonly jobs: readonly JobPlan[]
  readonly events: readonly Event[]
  /** When the troubles end, and when everything does. */
  readonly calmFrom: number
  readonly end: number
}

/** Where all jobs stand. */
export const namespace = 'sim'
export const sessionTimeout = 15_000
/** How long the troubles last, in milliseconds. */
export const troubles = 300_000
export const minute = 60_000

export function cronOf(period: number): string {
  return `0/${period} * * * * ?`
}
