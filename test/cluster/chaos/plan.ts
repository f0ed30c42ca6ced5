/** What goes wrong in a chaos run, and when: all of it from the seed, before anything has begun. */
import { SeededRandom } from '@elasticjob/zookeeper/testing'
import type { WorkerClock } from './worker-options.ts'

/** Something that happens to one worker, or to all of them. */
export type WorkerFault =
  /** kill -9; another process takes its place. */
  | { readonly kind: 'instance killed'; readonly worker: number }
  /** SIGTERM: it drains and ends, and another takes its place. */
  | { readonly kind: 'instance drained'; readonly worker: number }
  /** SIGSTOP, and SIGCONT while its session still lives. */
  | { readonly kind: 'instance stopped'; readonly worker: number }
  /** SIGSTOP, and SIGCONT when its session is long over. */
  | { readonly kind: 'instance stopped beyond its session'; readonly worker: number }
  /** Nothing passes between it and these servers, and nobody is told. */
  | {
      readonly kind: 'instance cut from one server' | 'instance cut from all servers'
      readonly worker: number
      readonly servers: readonly number[]
    }
  /** Its connections are closed; it may connect again at once. */
  | { readonly kind: 'connections dropped'; readonly worker: number }
  /** kill -9 of everybody at once. */
  | { readonly kind: 'all instances killed' }
  /** Every worker drains and is replaced, one after the other. */
  | { readonly kind: 'rolling deploy' }

/** Something that happens to the ensemble. */
export type ServerFault =
  | { readonly kind: 'server killed' | 'server stopped'; readonly server: number }
  /** Whoever leads when it happens. */
  | { readonly kind: 'leader killed' | 'leader stopped' }
  /** SIGSTOP of two of three: nothing can be written. */
  | { readonly kind: 'majority stopped'; readonly servers: readonly number[] }
  | { readonly kind: 'link cut'; readonly servers: readonly [number, number] }
  /** The leader's link to one of its followers. */
  | { readonly kind: 'leader cut from a follower'; readonly follower: number }
  | { readonly kind: 'leader cut from all followers' }
  /** All data of all servers is gone when they come back. */
  | { readonly kind: 'registry wiped' }
  /** All servers come back with a backup that was made when the fault began. */
  | { readonly kind: 'registry restored' }
  /** Our own tree beside the namespace is deleted, by hand. */
  | { readonly kind: 'state deleted' }

export type Fault = WorkerFault | ServerFault

export interface Step<F extends Fault = Fault> {
  /** In milliseconds since the beginning. */
  readonly at: number
  /** How long it lasts, in milliseconds. */
  readonly lasts: number
  readonly fault: F
}

export interface ChaosPlan {
  readonly workers: readonly Step<WorkerFault>[]
  /** One after the other: a second fault of the ensemble waits until it has recovered from the first. */
  readonly servers: readonly Step<ServerFault>[]
  /** When a manual run is asked for, and of whom. */
  readonly rounds: readonly { readonly at: number; readonly worker: number }[]
  /** What operators do, one after the other. */
  readonly actions: readonly OperatorStep[]
  /** By worker: how its machine's clock differs. */
  readonly clocks: readonly WorkerClock[]
}

/** What an operator does to a job, and takes back. */
export type OperatorAction =
  | { readonly kind: 'job disabled' | 'job paused' | 'cron changed' | 'resharded' }
  | { readonly kind: 'server disabled' | 'server paused'; readonly worker: number }
  /** Fractions: of the job's shards. */
  | { readonly kind: 'shard disabled'; readonly shard: number }
  | { readonly kind: 'shard count lowered'; readonly by: number }

export interface OperatorStep {
  readonly at: number
  readonly lasts: number
  /** The job's place among those that have a schedule. */
  readonly job: number
  readonly action: OperatorAction
}

export interface PlanOptions {
  readonly seed: number
  /** In milliseconds. */
  readonly duration: number
  readonly workers: number
  readonly servers: number
  readonly sessionTimeout: number
  /** How many jobs have a schedule. */
  readonly jobs: number
}

export function planChaos(options: PlanOptions): ChaosPlan {
  const random = new SeededRandom(options.seed)
  return {
    workers: planWorkers(new SeededRandom(random.below(2 ** 31)), options),
    servers: planServers(new SeededRandom(random.below(2 ** 31)), options),
    rounds: planManualRuns(new SeededRandom(random.below(2 ** 31)), options),
    actions: planActions(new SeededRandom(random.below(2 ** 31)), options),
    clocks: planClocks(new SeededRandom(random.below(2 ** 31)), options),
  }
}

/** So many workers are always left alone, except when all are killed. */
const leftAlone = 2
/** A worker that was disturbed has this long until it may be disturbed again. */
const restingTime = 1500
/** What a rolling deploy takes, about. */
const deployTime = 20_000

type WorkerKind = WorkerFault['kind']

const workerKinds: readonly WorkerKind[] = [
  ...repeated<WorkerKind>('instance killed', 10),
  ...repeated<WorkerKind>('instance drained', 4),
  ...repeated<WorkerKind>('instance stopped', 6),
  ...repeated<WorkerKind>('instance stopped beyond its session', 6),
  ...repeated<WorkerKind>('instance cut from one server', 6),
  ...repeated<WorkerKind>('instance cut from all servers', 6),
  ...repeated<WorkerKind>('connections dropped', 3),
  'all instances killed',
  'rolling deploy',
]

function planWorkers(
  random: SeededRandom,
  { duration, workers, servers, sessionTimeout }: PlanOptions,
): Step<WorkerFault>[] {
  const kinds = new Deck(random, workerKinds)
  const freeFrom = Array.from({ length: workers }, () => 0)
  const steps: Step<WorkerFault>[] = []
  for (let at = 0; at < duration; at += between(random, 300, 2700)) {
    const free = numbersTo(workers).filter((worker) => (freeFrom[worker - 1] ?? 0) <= at)
    if (free.length <= leftAlone) continue
    const kind = kinds.next()
    const isOfAll = kind === 'all instances killed' || kind === 'rolling deploy'
    // Of all at once there is nobody who is still busy with something else.
    if (isOfAll) at = Math.max(at, ...freeFrom)
    const lasts = Math.min(lastingOf(random, kind, sessionTimeout), duration - at)
    if (lasts <= 0) break
    const touched = isOfAll ? numbersTo(workers) : [random.pick(free)]
    for (const worker of touched) freeFrom[worker - 1] = at + lasts + restingTime
    steps.push({ at, lasts, fault: workerFault(random, kind, touched[0] as number, servers) })
  }
  return steps
}

function workerFault(
  random: SeededRandom,
  kind: WorkerKind,
  worker: number,
  servers: number,
): WorkerFault {
  switch (kind) {
    case 'all instances killed':
    case 'rolling deploy':
      return { kind }
    case 'instance cut from one server':
      return { kind, worker, servers: [1 + random.below(servers)] }
    case 'instance cut from all servers':
      return { kind, worker, servers: numbersTo(servers) }
    default:
      return { kind, worker }
  }
}

function lastingOf(random: SeededRandom, kind: WorkerKind, sessionTimeout: number): number {
  switch (kind) {
    case 'instance killed':
    case 'instance drained':
      return between(random, 200, sessionTimeout * 1.3)
    case 'instance stopped':
      return between(random, 200, sessionTimeout * 0.6)
    case 'instance stopped beyond its session':
      return between(random, sessionTimeout * 1.2, sessionTimeout * 2)
    case 'instance cut from one server':
    case 'instance cut from all servers':
      return between(random, 500, sessionTimeout * 2)
    case 'connections dropped':
      return 1
    case 'all instances killed':
      return between(random, 200, sessionTimeout * 1.5)
    case 'rolling deploy':
      return deployTime
  }
}

type ServerKind = ServerFault['kind']

/** What may happen to a single server, too. */
const loneServerKinds: readonly ServerKind[] = [
  'server killed',
  'server stopped',
  'registry wiped',
  'registry restored',
  'state deleted',
]

const serverKinds: readonly ServerKind[] = [
  ...loneServerKinds,
  'leader killed',
  'leader stopped',
  'majority stopped',
  'link cut',
  'leader cut from a follower',
  'leader cut from all followers',
]

function planServers(
  random: SeededRandom,
  { duration, servers, sessionTimeout }: PlanOptions,
): Step<ServerFault>[] {
  const kinds = new Deck(random, servers === 1 ? loneServerKinds : serverKinds)
  const steps: Step<ServerFault>[] = []
  for (let at = between(random, 500, 3000); at < duration;) {
    const kind = kinds.next()
    const most = kind === 'registry restored' ? 4 : 1.7
    const lasts = Math.min(between(random, 300, sessionTimeout * most), duration - at)
    steps.push({ at, lasts, fault: serverFault(random, kind, servers) })
    at += lasts + between(random, 1000, 5000)
  }
  return steps
}

function serverFault(random: SeededRandom, kind: ServerKind, servers: number): ServerFault {
  switch (kind) {
    case 'server killed':
    case 'server stopped':
      return { kind, server: 1 + random.below(servers) }
    case 'majority stopped':
      return { kind, servers: shuffled(random, numbersTo(servers)).slice(0, 2) }
    case 'link cut': {
      const [one = 1, other = 2] = shuffled(random, numbersTo(servers))
      return { kind, servers: [one, other] }
    }
    case 'leader cut from a follower':
      return { kind, follower: random.below(servers - 1) }
    case 'leader killed':
    case 'leader stopped':
    case 'leader cut from all followers':
    case 'registry wiped':
    case 'registry restored':
    case 'state deleted':
      return { kind }
  }
}

function planManualRuns(
  random: SeededRandom,
  { duration, workers }: PlanOptions,
): { at: number; worker: number }[] {
  const rounds: { at: number; worker: number }[] = []
  for (let at = 1000; at < duration; at += between(random, 1000, 5000)) {
    rounds.push({ at, worker: 1 + random.below(workers) })
  }
  return rounds
}

const actionKinds: readonly OperatorAction['kind'][] = [
  'job disabled',
  'job paused',
  'server disabled',
  'server paused',
  'shard disabled',
  'cron changed',
  'shard count lowered',
  'resharded',
]

function planActions(random: SeededRandom, options: PlanOptions): OperatorStep[] {
  const kinds = new Deck(random, actionKinds)
  const jobs = new Deck(random, numbersTo(options.jobs))
  const steps: OperatorStep[] = []
  for (let at = between(random, 500, 2000); at < options.duration;) {
    const lasts = Math.min(between(random, 100, 6000), options.duration - at)
    const action = operatorAction(random, kinds.next(), options)
    steps.push({ at, lasts, job: jobs.next() - 1, action })
    at += lasts + between(random, 200, 3000)
  }
  return steps
}

function operatorAction(
  random: SeededRandom,
  kind: OperatorAction['kind'],
  { workers }: PlanOptions,
): OperatorAction {
  switch (kind) {
    case 'server disabled':
    case 'server paused':
      return { kind, worker: 1 + random.below(workers) }
    case 'shard disabled':
      return { kind, shard: random.fraction() }
    case 'shard count lowered':
      return { kind, by: random.fraction() }
    case 'job disabled':
    case 'job paused':
    case 'cron changed':
    case 'resharded':
      return { kind }
  }
}

/** Half of the machines are seconds off, and all of them drift, by what a bad quartz does. */
function planClocks(random: SeededRandom, { workers }: PlanOptions): WorkerClock[] {
  return numbersTo(workers).map((worker) => ({
    ahead: worker % 2 === 0 ? between(random, -4000, 4000) : 0,
    drift: (random.fraction() - 0.5) * 0.001,
  }))
}

/** Every card comes before any comes again: also a short run sees all kinds. */
class Deck<T> {
  readonly #random: SeededRandom
  readonly #cards: readonly T[]
  #left: T[] = []

  constructor(random: SeededRandom, cards: readonly T[]) {
    this.#random = random
    this.#cards = cards
  }

  next(): T {
    if (this.#left.length === 0) this.#left = shuffled(this.#random, this.#cards)
    return this.#left.pop() as T
  }
}

function shuffled<T>(random: SeededRandom, list: readonly T[]): T[] {
  const rest = [...list]
  return list.map(() => rest.splice(random.below(rest.length), 1)[0] as T)
}

function repeated<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => value)
}

function between(random: SeededRandom, least: number, most: number): number {
  return Math.round(least + random.fraction() * (most - least))
}

function numbersTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1)
}
