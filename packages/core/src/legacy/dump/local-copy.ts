/** Differences between the local replica of a job and the registry. */
import { decodeAssignment, encodeAssignment } from '../../job-tree/stored-assignment.ts'
import type { JobView } from '../../job-tree/job-view.ts'
import { decodeJobState, encodeJobState } from '../../job-tree/job-state.ts'
import { locate } from '../../job-tree/location.ts'
import type { JobPaths } from '../../job-tree/paths.ts'
import { isWithin } from '../../node-path.ts'
import type { TreeNode } from './read-tree.ts'

/** The nodes of the replica with their text; undefined if the replica only knows that the node exists. */
type Copy = ReadonlyMap<string, string | undefined>

/** A differing node as the replica has it; both values are empty if the replica does not have the node. */
export interface CopiedNode {
  readonly path: string
  readonly text: string
}

/** The differing nodes by path; nodes that only the replica has come last. */
export function differencesOf(
  nodes: readonly TreeNode[],
  view: JobView,
  paths: JobPaths,
): Map<string, CopiedNode> {
  const copy: Copy = new Map(copiedNodes(view, paths))
  const differences = new Map<string, CopiedNode>()
  for (const { path, text } of nodes) {
    if (!isFollowed(path, paths)) continue
    const copied = copy.get(path)
    if (!copy.has(path)) differences.set(path, { path: '', text: '' })
    else if (copied !== undefined && !isSame(path, text, copied, paths)) {
      differences.set(path, { path, text: copied })
    }
  }
  const existing = new Set(nodes.map(({ path }) => path))
  for (const [path, text] of copy) {
    if (!existing.has(path)) differences.set(path, { path, text: text ?? '' })
  }
  return differences
}

/** Whether the replica contains this node. It does not contain latches, offsets and shard states. */
function isFollowed(path: string, paths: JobPaths): boolean {
  if (path === paths.jobState) return true
  if (path === paths.root || !isWithin(path, paths.root)) return false
  return locate(path.slice(paths.root.length + 1)) !== undefined
}

/** Whether two texts are equal. States are equal if they have the same entries in any order. */
function isSame(path: string, text: string, copied: string, paths: JobPaths): boolean {
  if (path === paths.jobState) {
    const { value } = decodeJobState(text, path)
    return value !== undefined && encodeJobState(value) === copied
  }
  if (path === paths.assignment) {
    const { value } = decodeAssignment(text, path)
    return value !== undefined && encodeAssignment(value) === copied
  }
  return text === copied
}

function* copiedNodes(view: JobView, paths: JobPaths): Generator<[string, string | undefined]> {
  for (const folder of view.folders) {
    if (folder !== '') yield [`${paths.root}/${folder}`, undefined]
  }
  const { config, leader, assignment, turn, jobState } = view
  if (config !== undefined) yield [paths.config, config.text]
  if (leader !== undefined) yield [paths.leaderInstance, leader.instance]
  if (assignment !== undefined) yield [paths.assignment, encodeAssignment(assignment.value)]
  if (turn !== undefined) yield [paths.nextInstanceIp, turn.ip]
  if (jobState !== undefined) yield [paths.jobState, encodeJobState(jobState.value)]
  if (view.necessary !== undefined) yield [paths.necessary, undefined]
  if (view.processing) yield [paths.processing, undefined]
  for (const instance of [...view.instances, ...view.unproven]) {
    yield [paths.instance(instance), undefined]
  }
  for (const [ip, text] of view.servers) yield [paths.server(ip), text]
  for (const [instance, text] of view.triggers) yield [paths.trigger(instance), text]
  for (const shard of view.failoverShards) yield [paths.failoverShard(shard), undefined]
  yield* copiedShards(view, paths)
}

function* copiedShards(view: JobView, paths: JobPaths): Generator<[string, string | undefined]> {
  for (const [shard, nodes] of view.shards) {
    yield [paths.shard(shard), undefined]
    if (nodes.hasOwner) yield [paths.owner(shard), nodes.owner?.instance]
    if (nodes.running) yield [paths.mark(shard, 'running'), nodes.runner]
    if (nodes.misfire) yield [paths.mark(shard, 'misfire'), undefined]
    if (nodes.disabled) yield [paths.mark(shard, 'disabled'), undefined]
    for (const mark of ['failover', 'failovering'] as const) {
      if (nodes[mark] !== undefined) yield [paths.mark(shard, mark), nodes[mark]]
    }
  }
}
