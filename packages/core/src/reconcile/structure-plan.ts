/** What a job needs to have, whoever leads it, and somebody has deleted. */
import type { JobView } from '../job-tree/job-view.ts'
import { encodeJobState, type JobState } from '../job-tree/job-state.ts'
import type { Member } from '../job-tree/member.ts'
import { countingFrom } from '../job-tree/timeline.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { firstState, missingNodes } from '../servers/plan.ts'

/** What is made again where it is missing. */
export interface Structure {
  /** The text of the configuration; undefined if it is not to be made again. */
  readonly configText: string | undefined
  /** The job state: its schedule says from when on times count. */
  readonly jobState: JobState
  /** Whether the folder of the shard states is there. */
  readonly hasStates: boolean
}

/** The paths that are made again, in one transaction. */
export interface StructureRepair {
  readonly paths: readonly string[]
  readonly operations: readonly TransactionPart[]
}

/**
 * Makes again what is missing of a job while this instance takes part in it. A removal of the job takes the
 * instance's own node away, too: then the transaction fails as a whole.
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
    // What ran is forgotten with the states of the shards: from now on times count.
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
  // While we are registered our server has a node: Java counts an instance without one as disabled.
  if (!view.servers.has(me.ip)) {
    operations.push(part.create(paths.server(me.ip), 'ENABLED'))
    made.push(paths.server(me.ip))
  }
  if (made.length === 0) return { paths: [], operations: [] }
  const guards = [part.check(paths.instance(me.instance))]
  // A removal changes the state first of all.
  if (view.jobState !== undefined && hasStates)
    guards.push(part.check(paths.jobState, view.jobState.version))
  return { paths: made, operations: [...guards, ...operations] }
}
