/** A cluster as values: the tree, what each instance last read of it, what it runs, and what has happened. */
import {
  encodeAssignment,
  noAssignment,
} from '../../packages/core/src/job-tree/stored-assignment.ts'
import { serverOf } from '../../packages/core/src/job-tree/instance-id.ts'
import type { ShardState } from '../../packages/core/src/job-tree/shard-state.ts'
import { encodeJobState, noJobState } from '../../packages/core/src/job-tree/job-state.ts'
import type { Member } from '../../packages/core/src/job-tree/member.ts'
import { part } from '../../packages/core/src/registry/transaction.ts'
import { emptyTree, hash, type Tree } from './tree.ts'
import { paths, state } from './view.ts'

/** The time between two fires, and the first moment of every scenario: a fire time. */
export const period = 10_000
export const start = 1_000_000
/** What passed longer ago is due for nobody. */
export const window = 25_000
export const maximumAttempts = 2

/** What the job's configuration says, as far as plans are told of it. */
export interface Settings {
  readonly total: number
  readonly failover: boolean
  readonly misfire: boolean
  readonly staticSharding?: boolean
  /** Grows with every change of the schedule; the fire times stay the same. */
  readonly schedule?: number
}

/** A run whose code is running, or whose claim may hold although its reply was lost. */
export interface Run {
  readonly shard: number
  readonly runId: string
  /** The shard state before the claim, and as the claim wrote it. */
  readonly before: ShardState
  readonly claimed: ShardState
  /** The version of the shard state that the claim wrote. */
  readonly version: number
  readonly key: string
  /** The reply was lost: no code has begun. */
  readonly isUnsure: boolean
}

export interface Instance {
  readonly id: string
  /** `new`: not registered yet; `left`: it gave up its instance node, its session lives on; `gone`: expired. */
  readonly status: 'new' | 'up' | 'left' | 'gone'
  /** The tree as its replica shows it, and the tree it last read shard states from: never newer than the replica. */
  readonly view: Tree
  readonly read: Tree
  readonly runs: readonly Run[]
}

/** What is known of one attempt at one fire time or manual run, whatever the tree says. */
export interface Attempt {
  readonly shard: number
  readonly key: string
  readonly attempt: number
  readonly instance: string
  readonly runId: string
  readonly state: 'running' | 'completed' | 'crashed' | 'handed over' | 'released'
}

/** How often something may still happen: what bounds a scenario. */
export interface Budget {
  readonly deaths: number
  readonly departures: number
  readonly fires: number
  readonly lostReplies: number
  /** Runs that end without having begun: their claims came too late for something. */
  readonly releases: number
  readonly actions: number
}

export interface Cluster {
  readonly tree: Tree
  readonly time: number
  readonly instances: readonly Instance[]
  readonly history: readonly Attempt[]
  readonly budget: Budget
}

export function memberOf(id: string): Member {
  let member = members.get(id)
  if (member === undefined) {
    member = { instance: id, ip: serverOf(id), paths }
    members.set(id, member)
  }
  return member
}

const members = new Map<string, Member>()

export function writeSettings(settings: Settings): string {
  return JSON.stringify(settings)
}

const known = new Map<string, Settings>()

export function readSettings(text: string): Settings {
  let settings = known.get(text)
  if (settings === undefined) {
    settings = JSON.parse(text) as Settings
    known.set(text, settings)
  }
  return settings
}

export function digestOfSchedule({ schedule = 0 }: Settings): string {
  return `schedule ${schedule}`
}

/** The job as `planCreation` makes it, with the folder that failover needs; nobody takes part yet. */
export function emptyJob(settings: Settings): Tree {
  const folders = [
    '/ns',
    ...state.folders,
    paths.root,
    paths.instances,
    paths.servers,
    paths.leader,
    paths.election,
    paths.failover,
    paths.failoverShards,
    paths.triggers,
    paths.shards,
    paths.shardStates,
  ]
  const schedule = { digest: digestOfSchedule(settings), since: start - period }
  // No fire time has still to be accounted for: the leader may delete states of shards beyond the shard count at once.
  const jobState = { ...noJobState, schedule, timeline: [] }
  const tree = emptyTree.apply(
    [
      ...folders.map((path) => part.create(path)),
      part.create(paths.config, writeSettings(settings)),
      part.create(paths.assignment, encodeAssignment(noAssignment)),
      part.create(paths.jobState, encodeJobState(jobState)),
    ],
    '',
    start - period,
  )
  if (typeof tree === 'string') throw new Error(`the empty job is refused: ${tree}`)
  return tree
}

/** A number that equal clusters share: 52 bits of two hashes. */
export function hashOf({ tree, time, instances, history, budget }: Cluster): number {
  let low = tree.low ^ hash(`${time} ${Object.values(budget).join()}`, 17)
  let high = tree.high
  const mix = (value: number, other: number): void => {
    low = (Math.imul(low ^ value, 0x5bd1e995) + other) | 0
    high = (Math.imul(high ^ other, 0x85ebca6b) + value) | 0
  }
  for (const { status, view, read, runs } of instances) {
    mix(view.low, view.high)
    mix(read.low, read.high)
    const busy = runs.map(({ runId, version, isUnsure }) => `${runId} ${version} ${isUnsure}`)
    mix(hash(status, 1), hash(busy.join(), 2))
  }
  mix(hashOfHistory(history, 3), hashOfHistory(history, 5))
  return (low >>> 0) * 0x100000 + (high >>> 12)
}

/** Whatever the order in which shards got on. */
function hashOfHistory(history: readonly Attempt[], seed: number): number {
  let sum = 0
  for (const one of history) {
    const { shard, key, attempt, instance, runId } = one
    sum = (sum + hash(`${shard} ${key} ${attempt} ${instance} ${runId} ${one.state}`, seed)) | 0
  }
  return sum
}
