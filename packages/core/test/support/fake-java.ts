import { isZooKeeperError, part, toText, type ZooKeeper } from '@elasticjob/zookeeper'

import { writeJob } from '../../src/config/job-yaml.ts'
import type { JobOptions } from '../../src/config/job-configuration.ts'
import { resolveJob } from '../../src/config/resolve-job.ts'
import type { JobPaths } from '../../src/job-tree/paths.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'

/** An instance that does to the registry what Java's do, step by step and when a test says so. */
export class FakeJava {
  readonly ip: string
  readonly instance: string
  readonly paths: JobPaths
  readonly client: ZooKeeper
  readonly #cluster: SimulatedCluster

  private constructor(cluster: SimulatedCluster, client: ZooKeeper, ip: string, jobName: string) {
    this.#cluster = cluster
    this.client = client
    this.ip = ip
    this.instance = `${ip}@-@123`
    this.paths = cluster.pathsOf(jobName)
  }

  static async start(
    cluster: SimulatedCluster,
    ip = '10.0.2.1',
    jobName = 'job',
  ): Promise<FakeJava> {
    return new FakeJava(cluster, await cluster.client(ip), ip, jobName)
  }

  /** The job as Java makes it when it is the first. */
  async makeJob(options: Omit<JobOptions, 'jobName'>): Promise<void> {
    await this.#put(this.paths.config, this.#configuration(options))
  }

  /** An operator changes it. */
  async configure(options: Omit<JobOptions, 'jobName'>): Promise<void> {
    await this.#cluster.until(this.client.set(this.paths.config, this.#configuration(options)))
  }

  #configuration(options: Omit<JobOptions, 'jobName'>): string {
    const jobName = this.paths.root.slice(this.paths.root.lastIndexOf('/') + 1)
    return writeJob(resolveJob({ jobName, ...options }))
  }

  async register(): Promise<void> {
    await this.#put(this.paths.server(this.ip), 'ENABLED')
    await this.#put(this.paths.instance(this.instance), `jobInstanceId: ${this.instance}\n`, true)
  }

  /** The node goes, and the session stays: as at every reconnect. */
  unregister(): Promise<void> {
    return this.delete(this.paths.instance(this.instance))
  }

  lead(): Promise<void> {
    return this.#put(this.paths.leaderInstance, this.instance, true)
  }

  raise(): Promise<void> {
    return this.#put(this.paths.necessary)
  }

  /** What Java's leader does at a fire that finds the flag up. */
  async reshard(owners: readonly string[]): Promise<void> {
    const { paths } = this
    await this.#put(paths.processing, '', true)
    for (const shard of owners.keys()) {
      await this.#put(paths.shard(shard))
      await this.delete(paths.owner(shard))
    }
    await this.#until(
      this.client.multi([
        ...owners.map((owner, shard) => part.create(paths.owner(shard), owner)),
        part.delete(paths.necessary),
        part.delete(paths.processing),
      ]),
    )
  }

  /** A run of Java's begins. */
  begin(shard: number): Promise<void> {
    return this.#put(this.paths.mark(shard, 'running'), this.instance, true)
  }

  end(shard: number): Promise<void> {
    return this.delete(this.paths.mark(shard, 'running'))
  }

  /** The process dies, and its session with it. */
  die(): Promise<void> {
    return this.#until(this.client.close())
  }

  async delete(path: string): Promise<void> {
    await this.#until(this.client.delete(path)).catch((error: unknown) => {
      if (!isZooKeeperError(error, 'ZK_NO_NODE')) throw error
    })
  }

  /** What a node says; undefined if it is not there. */
  async text(path: string): Promise<string | undefined> {
    try {
      return toText((await this.#until(this.client.get(path))).data)
    } catch (error) {
      if (isZooKeeperError(error, 'ZK_NO_NODE')) return undefined
      throw error
    }
  }

  async owners(): Promise<(string | undefined)[]> {
    const { children } = await this.#until(this.client.children(this.paths.shards))
    const shards = children.map(Number).toSorted((a, b) => a - b)
    return Promise.all(shards.map((shard) => this.text(this.paths.owner(shard))))
  }

  /** Java deletes and creates what is there already. */
  async #put(path: string, text = '', ephemeral = false): Promise<void> {
    if (ephemeral) await this.delete(path)
    const mode = ephemeral ? 'ephemeral' : 'persistent'
    await this.#until(this.client.create(path, text, { mode, parents: true })).catch(
      (error: unknown) => {
        if (!isZooKeeperError(error, 'ZK_NODE_EXISTS')) throw error
      },
    )
  }

  #until<T>(promise: Promise<T>): Promise<T> {
    return this.#cluster.until(promise)
  }
}
