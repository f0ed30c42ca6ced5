/** Plans the recreation of nodes that a job needs under any leader and that were deleted. */
import type { JobView } from '../job-tree/job-view.ts'
import { encodeJobState, type JobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { countingFrom } from '../job-tree/timeline.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { firstState, missingNodes } from '../servers/plan.ts'

/** The content of the nodes to recreate. */
export interface Structure {
  /** The text of the configuration; undefined if it is not to be recreated. */
  readonly configText: string | undefined
  /** The job state: its schedule says from which moment on fire times count. */
  readonly jobState: JobState
  /** Whether the folder of the shard states exists. */
  readonly hasStates: boolean
}

/** The paths to recreate, and the transaction that does it. */
export interface StructureRepair {
  readonly paths: readonly string[]
  readonly operations: readonly TransactionPart[]
}

/**
 * Recreates missing nodes of a job while this instance takes part in it. A removal of the job also deletes the node of
 * this instance: then the transaction fails as a whole.
 */
export function planStructureRepair(
  view: JobView,
  me: Member,
  { configText, jobState, hasStates }: Structure,
): StructureRepair {
  if (!view.instances.has(me.instance)) return { paths: [], operations: [] }
  const { paths } = me
  const missing = missingNodes(view, me)
  const made = missing.map(({ path }) => path)
  const operations = missing.map(({ creation }) => creation)
  const since = jobState.schedule?.since ?? 0
  if (view.jobState === undefined) {
    operations.push(
      ...firstState(me, hasStates ? jobState : countingFrom(jobState, since), hasStates),
    )
    made.push(paths.jobState)
  } else if (!hasStates) {
    // The record of runs is lost with the shard states: fire times count from now on.
    const value = encodeJobState(countingFrom(view.jobState.value, since))
    operations.push(
      part.create(paths.shardStates),
      part.set(paths.jobState, value, view.jobState.version),
    )
  }
  if (!hasStates) made.push(paths.shardStates)
  if (view.config === undefined && configText !== undefined) {
    operations.push(part.create(paths.config, configText))
    made.push(paths.config)
  }
  // A registered instance needs a server node: Java treats an instance without one as disabled.
  if (!view.servers.has(me.ip)) {
    operations.push(part.create(paths.server(me.ip), 'ENABLED'))
    made.push(paths.server(me.ip))
  }
  if (made.length === 0) return { paths: [], operations: [] }
  const guards = [part.check(paths.instance(me.instance))]
  // A removal changes the job state first.
  if (view.jobState !== undefined && hasStates)
    guards.push(part.check(paths.jobState, view.jobState.version))
  return { paths: made, operations: [...guards, ...operations] }
}
