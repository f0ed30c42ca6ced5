/**
 * Settles runs whose transaction was cut off by a lost connection. The shard state, read after the reconnect, decides.
 */
import { isMixed } from '../job-tree/job-view.ts'
import { type ReadState, readStates } from '../job-tree/read-states.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import type { Claimer } from './claimer.ts'
import type { Completer } from './completer.ts'
import type { Executor } from './executor.ts'
import type { ExecutionHost } from './host.ts'
import type { Run } from './run.ts'
import type { ShardTable } from './shard-table.ts'

export interface CutOffHost {
  readonly host: ExecutionHost
  readonly slots: ShardTable
  readonly claimer: Pick<Claimer, 'refused'>
  readonly executor: Pick<Executor, 'start'>
  readonly completer: Pick<Completer, 'writeEnds' | 'recorded' | 'superseded'>
}

/** Settles all cut-off runs if the session is ready and the replica is synced. */
export function settleCutOff(at: CutOffHost): void {
  const { session, replica } = at.host
  if (!session.isReady || !replica.isSynced) return
  const cutOff: Run[] = []
  for (const { isCutOff, run } of at.slots) if (isCutOff && run !== undefined) cutOff.push(run)
  if (cutOff.length === 0) return
  for (const { slot } of cutOff) slot.settle()
  void settleAll(at, cutOff)
}

async function settleAll(at: CutOffHost, runs: readonly Run[]): Promise<void> {
  const shards = runs.map(({ shard }) => shard)
  const { suspensions } = at.host.session
  let states: ReadonlyMap<number, ReadState>
  try {
    states = (await readStates(at.host, shards)).states
  } catch (error) {
    for (const { slot } of runs) slot.cutOff()
    if (!isRegistryError(error)) throw error
    return
  }
  for (const run of runs) {
    run.confirmedAt = suspensions
    if (run.hasSlot) settleOne(at, run, states.get(run.shard))
  }
}

function settleOne(at: CutOffHost, run: Run, state: ReadState | undefined): void {
  const { claimer, completer } = at
  const { replica, session } = at.host
  const isOurs = state?.value.run === run.plan.runId
  if (run.slot.state === 'claiming') {
    if (isOurs) void adopt(at, run, state)
    else claimer.refused(run, 'the claim did not reach the registry')
  } else if (isOurs && state.value.state === 'running') void completer.writeEnds([run])
  else if (isOurs) completer.recorded(run, state.value, state.version)
  else if (state === undefined && replica.instances.has(session.instance)) {
    // The state was deleted by hand. No other instance has run the shard since, because its claim would have created
    // the state again. An instance that has left creates nothing: a removed job must not get new nodes.
    run.stateLost()
    void completer.writeEnds([run])
  } else completer.superseded(run)
}

/**
 * The claim was committed, but its answer was lost. That answer would have proved the session, so the session is proved
 * again.
 */
async function adopt(
  { host: { session, replica }, executor }: CutOffHost,
  run: Run,
  state: ReadState,
): Promise<void> {
  try {
    if (!session.client.lease.valid) await session.prove()
  } catch (error) {
    if (!isRegistryError(error)) throw error
    run.slot.cutOff()
    return
  }
  run.claimedAs(state)
  await executor.start([run], isMixed(replica))
}
