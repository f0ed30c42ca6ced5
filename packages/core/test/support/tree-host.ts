/** What the services of a job are given, on a hand-made tree: no socket, no clock, and faults where a test wants them. */
import type { Emit } from '../../src/events.ts'
import { noCatchUp } from '../../src/fire-times/catch-up.ts'
import type { DueContext } from '../../src/fire-times/due.ts'
import { FireHistory } from '../../src/fire-times/fire-history.ts'
import type { Code, ExecutionHost, ExecutionSettings } from '../../src/execution/host.ts'
import type { ClaimedRun } from '../../src/execution/run.ts'
import { DisabledPeriods } from '../../src/job-tree/disabled-periods.ts'
import { JobHealth } from '../../src/job-tree/job-health.ts'
import type { JobView } from '../../src/job-tree/job-view.ts'
import type { Committed, CommitUnit } from '../../src/registry/committer.ts'
import { RegistryError, type RegistryErrorCode } from '../../src/registry/registry-error.ts'
import type {
  PartResult,
  ReadPart,
  ReadResult,
  Stat,
  TransactionPart,
} from '../../src/registry/transaction.ts'
import type { JobTree } from '../tree.ts'
import { every } from './fires.ts'
import { readTree } from './tree-reader.ts'

export const period = 60_000

export class TreeHost {
  readonly tree: JobTree
  readonly instance: string
  /** Names and payloads of events. */
  readonly events: [name: string, payload: unknown][] = []
  /** The paths of each transaction that was committed. */
  readonly committed: (readonly string[])[] = []
  /** The paths of each read. */
  readonly reads: (readonly string[])[] = []
  /** Who was told to look again. */
  readonly told: ('changed' | 'look' | 'node missing')[] = []
  /** The runs whose code has begun. */
  readonly begun: ClaimedRun[] = []
  readonly disabledPeriods: DisabledPeriods = new DisabledPeriods()
  now = 1_000_000
  isReady = true
  isSynced = true
  isLeaseValid = true
  proofs = 0
  /** How many leases are held. */
  leases = 0
  /** How long ago a write has shown the registry's time. */
  timeAge = 0
  isStopping = false
  /** Grows whenever the mark of a run comes or goes. */
  marks = 0
  /** Shards that the leader gives to somebody else. */
  readonly givenAway = new Set<number>()
  settings: ExecutionSettings = {
    shardingTotalCount: 3,
    failover: true,
    misfire: true,
    monitorExecution: true,
  }
  /** Called for what is read, before it is answered; what it throws is the answer. */
  beforeRead: (paths: readonly string[]) => void = () => {}
  /** Called for each transaction; what it throws is the answer, and nothing is carried out. */
  beforeCommit: (paths: readonly string[]) => void = () => {}
  /** Called after each transaction that was carried out; what it throws is the answer. */
  afterCommit: (paths: readonly string[]) => void = () => {}
  /** The view that the replica shows; the tree as it is unless a test keeps an older one. */
  view: JobView | undefined = undefined
  readonly #given = new Map<string, unknown>()
  #runs = 0

  constructor(tree: JobTree, instance: string) {
    this.tree = tree
    this.instance = instance
  }

  get begunShards(): number[] {
    return this.begun.map(({ shard }) => shard)
  }

  /** What was told under a name. */
  payloads(name: string): unknown[] {
    return this.events.filter(([one]) => one === name).map(([, payload]) => payload)
  }

  get host(): ExecutionHost {
    const emit = ((name: string, payload: unknown) => {
      this.events.push([name, payload])
    }) as Emit
    const fires = every(period)
    const isStopping = (): boolean => this.isStopping
    const host = {
      jobName: this.tree.jobName,
      session: this.#session(),
      replica: this.#replica(),
      emit,
      health: new JobHealth(this.tree.jobName, emit),
      member: () => this.tree.member(this.instance),
      changed: () => this.told.push('changed'),
      look: () => this.told.push('look'),
      nodeMissing: () => this.told.push('node missing'),
      quiet: () => Promise.resolve(),
      settings: () => this.settings,
      dueContext: (now: number): DueContext => ({
        now,
        fires,
        latest: fires.latestAtOrBefore(now, now - period),
        oldest: now - period,
        misfire: this.settings.misfire,
        catchUp: noCatchUp,
        paused: false,
        since: 0,
        round: this.tree.view.jobState?.value.running,
      }),
      fireHistory: () => new FireHistory([{ from: 0, fires, total: 3 }], []),
      nextFireTime: (now: number) => fires.nextAfter(now),
      newRunId: () => `run-${++this.#runs}`,
      givesAway: (shard: number) => this.givenAway.has(shard),
      nextTurn: () => [],
      get isStopping() {
        return isStopping()
      },
      ready: () => {},
      startPriority: { enter: () => {}, leave: () => {}, afterwards: (act: () => void) => act() },
      codeOf: (): Code => ({
        begin: (runs) => this.begun.push(...runs),
      }),
    }
    return host as unknown as ExecutionHost
  }

  #replica(): unknown {
    const own: Record<PropertyKey, unknown> = {
      paths: this.tree.paths,
      disabledPeriods: this.disabledPeriods,
      // What is read here is always what the tree has.
      load: () => {},
    }
    return new Proxy(own, {
      get: (_, name) => {
        if (name === 'isSynced') return this.isSynced
        if (name === 'marks') return this.marks
        const value = own[name] ?? (this.view ?? this.tree.view)[name as keyof JobView]
        return name === 'jobState' || name === 'config' ? this.#same(name, value) : value
      },
    })
  }

  /** A replica gives the same object until its node changes. */
  #same(name: string, value: unknown): unknown {
    if (JSON.stringify(this.#given.get(name)) !== JSON.stringify(value))
      this.#given.set(name, value)
    return this.#given.get(name)
  }

  #session(): unknown {
    const isReady = (): boolean => this.isReady
    const timeAge = (): number => this.timeAge
    return {
      instance: this.instance,
      get isReady() {
        return isReady()
      },
      get timeAge() {
        return timeAge()
      },
      clock: { monotonic: () => this.now },
      now: () => this.now,
      reach: () => Promise.resolve(),
      client: { lease: this.#lease() },
      holdLease: () => {
        this.leases += 1
        return { release: () => void (this.leases -= 1) }
      },
      prove: () => {
        this.proofs += 1
        if (!this.isReady) return Promise.reject(failure('REGISTRY_CONNECTION_LOSS'))
        this.isLeaseValid = true
        this.timeAge = 0
        return Promise.resolve()
      },
      read: async (parts: readonly ReadPart[]): Promise<readonly ReadResult[]> => {
        const paths = parts.map(({ path }) => path)
        this.reads.push(paths)
        this.beforeRead(paths)
        return parts.map((part) => readTree(this.tree.server, part))
      },
      ensure: async (path: string) => {
        if (this.tree.server.get(path) === undefined) this.tree.server.put(path)
      },
      commit: async (parts: readonly TransactionPart[]) => this.#commit(parts),
      commitEach: (units: readonly CommitUnit[]) =>
        Promise.all(units.map((unit) => this.#outcomeOf(unit))),
    }
  }

  #lease(): unknown {
    const isValid = (): boolean => this.isLeaseValid
    return {
      get valid() {
        return isValid()
      },
    }
  }

  async #outcomeOf({ parts }: CommitUnit): Promise<Committed> {
    try {
      return { results: this.#commit(parts) }
    } catch (error) {
      return { error }
    }
  }

  #commit(parts: readonly TransactionPart[]): PartResult[] {
    const paths = parts.map(({ path }) => path)
    this.beforeCommit(paths)
    const outcome = this.tree.apply(parts, this.instance)
    if (outcome !== 'committed') throw failure(`REGISTRY_${outcome}`)
    this.committed.push(paths)
    this.afterCommit(paths)
    return parts.map(({ type, path }): PartResult => {
      const node = this.tree.server.get(path)
      return type === 'set' && node !== undefined
        ? { stat: { version: node.version, mzxid: node.mzxid } as Stat }
        : {}
    })
  }
}

/** An answer of the registry, or none: then nobody knows what came of the request. */
export function failure(code: RegistryErrorCode): RegistryError {
  return new RegistryError(code, code, { outcomeUnknown: code === 'REGISTRY_CONNECTION_LOSS' })
}
