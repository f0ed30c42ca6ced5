/** Selects the nodes of a job to read: those whose content a plan needs. */
import type { WatchEvent } from '../registry/registry-client.ts'
import { read, type ReadPart } from '../registry/transaction.ts'
import { isJavaInstance } from './instance-id.ts'
import type { JobView } from './job-view.ts'
import { folders, type Location, shardNumbers } from './location.ts'
import type { JobPaths } from './paths.ts'

/** The first reads of a job; `readsOfFolder` and `readsOfShard` follow from their answers. */
export function readsOfJob(paths: JobPaths): ReadPart[] {
  const { root, assignment, config, leaderInstance, nextInstanceIp, jobState } = paths
  return [
    ...[...folders].filter((path) => path !== '').map((path) => read.children(`${root}/${path}`)),
    read.children(assignment),
    ...[config, leaderInstance, assignment, nextInstanceIp, jobState].map((path) => read.get(path)),
  ]
}

/** The reads that follow from the children of a folder. */
export function readsOfFolder(
  paths: JobPaths,
  folder: string,
  names: readonly string[],
): ReadPart[] {
  switch (folder) {
    case 'instances':
      return names.filter(isJavaInstance).map((instance) => read.get(paths.instance(instance)))
    case 'servers':
      return names.map((ip) => read.get(paths.server(ip)))
    case 'trigger':
      return names.map((instance) => read.get(paths.trigger(instance)))
    case 'leader/sharding':
      return names.includes('necessary') ? [read.get(paths.necessary)] : []
    case 'sharding':
      return shardNumbers(names).map((shard) => read.children(paths.shard(shard)))
    default:
      return []
  }
}

/** The reads that follow from the children of a shard node. */
export function readsOfShard(
  paths: JobPaths,
  shard: number,
  names: readonly string[],
  readsOwners: boolean,
): ReadPart[] {
  const marks = (['failover', 'failovering', 'disabled'] as const)
    .filter((mark) => names.includes(mark))
    .map((mark) => read.get(paths.mark(shard, mark)))
  if (!readsOwners) return marks
  if (names.includes('instance')) marks.push(read.get(paths.owner(shard)))
  if (names.includes('running')) marks.push(read.get(paths.mark(shard, 'running')))
  return marks
}

/** The reads of the names in the shard nodes. */
export function readsOfOwners(paths: JobPaths, shards: JobView['shards']): ReadPart[] {
  return [...shards].flatMap(([shard, { hasOwner, running }]) => [
    ...(hasOwner ? [read.get(paths.owner(shard))] : []),
    ...(running ? [read.get(paths.mark(shard, 'running'))] : []),
  ])
}

/** Whether to read a node that was created or has changed. `own`: the id of this instance. */
export function needsReading(
  at: Location,
  type: WatchEvent['type'],
  own: string,
  readsOwners: boolean,
): boolean {
  switch (at.kind) {
    case 'config':
    case 'leader':
    case 'epoch':
    case 'necessary':
    case 'server':
    case 'trigger':
    case 'turn':
      return true
    case 'instance':
      // Java's nodes are read to check that they are ephemeral.
      return type === 'created' ? isJavaInstance(at.instance) : at.instance === own
    case 'owner':
      return readsOwners
    case 'mark':
      return at.mark === 'running' ? readsOwners : at.mark !== 'misfire'
    case 'shard':
    case 'failoverShard':
    case 'processing':
    case 'folder':
      return false
  }
}
