/** A snapshot of a job, read once: the input of plans and descriptions. */
import type { Decoded } from '../decode/problem.ts'
import { decodeBarrierState } from '../barrier/barrier-state.ts'
import type { BrokenNode } from '../job-tree/broken-node.ts'
import { decodeAssignment } from '../job-tree/stored-assignment.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { decodeShardState, type ShardState } from '../job-tree/shard-state.ts'
import type { ShardNodes, JobView, OwnerNode, Versioned } from '../job-tree/job-view.ts'
import { decodeJobState } from '../job-tree/job-state.ts'
import { shardNumbers } from '../job-tree/location.ts'
import type { JobPaths } from '../job-tree/paths.ts'
import type { NodeReader, NodeText } from './node-reader.ts'

export interface JobSnapshot {
  /**
   * The view for plans. It contains no short absences: an operator cannot tell whether an absent Java instance is about
   * to return.
   */
  readonly view: JobView
  readonly paths: JobPaths
  /**
   * Whether the job's root node exists. Of a partially removed job, only the job state and shard states may be left.
   */
  readonly exists: boolean
  /** The shard states; empty for `brief`. */
  readonly shardStates: ReadonlyMap<number, Versioned<ShardState>>
  /** The data of the instance nodes; read for `full` only. */
  readonly instanceTexts: ReadonlyMap<string, string>
  /** The unreadable nodes; the fields above lack their content. Does not include shard states for `brief`. */
  readonly broken: readonly BrokenNode[]
}

/** Whether nothing is left of the job. */
export function isGone({ exists, view, broken }: JobSnapshot): boolean {
  return !exists && view.jobState === undefined && broken.length === 0
}

/**
 * How much to read: `brief` is enough for the status of a job and its servers, `states` also reads the shard states and
 * finds the unreadable ones.
 */
export type Extent = 'brief' | 'states' | 'full'

export async function readSnapshot(
  reader: NodeReader,
  jobName: string,
  paths: JobPaths,
  alive: ReadonlySet<string>,
  extent: Extent,
): Promise<JobSnapshot> {
  const [root, config, state, leader, assignment, instances, servers, shards] = await Promise.all([
    reader.children(paths.root),
    reader.get(paths.config),
    reader.get(paths.jobState),
    reader.get(paths.leaderInstance),
    reader.get(paths.assignment),
    reader.children(paths.instances),
    reader.children(paths.servers),
    reader.children(paths.shards),
  ])
  const numbers = shardNumbers(shards ?? [])
  // With a native leader, the assignment node names all owners; a Java leader does not update that node.
  const isOurs = leader !== undefined && !isJavaInstance(leader.text) && !isEmpty(assignment)
  const readsOwners = !isOurs || (instances ?? []).some(isJavaInstance)
  // Of unproven native instances only the names are needed.
  const named = (instances ?? []).filter((one) => isJavaInstance(one) || alive.has(one))
  const broken: BrokenNode[] = []
  const [stored, nodes, shardStates, more, texts] = await Promise.all([
    readAll(servers ?? [], (ip) => reader.get(paths.server(ip))),
    readAll(numbers, (shard) => readShard(reader, paths, shard, extent, readsOwners)),
    extent === 'brief' ? noStates : readStates(reader, paths, numbers, broken),
    extent === 'full' ? readMore(reader, paths, broken) : nothingMore,
    readAll(extent === 'full' ? named : [], (one) => reader.get(paths.instance(one))),
  ])
  const view: JobView = {
    jobName,
    config: config && {
      text: config.text,
      version: config.stat.version,
      mtime: Number(config.stat.mtime),
    },
    ...provenInstances(instances ?? [], alive, texts),
    absences: new Map(),
    gaps: new Map(),
    alive,
    servers: textsOf(stored),
    leader: leader && { instance: leader.text, version: leader.stat.version },
    assignment: decoded(
      assignment,
      decodeAssignment,
      paths.assignment,
      { kind: 'assignment' },
      broken,
    ),
    shards: nodes,
    readsOwners,
    turn: undefined,
    jobState: decoded(state, decodeJobState, paths.jobState, { kind: 'job-state' }, broken),
    ...more,
  }
  const exists = root !== undefined
  return { view, paths, exists, shardStates, instanceTexts: textsOf(texts), broken }
}

/**
 * Splits instances by whether a session proves them. Unproven ones take no part. A Java instance is proven by its
 * ephemeral node, if that was read.
 */
function provenInstances(
  names: readonly string[],
  alive: ReadonlySet<string>,
  nodes: ReadonlyMap<string, NodeText>,
): Pick<JobView, 'instances' | 'unproven'> {
  const isProven = (name: string): boolean =>
    isJavaInstance(name) ? nodes.get(name)?.stat.ephemeralOwner !== 0n : alive.has(name)
  return {
    instances: new Set(names.filter(isProven)),
    unproven: new Set(names.filter((name) => !isProven(name))),
  }
}

function textsOf(nodes: ReadonlyMap<string, NodeText>): Map<string, string> {
  return new Map([...nodes].map(([name, { text }]) => [name, text]))
}

function isEmpty(assignment: NodeText | undefined): boolean {
  return assignment === undefined || assignment.text === ''
}

type Words = JobSnapshot['shardStates']

const noStates: Words = new Map()

async function readStates(
  reader: NodeReader,
  paths: JobPaths,
  shards: readonly number[],
  broken: BrokenNode[],
): Promise<Words> {
  const written = await readAll(shards, (shard) => reader.get(paths.shardState(shard)))
  const shardStates = new Map<number, Versioned<ShardState>>()
  for (const [shard, node] of written) {
    const path = paths.shardState(shard)
    const shardState = decoded(node, decodeShardState, path, { kind: 'shard-state', shard }, broken)
    if (shardState !== undefined) shardStates.set(shard, shardState)
  }
  return shardStates
}

type More = Pick<
  JobView,
  'necessary' | 'lastFlag' | 'processing' | 'failoverShards' | 'triggers' | 'folders'
>

const nothingMore: More = {
  necessary: undefined,
  lastFlag: undefined,
  processing: false,
  failoverShards: new Set(),
  triggers: new Map(),
  folders: new Set(),
}

async function readMore(reader: NodeReader, paths: JobPaths, broken: BrokenNode[]): Promise<More> {
  const [necessary, processing, failoverShards, triggers, calls] = await Promise.all([
    reader.get(paths.necessary),
    reader.get(paths.processing),
    reader.children(paths.failoverShards),
    reader.children(paths.triggers),
    reader.get(paths.shardStates),
  ])
  const flag = necessary && { czxid: necessary.stat.czxid, ctime: Number(necessary.stat.ctime) }
  const waiting = shardNumbers(failoverShards ?? [])
  decoded(calls, decodeBarrierState, paths.shardStates, { kind: 'listener-calls' }, broken)
  return {
    necessary: flag,
    lastFlag: flag?.ctime,
    processing: processing !== undefined,
    failoverShards: new Set(waiting),
    triggers: new Map((triggers ?? []).map((instance) => [instance, ''])),
    folders: new Set(triggers === undefined ? [] : ['trigger']),
  }
}

async function readShard(
  reader: NodeReader,
  paths: JobPaths,
  shard: number,
  extent: Extent,
  readsOwners: boolean,
): Promise<ShardNodes | undefined> {
  if (extent !== 'full') {
    const owner = readsOwners ? ownerNode(await reader.get(paths.owner(shard))) : undefined
    return { ...noMarks, hasOwner: !readsOwners || owner !== undefined, owner }
  }
  const names = await reader.children(paths.shard(shard))
  if (names === undefined) return undefined
  const textOf = async (
    name: 'running' | 'failover' | 'failovering',
  ): Promise<string | undefined> =>
    names.includes(name) ? (await reader.get(paths.mark(shard, name)))?.text : undefined
  const [owner, runner, failover, failovering] = await Promise.all([
    readsOwners && names.includes('instance') ? reader.get(paths.owner(shard)) : undefined,
    readsOwners ? textOf('running') : undefined,
    textOf('failover'),
    textOf('failovering'),
  ])
  return {
    hasOwner: names.includes('instance'),
    owner: ownerNode(owner),
    running: names.includes('running'),
    runner,
    misfire: names.includes('misfire'),
    disabled: names.includes('disabled'),
    failover,
    failovering,
  }
}

const noMarks: ShardNodes = {
  hasOwner: false,
  owner: undefined,
  running: false,
  runner: undefined,
  misfire: false,
  disabled: false,
  failover: undefined,
  failovering: undefined,
}

function ownerNode(node: NodeText | undefined): OwnerNode | undefined {
  return node && { instance: node.text, version: node.stat.version, czxid: node.stat.czxid }
}

/** The decoded content of a node; an unreadable node is added to `broken`. */
function decoded<T>(
  node: NodeText | undefined,
  decode: (text: string, path: string) => Decoded<T>,
  path: string,
  what: Pick<BrokenNode, 'kind' | 'shard'>,
  broken: BrokenNode[],
): Versioned<T> | undefined {
  if (node === undefined) return undefined
  const { version } = node.stat
  const { value, problem } = decode(node.text, path)
  if (problem === undefined) return { value, version }
  broken.push({ ...what, problem, version })
  return undefined
}

/** The values that exist, by key. */
async function readAll<Key, Value>(
  keys: readonly Key[],
  ask: (key: Key) => Promise<Value | undefined>,
): Promise<Map<Key, Value>> {
  const values = await Promise.all(keys.map(ask))
  const found = new Map<Key, Value>()
  for (const [index, key] of keys.entries()) {
    const value = values[index]
    if (value !== undefined) found.set(key, value)
  }
  return found
}
