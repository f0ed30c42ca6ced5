/** A job's tree that changes by chance, and what a replica of it has to show. */
import type { SeededRandom } from '@elasticjob/zookeeper/testing'

import { encodeAssignment, noAssignment } from '../../src/job-tree/stored-assignment.ts'
import { encodeJobState } from '../../src/job-tree/job-state.ts'
import { shardMarks, type JobPaths } from '../../src/job-tree/paths.ts'
import type { JobReplica } from '../../src/job-tree/replica.ts'
import { part, type TransactionPart } from '../../src/registry/transaction.ts'

/** With it, who owns and runs what has to be known, too. */
const javaInstance = '10.0.1.4@-@4711'
const instances = [
  '10.0.1.1@-@1-aaaaaaaa',
  '10.0.1.2@-@1-bbbbbbbb',
  '10.0.1.3@-@1-cccccccc',
  javaInstance,
]
const shards = 4

/** What there is to see of a job, written the same way wherever it comes from. */
export type Seen = string

export class RandomTree {
  readonly #paths: JobPaths
  readonly #random: SeededRandom
  /** What the server has, as far as the writer knows: the data by the path. */
  readonly #nodes = new Map<string, string>()
  #counter = 0

  constructor(paths: JobPaths, random: SeededRandom) {
    this.#paths = paths
    this.#random = random
  }

  /** What has to be there before anything else. */
  create(): TransactionPart[] {
    const { root, config, servers, leader, election, assignment, shards: sharding } = this.#paths
    const {
      triggers,
      failover,
      failoverShards,
      jobState: shardState,
      instances: members,
    } = this.#paths
    const parts = [root, members, servers, leader, election, sharding, triggers, failover]
    return [
      ...[...parts, failoverShards].map((path) => this.#make(path, '')),
      this.#make(config, 'n: 0'),
      this.#make(assignment, encodeAssignment(noAssignment)),
      this.#make(shardState, encodeJobState({ lastRound: 0 })),
    ]
  }

  /** One to five changes that happen together. */
  change(): TransactionPart[] {
    const parts: TransactionPart[] = []
    const touched = new Set<string>()
    for (let left = 1 + this.#random.below(5); left > 0; left--) {
      const [path, data] = this.#somewhere()
      if (touched.has(path)) continue
      touched.add(path)
      parts.push(...this.#changeOf(path, data))
    }
    return parts
  }

  get seen(): Seen {
    const at = (path: string): string | undefined => this.#nodes.get(path)
    const named = (folder: string, names: readonly string[]): [string, string][] =>
      names.flatMap((name): [string, string][] => {
        const data = at(`${folder}/${name}`)
        return data === undefined ? [] : [[name, data]]
      })
    const paths = this.#paths
    const isMixed = at(paths.instance(javaInstance)) !== undefined
    const ips = instances.map((instance) => instance.split('@')[0] as string)
    return JSON.stringify({
      config: at(paths.config),
      leader: at(paths.leaderInstance),
      assignment: at(paths.assignment),
      jobState: at(paths.jobState),
      necessary: at(paths.necessary) !== undefined,
      processing: at(paths.processing) !== undefined,
      instances: named(paths.instances, instances).map(([name]) => name),
      servers: named(paths.servers, ips),
      triggers: named(paths.triggers, instances),
      failoverShards: numbers.filter((shard) => at(paths.failoverShard(shard)) !== undefined),
      shards: numbers
        .filter((shard) => at(paths.shard(shard)) !== undefined)
        .map((shard) => [
          shard,
          at(paths.owner(shard)) !== undefined,
          isMixed ? [at(paths.owner(shard)), at(paths.mark(shard, 'running'))] : null,
          ...shardMarks.map((mark) => {
            const data = at(paths.mark(shard, mark))
            return mark === 'failover' || mark === 'failovering'
              ? (data ?? null)
              : data !== undefined
          }),
        ]),
    })
  }

  #somewhere(): [path: string, data: string] {
    const paths = this.#paths
    const random = this.#random
    this.#counter += 1
    const value = `v${this.#counter}`
    const instance = random.pick(instances)
    const shard = random.below(shards)
    return random.pick<() => [string, string]>([
      () => [paths.config, `n: ${this.#counter}`],
      () => [paths.leaderInstance, instance],
      () => [paths.assignment, encodeAssignment({ ...noAssignment, digest: value })],
      () => [paths.jobState, encodeJobState({ lastRound: this.#counter })],
      () => [paths.necessary, ''],
      () => [paths.processing, ''],
      () => [paths.instance(instance), ''],
      () => [paths.instance(instance), ''],
      () => [paths.server(instance.split('@')[0] as string), value],
      () => [paths.trigger(instance), value],
      () => [paths.failoverShard(shard), ''],
      () => [paths.shard(shard), ''],
      () => [paths.owner(shard), instance],
      () => [paths.mark(shard, random.pick(shardMarks)), instance],
      () => [paths.mark(shard, random.pick(shardMarks)), instance],
    ])()
  }

  #changeOf(path: string, data: string): TransactionPart[] {
    const { config, jobState: shardState, assignment } = this.#paths
    const parent = path.slice(0, path.lastIndexOf('/'))
    if (!this.#nodes.has(path)) {
      return this.#nodes.has(parent) ? [this.#make(path, data)] : []
    }
    const isKept = path === config || path === shardState || path === assignment
    if (isKept || this.#random.happens(0.3)) {
      this.#nodes.set(path, data)
      return [part.set(path, data)]
    }
    const below = [...this.#nodes.keys()].filter((other) => other.startsWith(`${path}/`))
    for (const gone of [...below, path]) this.#nodes.delete(gone)
    return [...below, path].map((gone) => part.delete(gone))
  }

  #make(path: string, data: string): TransactionPart {
    this.#nodes.set(path, data)
    // An instance goes with its session.
    const isInstance = path.startsWith(`${this.#paths.instances}/`)
    return isInstance ? part.ephemeral(path, data) : part.create(path, data)
  }
}

const numbers = Array.from({ length: shards }, (_, shard) => shard)

/** The same, as a replica shows it. */
export function seenBy(replica: JobReplica): Seen {
  const entries = (map: ReadonlyMap<string, string>): [string, string][] =>
    [...map].toSorted((a, b) => (a[0] < b[0] ? -1 : 1))
  return JSON.stringify({
    config: replica.config?.text,
    leader: replica.leader?.instance,
    assignment:
      replica.assignment === undefined ? undefined : encodeAssignment(replica.assignment.value),
    jobState: replica.jobState === undefined ? undefined : encodeJobState(replica.jobState.value),
    necessary: replica.necessary !== undefined,
    processing: replica.processing,
    instances: [...replica.instances, ...replica.unproven].toSorted(),
    servers: entries(replica.servers),
    triggers: entries(replica.triggers),
    failoverShards: [...replica.failoverShards].toSorted((a, b) => a - b),
    shards: [...replica.shards]
      .toSorted((a, b) => a[0] - b[0])
      .map(([shard, nodes]) => [
        shard,
        nodes.hasOwner,
        replica.instances.has(javaInstance) ? [nodes.owner?.instance, nodes.runner] : null,
        ...shardMarks.map((mark) => nodes[mark] ?? null),
      ]),
  })
}
