import type { OwnedShard } from '../src/execution/plan.ts'
import {
  decodeAssignment,
  encodeAssignment,
  type StoredAssignment,
  noAssignment,
} from '../src/job-tree/stored-assignment.ts'
import { isJavaInstance, serverOf } from '../src/job-tree/instance-id.ts'
import {
  decodeShardState,
  encodeShardState,
  type ShardState,
  neverRun,
} from '../src/job-tree/shard-state.ts'
import type { Absence, Gap, ShardNodes, JobView } from '../src/job-tree/job-view.ts'
import {
  decodeJobState,
  encodeJobState,
  type JobState,
  noJobState,
} from '../src/job-tree/job-state.ts'
import { shardNumber, locate } from '../src/job-tree/location.ts'
import type { Member } from '../src/job-tree/member.ts'
import { type ShardMark, JobPaths, StatePaths } from '../src/job-tree/paths.ts'
import type { TransactionPart } from '../src/registry/transaction.ts'
import { digestOf, type ShardingInputs } from '../src/sharding/needs.ts'
import { readable } from './support/readable.ts'
import { type Outcome, TreeServer } from './tree-server.ts'

/** Who takes part: one instance on each of three hosts, in the order of their ids, and one of Java's. */
export const x = '10.0.0.1@-@11-xxxxxxxx'
export const y = '10.0.0.2@-@12-yyyyyyyy'
export const z = '10.0.0.3@-@13-zzzzzzzz'
export const java = '10.0.0.9@-@99'

/** The id of the n-th of many instances, each on a host of its own. */
export function instanceNumber(n: number): string {
  return `10.1.${Math.floor(n / 250)}.${(n % 250) + 1}@-@${n}-abcdefgh`
}

const namespace = 'ns'
const strategy = 'AVG_ALLOCATION'

/** A job as it stands, said in as few words as the situation needs. */
export interface Situation {
  readonly jobName?: string
  readonly instances?: readonly string[]
  /** Instances of ours that have given up their node while their session lives on. */
  readonly leaving?: readonly string[]
  /** What the operator has said; ENABLED where nothing is said, no node for undefined. */
  readonly servers?: Readonly<Record<string, string | undefined>>
  readonly leader?: string
  /** The owner of each shard, in its node and in the epoch; one without an owner is an empty shard. */
  readonly owners?: readonly (string | undefined)[]
  /** Shards that go to somebody else when their run ends. */
  readonly moving?: Readonly<Record<number, string>>
  /** What the last resharding came from, where it differs from what stands here; false if there was none. */
  readonly epoch?: (Partial<ShardingInputs> & { readonly among?: readonly string[] }) | false
  readonly epochVersion?: number
  readonly marks?: Readonly<Record<number, Partial<Record<ShardMark, string>>>>
  /** What the states of shards say. */
  readonly shardStates?: Readonly<Record<number, Partial<ShardState>>>
  /** What the state of the job says; no node for false. */
  readonly jobState?: Partial<JobState> | false
  readonly config?: string
  readonly necessary?: boolean
  readonly processing?: boolean
  /** The server that `next-job-instance-ip` names. */
  readonly turn?: string
  /** Java instances whose nodes are away. */
  readonly absent?: Readonly<Record<string, Absence>>
  /** Instances of Java that were away for a moment, and are back. */
  readonly gaps?: Readonly<Record<string, Gap>>
  readonly waitingForFailover?: readonly number[]
  readonly triggers?: readonly string[]
}

/** A job on a server of its own. */
export class JobTree {
  readonly server: TreeServer
  readonly paths: JobPaths
  readonly state: StatePaths = new StatePaths(namespace)
  readonly jobName: string
  readonly absences: ReadonlyMap<string, Absence>
  gaps: ReadonlyMap<string, Gap> = new Map()

  constructor(
    jobName: string,
    server: TreeServer,
    absences: ReadonlyMap<string, Absence> = new Map(),
  ) {
    this.jobName = jobName
    this.server = server
    this.absences = absences
    this.paths = new JobPaths(namespace, this.state, jobName)
  }

  member(instance: string): Member {
    const { paths } = this
    return { instance, ip: serverOf(instance), paths }
  }

  /** The same once more, for trying what would happen. */
  fork(): JobTree {
    return new JobTree(this.jobName, this.server.fork(), this.absences)
  }

  apply(operations: readonly TransactionPart[], instance: string): Outcome {
    return this.server.apply(operations, instance)
  }

  join(instance: string): void {
    const { server, state, paths } = this
    server.put(state.aliveNode(instance), '', { session: instance })
    server.put(paths.instance(instance), '', { session: instance })
    const node = paths.server(serverOf(instance))
    if (server.get(node) === undefined) server.put(node, 'ENABLED')
  }

  shardState(shard: number): ShardState | undefined {
    const node = this.server.get(this.paths.shardState(shard))
    return node === undefined ? undefined : readable(decodeShardState(node.text, 'node'))
  }

  /** A shard as its owner has read it. */
  owned(shard: number): OwnedShard {
    const node = this.server.get(this.paths.shardState(shard))
    return {
      shard,
      ownerVersion: this.server.get(this.paths.owner(shard))?.version ?? -1,
      created: this.server.get(this.paths.shard(shard))?.ctime ?? 0,
      shardState: this.shardState(shard),
      stateVersion: node?.version ?? -1,
    }
  }

  /** What the nodes say of who owns each shard. */
  get ownerNodes(): (string | undefined)[] {
    const owners: (string | undefined)[] = []
    for (const shard of this.view.shards.keys()) {
      owners[shard] = this.server.get(this.paths.owner(shard))?.text
    }
    return Array.from(owners)
  }

  /** What a replica of the job shows. */
  get view(): JobView {
    const { server, paths, state, jobName } = this
    const text = (path: string): string | undefined => server.get(path)?.text
    const leader = server.get(paths.leaderInstance)
    const assignment = server.get(paths.assignment)
    const necessary = server.get(paths.necessary)
    const turn = server.get(paths.nextInstanceIp)
    const jobState = server.get(paths.jobState)
    const config = server.get(paths.config)
    const numbers = (path: string): number[] =>
      server
        .children(path)
        .map(shardNumber)
        .filter((shard) => shard !== undefined)
    const below = server.paths.filter((path) => path.startsWith(`${paths.root}/`))
    const folders = below
      .map((path) => locate(path.slice(paths.root.length + 1)))
      .filter((location) => location?.kind === 'folder')
    const shards = numbers(paths.shards).map((shard) => [shard, this.#nodesOf(shard)] as const)
    const view: JobView = {
      jobName,
      config: config && { text: config.text, version: config.version, mtime: config.mtime },
      instances: new Set(server.children(paths.instances)),
      unproven: new Set(),
      absences: this.absences,
      gaps: this.gaps,
      alive: new Set(server.children(state.alive)),
      servers: new Map(
        server.children(paths.servers).map((ip) => [ip, text(paths.server(ip)) ?? '']),
      ),
      leader: leader && { instance: leader.text, version: leader.version },
      assignment: assignment && {
        value: readable(decodeAssignment(assignment.text, 'node')),
        version: assignment.version,
      },
      necessary: necessary && { czxid: necessary.czxid, ctime: necessary.ctime },
      lastFlag: necessary?.ctime,
      processing: server.get(paths.processing) !== undefined,
      failoverShards: new Set(numbers(paths.failoverShards)),
      shards: new Map(shards),
      readsOwners: this.#isJavaHere(),
      turn: turn && { ip: turn.text, ctime: turn.ctime },
      triggers: new Map(
        server.children(paths.triggers).map((name) => [name, text(paths.trigger(name)) ?? '']),
      ),
      jobState: jobState && {
        value: readable(decodeJobState(jobState.text, 'node')),
        version: jobState.version,
      },
      folders: new Set(folders.map(({ path }) => path)),
    }
    return view.readsOwners ? view : withoutNames(view)
  }

  #nodesOf(shard: number): ShardNodes {
    const { server, paths } = this
    const owner = server.get(paths.owner(shard))
    const mark = (name: ShardMark): string | undefined => server.get(paths.mark(shard, name))?.text
    return {
      hasOwner: owner !== undefined,
      owner: owner && { instance: owner.text, version: owner.version, czxid: owner.czxid },
      running: mark('running') !== undefined,
      runner: mark('running'),
      misfire: mark('misfire') !== undefined,
      disabled: mark('disabled') !== undefined,
      failover: mark('failover'),
      failovering: mark('failovering'),
    }
  }

  #isJavaHere(): boolean {
    const { server, paths } = this
    const texts = server.paths
      .filter((path) => path.startsWith(paths.shards) || path === paths.leaderInstance)
      .map((path) => server.get(path)?.text ?? '')
    const away = [...this.absences].filter(([, { isFinal }]) => !isFinal).map(([name]) => name)
    return [...server.children(paths.instances), ...texts, ...away].some(isJavaInstance)
  }
}

/** Without Java the replica reads no owners and no runners: the epoch says it all. */
function withoutNames(view: JobView): JobView {
  const shards = [...view.shards].map(
    ([shard, nodes]) => [shard, { ...nodes, owner: undefined, runner: undefined }] as const,
  )
  return { ...view, shards: new Map(shards) }
}

export function jobTree(situation: Situation = {}): JobTree {
  const { jobName = 'job', instances = [], leaving = [], owners = [], marks = {} } = situation
  const server = new TreeServer()
  const tree = new JobTree(jobName, server, new Map(Object.entries(situation.absent ?? {})))
  tree.gaps = new Map(Object.entries(situation.gaps ?? {}))
  const { paths, state } = tree
  for (const folder of [
    ...state.folders,
    paths.instances,
    paths.servers,
    paths.election,
    paths.shards,
    paths.failoverShards,
  ]) {
    server.put(folder)
  }
  for (const instance of instances) tree.join(instance)
  for (const instance of leaving) server.put(state.aliveNode(instance), '', { session: instance })
  for (const [ip, text] of Object.entries(situation.servers ?? {})) {
    if (text === undefined) server.drop(paths.server(ip))
    else server.put(paths.server(ip), text)
  }
  const { leader } = situation
  if (leader !== undefined) {
    server.put(paths.leaderInstance, leader, {
      session: leader,
      version: isJavaInstance(leader) ? 0 : 1,
    })
  }
  for (const [shard, owner] of owners.entries()) {
    server.put(paths.shard(shard))
    if (owner !== undefined) server.put(paths.owner(shard), owner)
  }
  server.put(paths.assignment, encodeAssignment(epochOf(situation)), {
    version: situation.epochVersion ?? 1,
  })
  for (const [shard, names] of Object.entries(marks)) {
    for (const [mark, text] of Object.entries(names)) {
      server.put(paths.mark(Number(shard), mark as ShardMark), text, { session: text })
    }
  }
  server.put(paths.shardStates)
  for (const [shard, shardState] of Object.entries(situation.shardStates ?? {})) {
    server.put(paths.shardState(Number(shard)), encodeShardState({ ...neverRun, ...shardState }))
  }
  if (situation.jobState !== false)
    server.put(paths.jobState, encodeJobState({ ...noJobState, ...situation.jobState }))
  if (situation.config !== undefined) server.put(paths.config, situation.config)
  if (situation.necessary === true) server.put(paths.necessary)
  if (situation.processing === true) server.put(paths.processing)
  if (situation.turn !== undefined) server.put(paths.nextInstanceIp, situation.turn)
  for (const shard of situation.waitingForFailover ?? []) server.put(paths.failoverShard(shard))
  for (const instance of situation.triggers ?? []) server.put(paths.trigger(instance))
  return tree
}

/** The view alone, of a job that nobody changes. */
export function viewOf(situation: Situation): JobView {
  return jobTree(situation).view
}

function epochOf({
  instances = [],
  servers = {},
  owners = [],
  moving = {},
  epoch = {},
}: Situation): StoredAssignment {
  if (epoch === false) return noAssignment
  const available = instances.filter((instance) => servers[serverOf(instance)] !== 'DISABLED')
  const inputs = { total: owners.length, strategy, ...epoch }
  const moves = Object.entries(moving).map(([shard, to]) => [Number(shard), to] as const)
  return { digest: digestOf(epoch.among ?? available, inputs), owners, moving: new Map(moves) }
}
