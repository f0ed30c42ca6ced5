/** The paths of all nodes: Java's tree below the namespace, and the native one beside it. */
import type { BarrierPhase } from '../events.ts'

/** `/{namespace}.state`: read by native instances only. Java treats every child of the namespace as a job. */
export class StatePaths {
  /** `/{namespace}`: Java's tree, one child for each job. */
  readonly namespace: string
  readonly root: string
  /** One ephemeral node for each session: the first that is created and the last that is deleted. */
  readonly alive: string
  /** Unwatched nodes, written to prove a session. */
  readonly lease: string
  /** One state for each job. */
  readonly jobs: string
  /**
   * One state for each shard. Not below `jobs`: a process watches all job states with one watch, which must not deliver
   * the events of every run of every instance.
   */
  readonly execution: string
  /** The statistics of instances, for jobs that record them; created with the first entry. */
  readonly statistics: string

  constructor(namespace: string) {
    this.namespace = `/${namespace}`
    this.root = `/${namespace}.state`
    this.alive = `${this.root}/alive`
    this.lease = `${this.root}/lease`
    this.jobs = `${this.root}/jobs`
    this.execution = `${this.root}/execution`
    this.statistics = `${this.root}/statistics`
  }

  /** The folders that have to exist before anything else, parents first. */
  get folders(): readonly string[] {
    return [this.root, this.alive, this.lease, this.jobs, this.execution]
  }

  /** The nodes whose loss means that the registry's data were lost. */
  get roots(): readonly string[] {
    return [this.namespace, this.root]
  }

  aliveNode(instance: string): string {
    return `${this.alive}/${instance}`
  }

  leaseNode(instance: string): string {
    return `${this.lease}/${instance}`
  }
}

/** The paths of one job. Only frequently used ones are stored, to save memory in a process with many jobs. */
export class JobPaths {
  readonly root: string
  readonly config: string
  readonly leaderInstance: string
  /** The assignment: the digest of the last resharding and the owner of every shard. Its version is the epoch. */
  readonly assignment: string
  readonly shards: string
  /** The job state. */
  readonly jobState: string
  /** The folder of the shard states. Its own data is the barrier state: the calls of once-per-run listeners. */
  readonly shardStates: string
  readonly #state: StatePaths
  readonly #jobName: string

  constructor(namespace: string, state: StatePaths, jobName: string) {
    const root = `/${namespace}/${jobName}`
    this.root = root
    this.config = `${root}/config`
    this.leaderInstance = `${root}/leader/election/instance`
    this.assignment = `${root}/leader/sharding`
    this.shards = `${root}/sharding`
    this.jobState = `${state.jobs}/${jobName}`
    this.shardStates = `${state.execution}/${jobName}`
    this.#state = state
    this.#jobName = jobName
  }

  get instances(): string {
    return `${this.root}/instances`
  }

  get servers(): string {
    return `${this.root}/servers`
  }

  get leader(): string {
    return `${this.root}/leader`
  }

  get election(): string {
    return `${this.root}/leader/election`
  }

  get electionLatch(): string {
    return `${this.root}/leader/election/latch`
  }

  get necessary(): string {
    return `${this.root}/leader/sharding/necessary`
  }

  get processing(): string {
    return `${this.root}/leader/sharding/processing`
  }

  get failover(): string {
    return `${this.root}/leader/failover`
  }

  get failoverShards(): string {
    return `${this.root}/leader/failover/items`
  }

  get failoverLatch(): string {
    return `${this.root}/leader/failover/latch`
  }

  get triggers(): string {
    return `${this.root}/trigger`
  }

  get offsets(): string {
    return `${this.root}/offset`
  }

  get nextInstanceIp(): string {
    return `${this.root}/next-job-instance-ip`
  }

  /** Where Java instances record which shards of a run have started, and which have completed. */
  get guarantee(): string {
    return `${this.root}/guarantee`
  }

  /** The folder of the statistics. */
  get statistics(): string {
    return `${this.#state.statistics}/${this.#jobName}`
  }

  instance(instance: string): string {
    return `${this.instances}/${instance}`
  }

  server(ip: string): string {
    return `${this.servers}/${ip}`
  }

  shard(shard: number): string {
    return `${this.shards}/${shard}`
  }

  owner(shard: number): string {
    return `${this.shards}/${shard}/instance`
  }

  mark(shard: number, mark: ShardMark): string {
    return `${this.shards}/${shard}/${mark}`
  }

  failoverShard(shard: number): string {
    return `${this.failoverShards}/${shard}`
  }

  trigger(instance: string): string {
    return `${this.triggers}/${instance}`
  }

  offset(shard: number): string {
    return `${this.offsets}/${shard}`
  }

  /** The folder of the shards that have started, or that have completed. */
  guaranteed(phase: BarrierPhase): string {
    return `${this.guarantee}/${phase}`
  }

  guaranteedShard(phase: BarrierPhase, shard: number): string {
    return `${this.guarantee}/${phase}/${shard}`
  }

  guaranteeLatch(phase: BarrierPhase): string {
    return `${this.guarantee}/${phase}-latch`
  }

  shardState(shard: number): string {
    return `${this.shardStates}/${shard}`
  }
}

/** The possible children of `sharding/{i}` beside its owner. */
export const shardMarks = ['running', 'misfire', 'disabled', 'failover', 'failovering'] as const
export type ShardMark = (typeof shardMarks)[number]
