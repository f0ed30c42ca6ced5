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

export class CutOffRuns {
  readonly #host: ExecutionHost
  readonly #slots: ShardTable
  readonly #claimer: Claimer
  readonly #executor: Executor
  readonly #completer: Completer

  constructor(
    host: ExecutionHost,
    slots: ShardTable,
    claimer: Claimer,
    executor: Executor,
    completer: Completer,
  ) {
    this.#host = host
    this.#slots = slots
    this.#claimer = claimer
    this.#executor = executor
    this.#completer = completer
  }

  /** Settles all cut-off runs if the session is ready and the replica is synced. */
  settle(): void {
    const { session, replica } = this.#host
    if (!session.isReady || !replica.isSynced) return
    const cutOff: Run[] = []
    for (const { isCutOff, run } of this.#slots) if (isCutOff && run !== undefined) cutOff.push(run)
    if (cutOff.length === 0) return
    for (const { slot } of cutOff) slot.settle()
    void this.#settleAll(cutOff)
  }

  async #settleAll(runs: readonly Run[]): Promise<void> {
    const shards = runs.map(({ shard }) => shard)
    const { suspensions } = this.#host.session
    let states: ReadonlyMap<number, ReadState>
    try {
      states = (await readStates(this.#host, shards)).states
    } catch (error) {
      for (const { slot } of runs) slot.cutOff()
      if (!isRegistryError(error)) throw error
      return
    }
    for (const run of runs) {
      run.confirmedAt = suspensions
      if (run.hasSlot) this.#settleOne(run, states.get(run.shard))
    }
  }

  #settleOne(run: Run, state: ReadState | undefined): void {
    const isOurs = state?.value.run === run.plan.runId
    if (run.slot.state === 'claiming') {
      if (isOurs) void this.#adopt(run, state)
      else this.#claimer.refused(run, 'the claim did not reach the registry')
    } else if (isOurs && state.value.state === 'running') void this.#completer.writeEnds([run])
    else if (isOurs) this.#completer.recorded(run, state.value, state.version)
    else if (state === undefined && this.#takesPart) {
      // The state was deleted by hand. No other instance has run the shard since, because its claim would have created
      // the state again.
      run.stateLost()
      void this.#completer.writeEnds([run])
    } else this.#completer.superseded(run)
  }

  /** Whether this instance still belongs to the job. A removed job must not get new nodes. */
  get #takesPart(): boolean {
    const { replica, session } = this.#host
    return replica.instances.has(session.instance)
  }

  /**
   * The claim was committed, but its answer was lost. That answer would have proved the session, so the session is
   * proved again.
   */
  async #adopt(run: Run, state: ReadState): Promise<void> {
    const { session, replica } = this.#host
    try {
      if (!session.client.lease.valid) await session.prove()
    } catch (error) {
      if (!isRegistryError(error)) throw error
      run.slot.cutOff()
      return
    }
    run.claimedAs(state)
    await this.#executor.start([run], isMixed(replica))
  }
}
