/** The state of an existing job whose state node was deleted, or lost by the registry. */
import type { RegistrySession } from '../registry/registry-session.ts'
import { read } from '../registry/transaction.ts'
import type { Coordination } from './coordination.ts'
import type { JobState } from './job-state.ts'
import type { JobPaths } from './paths.ts'
import { readStates } from './read-states.ts'

export interface MissingState {
  readonly jobState: JobState
  /** Whether the folder of the shard states exists. */
  readonly hasStates: boolean
}

/** Whether the folder of the shard states exists. */
export async function hasShardStates(session: RegistrySession, paths: JobPaths): Promise<boolean> {
  const [result] = await session.read([read.children(paths.shardStates)])
  if (result !== undefined && 'error' in result && result.error.code !== 'REGISTRY_NO_NODE') {
    throw result.error
  }
  return result !== undefined && 'children' in result
}

/**
 * `known`: what this instance remembers of the job state. Manual runs continue only if the shard states record which
 * shards have run them. The id of a new manual run has to exceed that of every one that a shard has run, or the shard
 * would not run it.
 */
export async function missingState(
  host: Pick<Coordination, 'session' | 'replica' | 'health'>,
  total: number,
  known: JobState,
): Promise<MissingState> {
  if (!(await hasShardStates(host.session, host.replica.paths))) {
    const { running: _, pending: __, ...jobState } = known
    return { jobState, hasStates: false }
  }
  const shards = Array.from({ length: total }, (_, shard) => shard)
  let { lastRound } = known
  const { states } = await readStates(host, shards)
  for (const { value } of states.values()) {
    lastRound = Math.max(lastRound, value.round)
  }
  return { jobState: { ...known, lastRound }, hasStates: true }
}
