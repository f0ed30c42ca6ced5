/** Where everything stands: Java's tree below the namespace, and our own beside it. */
import type { RoundPhase } from '../events.ts'

/** `/{namespace}.state`: what only instances of ours read. Java takes every child of the namespace for a job. */
export class StatePaths {
  readonly root: string
  /** One ephemeral node for each session: it is created first and deleted last. */
  readonly alive: string
  /** Nodes that nobody watches, written to prove a session. */
  readonly lease: string
  /** One word for each job. */
  readonly jobs: string
  /**
   * One word for each item. Not below `jobs`: a process watches all job words with one watch, which
   * must not bring it the events of every run of everybody.
   */
  readonly execution: string
  /** What instances have counted, where a job asks for it; made when the first of them has something to say. */
  readonly statistics: string

  constructor(namespace: string) {
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
  readonly epoch: string
  readonly items: string
  /** The job's word. */
  readonly word: string
  /** The folder of the items' words. Its own data say whom a round's listeners were called by. */
  readonly words: string
  readonly #state: StatePaths
  readonly #jobName: string

  constructor(namespace: string, state: StatePaths, jobName: string) {
    const root = `/${namespace}/${jobName}`
    this.root = root
    this.config = `${root}/config`
    this.leaderInstance = `${root}/leader/election/instance`
    this.epoch = `${root}/leader/sharding`
    this.items = `${root}/sharding`
    this.word = `${state.jobs}/${jobName}`
    this.words = `${state.execution}/${jobName}`
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

  get failoverItems(): string {
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

  /** Where Java's instances say which items of a round have begun, and which have ended. */
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

  item(item: number): string {
    return `${this.items}/${item}`
  }

  owner(item: number): string {
    return `${this.items}/${item}/instance`
  }

  mark(item: number, mark: ItemMark): string {
    return `${this.items}/${item}/${mark}`
  }

  failoverItem(item: number): string {
    return `${this.failoverItems}/${item}`
  }

  trigger(instance: string): string {
    return `${this.triggers}/${instance}`
  }

  offset(item: number): string {
    return `${this.offsets}/${item}`
  }

  /** The folder of the items that have begun, or that have ended. */
  guaranteed(phase: RoundPhase): string {
    return `${this.guarantee}/${phase}`
  }

  guaranteedItem(phase: RoundPhase, item: number): string {
    return `${this.guarantee}/${phase}/${item}`
  }

  guaranteeLatch(phase: RoundPhase): string {
    return `${this.guarantee}/${phase}-latch`
  }

  itemWord(item: number): string {
    return `${this.words}/${item}`
  }
}

/** What may stand below `sharding/{i}` beside its owner. */
export const itemMarks = ['running', 'misfire', 'disabled', 'failover', 'failovering'] as const
export type ItemMark = (typeof itemMarks)[number]
