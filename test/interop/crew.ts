/** The processes that scenarios borrow: starting one costs more than a scenario. */
import type { JobOptions } from '@elasticjob/core'
import type { ZooKeeper } from '@elasticjob/zookeeper'
import { eventually } from '../zookeeper/harness/eventually.ts'
import { Journal } from './journal.ts'
import { Peer, recordedJob } from './peer.ts'
import { byFire, type Kind, missingIn, type Run, type Schedule, textOf } from './run.ts'

/** The jobs of all scenarios stand below it. */
export const namespace = 'interop'

/** A starved process is not dead: no test is about that, and none waits for it. */
const sessionTimeout = 40_000
/** Of those that tests kill: what they leave is nobody's for so long. */
const mortalSessionTimeout = 8_000
/** That of the servers that tests start. */
const tickTime = 500

export type PeerName = `${Kind} ${1 | 2 | 3 | 'mortal' | 'mortal-2'}`

export class Crew {
  readonly journal = new Journal()
  readonly registry: ZooKeeper
  readonly #servers: string
  readonly #peers = new Map<PeerName, Peer>()
  #jobs = 0
  #lastJob = ''

  constructor(servers: string, registry: ZooKeeper) {
    this.#servers = servers
    this.registry = registry
  }

  get servers(): string {
    return this.#servers
  }

  /** The processes of these names, each on a host of its own. */
  async take<const Names extends readonly PeerName[]>(
    ...names: Names
  ): Promise<{ [Index in keyof Names]: Peer }> {
    const peers: Peer[] = []
    for (const name of names) peers.push(await this.#one(name))
    return peers as { [Index in keyof Names]: Peer }
  }

  async #one(name: PeerName): Promise<Peer> {
    const known = this.#peers.get(name)
    if (known !== undefined && !known.hasEnded) return known
    const [kind, number] = name.split(' ') as [Kind, string]
    const isMortal = number.startsWith('mortal')
    const host = isMortal ? (number === 'mortal' ? 9 : 8) : number
    const options = {
      servers: this.#servers,
      namespace,
      sessionTimeout: isMortal ? mortalSessionTimeout : sessionTimeout,
      tickTime,
      ip: `10.0.${kind === 'java' ? 1 : 2}.${host}`,
    }
    const peer = await Peer.spawn(name, kind, options, this.journal)
    this.#peers.set(name, peer)
    return peer
  }

  /** A job that nobody knows yet. */
  job(title: string, options: Partial<JobOptions> = {}): JobOptions {
    this.#jobs += 1
    this.#lastJob = `${title}-${this.#jobs}`
    return {
      jobName: this.#lastJob,
      shardingTotalCount: 4,
      cron: '0/4 * * * * ?',
      jobClass: recordedJob,
      ...options,
    }
  }

  /** What became of the job that was made last. */
  lastStory(): string {
    return this.journal.storyOf(this.#lastJob)
  }

  pathOf({ jobName }: JobOptions, ...states: readonly string[]): string {
    return ['', namespace, jobName, ...states].join('/')
  }

  /** The text of a node; undefined if there is none. */
  async read(job: JobOptions, ...states: readonly string[]): Promise<string | undefined> {
    const node = await this.registry.get(this.pathOf(job, ...states)).catch(() => undefined)
    return node === undefined ? undefined : Buffer.from(node.data).toString()
  }

  /** Whether the job has a node, of whatever kind. */
  async isThere(job: JobOptions): Promise<boolean> {
    return (await this.registry.exists(this.pathOf(job))) !== undefined
  }

  async children(job: JobOptions, ...states: readonly string[]): Promise<readonly string[]> {
    return this.registry.children(this.pathOf(job, ...states)).then(
      ({ children }) => children,
      () => [],
    )
  }

  /** Who owns the shards, in their order. */
  async owners(job: JobOptions): Promise<readonly (string | undefined)[]> {
    const shards = (await this.children(job, 'sharding')).map(Number).toSorted((a, b) => a - b)
    return Promise.all(shards.map((shard) => this.read(job, 'sharding', `${shard}`, 'instance')))
  }

  /** Resolves when the leader is one of these instances. */
  async untilLeads(job: JobOptions, ...instances: readonly string[]): Promise<string> {
    return eventually(
      async () => {
        const leader = await this.read(job, 'leader', 'election', 'instance')
        return leader !== undefined && instances.includes(leader) ? leader : undefined
      },
      { what: `${instances.join(' or ')} leads`, timeoutMs: 60_000 },
    )
  }

  /** Resolves when exactly these instances own shards, all of them, and nothing is about to move. */
  async untilAssignedTo(
    job: JobOptions,
    ...instances: readonly string[]
  ): Promise<readonly string[]> {
    const expected = instances.toSorted().join()
    return eventually(
      async () => {
        if ((await this.read(job, 'leader', 'sharding', 'necessary')) !== undefined)
          return undefined
        const owners = await this.owners(job)
        const distinct = [...new Set(owners)].map(String).toSorted().join()
        return distinct === expected ? (owners as readonly string[]) : undefined
      },
      { what: `shards of ${job.jobName} with ${expected}`, timeoutMs: 90_000, intervalMs: 100 },
    )
  }

  /** Resolves when there are so many shards, each with an owner; gives the owners. */
  async untilCount(job: JobOptions, count: number): Promise<readonly string[]> {
    return eventually(
      async () => {
        const owners = await this.owners(job)
        if (owners.length !== count || owners.includes(undefined)) return undefined
        return owners as readonly string[]
      },
      { what: `${count} shards of ${job.jobName}`, timeoutMs: 90_000, intervalMs: 100 },
    )
  }

  /** Resolves when every shard has begun its run for one scheduled time after now; gives these runs. */
  async untilRuns(
    job: JobOptions,
    shards: number = job.shardingTotalCount,
  ): Promise<readonly Run[]> {
    const now = Date.now()
    return this.journal.until(`all ${shards} shards of ${job.jobName} run`, () => {
      const runs = this.journal.runsOf(job.jobName).filter(({ source }) => source === 'cron')
      for (const [fire, together] of byFire(runs)) {
        const begun = new Set(together.map(({ shard }) => shard))
        if (fire > now && begun.size === shards) return together
      }
      return undefined
    })
  }

  /**
   * Scheduled times of shards that nobody has run, without those of which a Java instance says itself that it had the
   * shard and left it out. These are told to whoever reads along.
   */
  missing({ jobName }: JobOptions, schedule: Schedule): readonly string[] {
    const missing: string[] = []
    for (const due of missingIn(this.journal.runsOf(jobName), schedule)) {
      const why = this.journal.javaLeftOut(jobName, due)
      if (why === undefined) missing.push(textOf(due))
      else process.stderr.write(`${jobName}: ${why}: Java has left out ${textOf(due)}\n`)
    }
    return missing
  }

  /** Resolves when this instance runs so many shards, none of which has ended. */
  async untilHangs(job: JobOptions, id: string, count: number): Promise<readonly Run[]> {
    return this.journal.until(`${count} runs that hang`, () => {
      const runs = this.journal
        .runsOf(job.jobName)
        .filter(({ instance, end }) => instance === id && end === undefined)
      return runs.length === count && runs
    })
  }

  /** Everybody leaves their jobs, and the scenario is over. */
  async rest(): Promise<void> {
    await Promise.all(
      [...this.#peers.values()].filter(({ hasEnded }) => !hasEnded).map((peer) => peer.leaveAll()),
    )
  }

  async disband(): Promise<void> {
    await Promise.all([...this.#peers.values()].map((peer) => peer.close()))
  }
}
