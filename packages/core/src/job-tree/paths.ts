/** Where everything stands: Java's tree below the namespace, and our own beside it. */
import type { BarrierPhase } from '../events.ts'

/** `/{namespace}.state`: what only instances of ours read. Java takes every child of the namespace for a job. */
export class StatePaths {
  /** `/{namespace}`: Java's tree, one child for each job. */
  readonly namespace: string
  readonly root: string
  /** One ephemeral node for each session: it is created first and deleted last. */
  readonly alive: string
  /** Nodes that nobody watches, written to prove a session. */
  readonly lease: string
  /** One state for each job. */
  readonly jobs: string
  /**
   * One state for each shard. Not below `jobs`: a process watches all job states with one watch, which must not bring
   * it the events of every run of everybody.
   */
  readonly execution: string
  /** What instances have counted, where a job asks for it; made when the first of them has something to say. */
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

  /** What has to exist before anything else, parents first. */
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

/**
 * The nodes of one job. The few that are asked for again and again are kept; a process with many jobs has
 * better use for the memory of the others.
 */
export class JobPaths {
  readonly root: string
  readonly config: string
  readonly leaderInstance: string
  /** The leader's epoch: the digest of the last resharding and the whole assignment. */
  readonly assignment: string
  readonly shards: string
  /** The job state. */
  readonly jobState: string
  /** The folder of the shard states. Its own data say whom a round's listeners were called by. */
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

  /** Where Java's instances say which shards of a manual run have begun, and which have ended. */
  get guarantee(): string {
    return `${this.root}/guarantee`
  }

  /** The folder of what instances have counted. */
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

  /** The folder of the shards that have begun, or that have ended. */
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

/** What may stand below `sharding/{i}` beside its owner. */
export const shardMarks = ['running', 'misfire', 'disabled', 'failover', 'failovering'] as const
export type ShardMark = (typeof shardMarks)[number]
