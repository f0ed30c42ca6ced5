/**
 * Who owns what, as a client reads it that has nothing to do with the fleet: the leader's node
 * `leader/sharding` tells when something changed, and `sharding/{i}/instance` is compared with it.
 */
import { EventEmitter, once } from 'node:events'
import { isZooKeeperError, read, toText, type ZooKeeper } from '@elasticjob/zookeeper'
import type { WorkerJob } from './worker-options.ts'

/** What the leader of a job has written last. */
interface Assignment {
  readonly owners: readonly (string | undefined)[]
  readonly movingCount: number
  readonly version: number
  readonly writtenAt: number
}

/** The data of `leader/sharding`. */
interface LeaderNode {
  readonly instances: readonly string[]
  readonly runs: readonly (readonly [number, number])[]
  readonly moving?: Readonly<Record<string, number>>
}

/** Every shard of every job has one owner, and they are the ones who may own. */
export interface Settled {
  /** When the last job came to it, in milliseconds. */
  readonly at: number
}

const partsPerRead = 250

export class OwnersObserver {
  readonly #client: ZooKeeper
  readonly #namespace: string
  readonly #jobs: readonly WorkerJob[]
  readonly #assignments = new Map<string, Assignment>()
  readonly #changes = new EventEmitter<{ change: [] }>()
  #changeCount = 0

  private constructor(client: ZooKeeper, namespace: string, jobs: readonly WorkerJob[]) {
    this.#client = client
    this.#namespace = namespace
    this.#jobs = jobs
  }

  static async start(
    client: ZooKeeper,
    namespace: string,
    jobs: readonly WorkerJob[],
  ): Promise<OwnersObserver> {
    const observer = new OwnersObserver(client, namespace, jobs)
    for (const { jobName } of jobs) {
      await client.addWatch(observer.#epochPath(jobName), 'persistent', () => {
        void observer.#read(jobName)
      })
      await observer.#read(jobName)
    }
    return observer
  }

  /**
   * Resolves when all shards of all jobs belong to workers at these addresses, and each of them has some where there
   * are enough. Rejects with what is wrong when that takes too long.
   */
  async settled(addresses: readonly string[], timeoutMs: number): Promise<Settled> {
    const timeout = AbortSignal.timeout(timeoutMs)
    for (;;) {
      const seen = this.#changeCount
      const problem = this.#problem(addresses) ?? (await this.#problemInNodes())
      if (problem === undefined) {
        return { at: Math.max(...[...this.#assignments.values()].map((one) => one.writtenAt)) }
      }
      // What came while the nodes were read is looked at first: its event is over.
      if (seen !== this.#changeCount && !timeout.aborted) continue
      try {
        await once(this.#changes, 'change', { signal: timeout })
      } catch (cause) {
        throw new Error(`not settled within ${timeoutMs} ms: ${problem}`, { cause })
      }
    }
  }

  #epochPath(jobName: string): string {
    return `/${this.#namespace}/${jobName}/leader/sharding`
  }

  async #read(jobName: string): Promise<void> {
    try {
      const { data, stat } = await this.#client.get(this.#epochPath(jobName))
      const known = this.#assignments.get(jobName)
      if (known !== undefined && known.version >= stat.version) return
      const { instances, runs, moving = {} } = JSON.parse(toText(data)) as LeaderNode
      this.#assignments.set(jobName, {
        owners: runs.flatMap(([index, length]) =>
          Array<string>(length).fill(instances[index] ?? ''),
        ),
        movingCount: Object.keys(moving).length,
        version: stat.version,
        writtenAt: Number(stat.mtime),
      })
    } catch (error) {
      if (!isZooKeeperError(error, 'ZK_NO_NODE', 'ZK_CLOSED')) throw error
    }
    this.#changeCount += 1
    this.#changes.emit('change')
  }

  #problem(addresses: readonly string[]): string | undefined {
    for (const { jobName, shardingTotalCount } of this.#jobs) {
      const assignment = this.#assignments.get(jobName)
      if (assignment === undefined) return `${jobName} was never assigned`
      const { owners, movingCount } = assignment
      if (owners.length !== shardingTotalCount)
        return `${jobName} has ${owners.length} owned shards`
      if (movingCount > 0) return `${jobName} has ${movingCount} shards on the move`
      const owning = new Set(owners.map((owner = '') => addressOf(owner)))
      for (const address of owning) {
        if (!addresses.includes(address)) return `${jobName} has shards at "${address}"`
      }
      if (owning.size < Math.min(shardingTotalCount, addresses.length)) {
        return `${jobName} is spread over ${owning.size} of ${addresses.length}`
      }
    }
    return undefined
  }

  /** What the nodes of the shards say has to be what the leader's node says, and the owners have to live. */
  async #problemInNodes(): Promise<string | undefined> {
    for (const { jobName, shardingTotalCount } of this.#jobs) {
      const before = this.#assignments.get(jobName)
      const owners = await this.#ownersInNodes(jobName, shardingTotalCount)
      const { children } = await this.#client.children(`/${this.#namespace}/${jobName}/instances`)
      await this.#read(jobName)
      const { owners: expected, version } = this.#assignments.get(jobName) as Assignment
      if (version !== before?.version) return `${jobName} is being assigned`
      for (const [shard, owner] of owners.entries()) {
        if (owner !== expected[shard]) {
          throw new Error(
            `${jobName}/${shard} is ${owner}'s, and ${expected[shard]}'s for the leader`,
          )
        }
        if (!children.includes(owner)) return `${jobName}/${shard} is ${owner}'s, who is not there`
      }
    }
    return undefined
  }

  async #ownersInNodes(jobName: string, total: number): Promise<string[]> {
    const paths = Array.from(
      { length: total },
      (_, shard) => `/${this.#namespace}/${jobName}/sharding/${shard}/instance`,
    )
    const owners: string[] = []
    for (let start = 0; start < total; start += partsPerRead) {
      const parts = paths.slice(start, start + partsPerRead).map((path) => read.get(path))
      for (const result of await this.#client.multiRead(parts)) {
        owners.push('data' in result ? toText(result.data) : '')
      }
    }
    return owners
  }
}

function addressOf(instance: string): string {
  return instance.slice(0, Math.max(instance.indexOf('@-@'), 0))
}
