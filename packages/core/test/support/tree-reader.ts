import { systemClock, toBytes } from '@elasticjob/zookeeper'

import type { JobOptions } from '../../src/config/job-configuration.ts'
import { writeJob } from '../../src/config/job-yaml.ts'
import { resolveJob } from '../../src/config/resolve-job.ts'
import { BatchedReader } from '../../src/operations/batched-reader.ts'
import type { ActionPlan, Operator } from '../../src/operations/action-plan.ts'
import { type Extent, type JobSnapshot, readSnapshot } from '../../src/operations/snapshot.ts'
import { RegistryError } from '../../src/registry/registry-error.ts'
import type { ReadPart, ReadResult, Stat } from '../../src/registry/transaction.ts'
import type { TreeNode, TreeServer } from '../tree-server.ts'
import { type JobTree, jobTree, type Situation } from '../tree.ts'

/** Reads a hand-made tree as an operator reads a server. */
export function readTree(server: TreeServer, part: ReadPart): ReadResult {
  const node = server.get(part.path)
  if (node === undefined) {
    const details = { errno: -101, operation: part.type, path: part.path }
    return { error: new RegistryError('REGISTRY_NO_NODE', `${part.path}: no node`, details) }
  }
  if (part.type === 'children') return { children: server.children(part.path) }
  return { data: toBytes(node.text), stat: statOf(node) }
}

function statOf({ version, czxid, mzxid, ctime, mtime }: TreeNode): Stat {
  const times = { ctime: BigInt(ctime), mtime: BigInt(mtime) }
  return { version, czxid, mzxid, ...times } as Partial<Stat> as Stat
}

export function snapshotOf(tree: JobTree, extent: Extent = 'full'): Promise<JobSnapshot> {
  const { server, state, jobName, paths } = tree
  const reader = new BatchedReader(
    (parts) => Promise.resolve(parts.map((part) => readTree(server, part))),
    systemClock,
  )
  return readSnapshot(reader, jobName, paths, new Set(server.children(state.alive)), extent)
}

/** The snapshot alone, of a job that nobody changes. */
export function snapshotIn(situation: Situation, extent?: Extent): Promise<JobSnapshot> {
  return snapshotOf(jobTree(situation), extent)
}

/** A configuration as it is stored. */
export function configOf(options: Partial<JobOptions> = {}): string {
  return writeJob(
    resolveJob({ jobName: 'job', cron: '0 * * * * ?', shardingTotalCount: 2, ...options }),
  )
}

export function operatorOf(tree: JobTree): Operator {
  return tree.member('nobody')
}

/** What came of a draft, in the order of its states; an operator has no session that matters. */
export function carryOut(tree: JobTree, actionPlan: ActionPlan): ActionPlan {
  if (actionPlan.operations.length === 0) return actionPlan
  const outcome = tree.apply(actionPlan.operations, 'operator')
  if (outcome !== 'committed') throw new Error(`the draft was refused: ${outcome}`)
  return actionPlan
}
