/** What a replica of a job shows of a tree. */
import { type Decoded, reasonOf } from '../../packages/core/src/decode/problem.ts'
import {
  decodeAssignment,
  type StoredAssignment,
} from '../../packages/core/src/job-tree/stored-assignment.ts'
import { decodeShardState, type ShardState } from '../../packages/core/src/job-tree/shard-state.ts'
import { isJavaInstance } from '../../packages/core/src/job-tree/instance-id.ts'
import type { ShardNodes, JobView, Versioned } from '../../packages/core/src/job-tree/job-view.ts'
import { decodeJobState, type JobState } from '../../packages/core/src/job-tree/job-state.ts'
import { locate, type Location } from '../../packages/core/src/job-tree/location.ts'
import { JobPaths, StatePaths } from '../../packages/core/src/job-tree/paths.ts'
import type { Tree, TreeNode } from './tree.ts'

const jobName = 'job'
export const state: StatePaths = new StatePaths('ns')
export const paths: JobPaths = new JobPaths('ns', state, jobName)

const locations = new Map<string, Location | undefined>()
const epochs = new Map<string, StoredAssignment>()
const jobStates = new Map<string, JobState>()
const shardStates = new Map<string, ShardState>()

export function viewOf(tree: Tree): JobView {
  return tree.derived('view', () => build(tree))
}

/** The state of a shard and its version; undefined if it has none. */
export function shardStateOf(tree: Tree, shard: number): Versioned<ShardState> | undefined {
  const node = tree.get(paths.shardState(shard))
  return (
    node && { value: remembered(shardStates, node.text, decodeShardState), version: node.version }
  )
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

interface Parts {
  view: Writable<JobView>
  shards: Map<number, Writable<ShardNodes>>
}

function build(tree: Tree): JobView {
  const shardingItems = new Map<number, Writable<ShardNodes>>()
  const view: Writable<JobView> = {
    jobName,
    config: undefined,
    instances: new Set<string>(),
    unproven: new Set<string>(),
    absences: new Map(),
    gaps: new Map(),
    alive: new Set<string>(),
    servers: new Map<string, string>(),
    leader: undefined,
    assignment: undefined,
    necessary: undefined,
    lastFlag: undefined,
    processing: false,
    failoverShards: new Set<number>(),
    shards: shardingItems,
    readsOwners: false,
    turn: undefined,
    triggers: new Map<string, string>(),
    jobState: undefined,
    folders: new Set<string>(),
  }
  const alive = `${state.alive}/`
  for (const [path, node] of tree.nodes) {
    const location = locationOf(path)
    if (location !== undefined) add({ view, shards: shardingItems }, location, node)
    else if (path.startsWith(alive)) (view.alive as Set<string>).add(path.slice(alive.length))
  }
  const jobState = tree.get(paths.jobState)
  view.jobState = jobState && {
    value: remembered(jobStates, jobState.text, decodeJobState),
    version: jobState.version,
  }
  view.readsOwners = isJavaNamed(view, shardingItems)
  if (!view.readsOwners) {
    for (const nodes of shardingItems.values())
      Object.assign(nodes, { owner: undefined, runner: undefined })
  }
  return view
}

function isJavaNamed(
  { instances, leader }: JobView,
  shardingItems: ReadonlyMap<number, ShardNodes>,
): boolean {
  const named = [...instances, leader?.instance ?? '']
  for (const { owner, runner, failover, failovering } of shardingItems.values()) {
    named.push(owner?.instance ?? '', runner ?? '', failover ?? '', failovering ?? '')
  }
  return named.some(isJavaInstance)
}

function add({ view, shards: shardingItems }: Parts, location: Location, node: TreeNode): void {
  const { text, version, czxid, ctime, mtime } = node
  switch (location.kind) {
    case 'config':
      view.config = { text, version, mtime }
      break
    case 'leader':
      view.leader = { instance: text, version }
      break
    case 'epoch':
      view.assignment = { value: remembered(epochs, text, decodeAssignment), version }
      break
    case 'necessary':
      view.necessary = { czxid, ctime }
      view.lastFlag = ctime
      break
    case 'processing':
      view.processing = true
      break
    case 'turn':
      view.turn = { ip: text, ctime }
      break
    case 'instance':
      ;(view.instances as Set<string>).add(location.instance)
      break
    case 'trigger':
      ;(view.triggers as Map<string, string>).set(location.instance, text)
      break
    case 'server':
      ;(view.servers as Map<string, string>).set(location.ip, text)
      break
    case 'failoverShard':
      ;(view.failoverShards as Set<number>).add(location.shard)
      break
    case 'shard':
      shardOf(shardingItems, location.shard)
      break
    case 'owner':
      Object.assign(shardOf(shardingItems, location.shard), {
        hasOwner: true,
        owner: { instance: text, version, czxid },
      })
      break
    case 'mark': {
      const nodes = shardOf(shardingItems, location.shard)
      if (location.mark === 'failover' || location.mark === 'failovering') {
        nodes[location.mark] = text
      } else nodes[location.mark] = true
      if (location.mark === 'running') nodes.runner = text
      break
    }
    case 'folder':
      ;(view.folders as Set<string>).add(location.path)
      break
  }
}

function shardOf(
  shardingItems: Map<number, Writable<ShardNodes>>,
  shard: number,
): Writable<ShardNodes> {
  let nodes = shardingItems.get(shard)
  if (nodes === undefined) {
    nodes = {
      hasOwner: false,
      owner: undefined,
      running: false,
      runner: undefined,
      misfire: false,
      disabled: false,
      failover: undefined,
      failovering: undefined,
    }
    shardingItems.set(shard, nodes)
  }
  return nodes
}

function locationOf(path: string): Location | undefined {
  if (!path.startsWith(`${paths.root}/`)) return undefined
  if (!locations.has(path)) locations.set(path, locate(path.slice(paths.root.length + 1)))
  return locations.get(path)
}

function remembered<T>(
  known: Map<string, T>,
  text: string,
  decode: (text: string, path: string) => Decoded<T>,
): T {
  let value = known.get(text)
  if (value === undefined) {
    const { value: read, problem } = decode(text, 'node')
    if (problem !== undefined) throw new Error(reasonOf(problem).text)
    value = read
    known.set(text, value)
  }
  return value
}
