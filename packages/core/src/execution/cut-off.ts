/**
 * Settles runs whose transaction was cut off by a lost connection. The shard state, read after the reconnect, decides.
 */
import { isMixed } from '../job-tree/job-view.ts'
import { type ReadState, readStates } from '../job-tree/read-states.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import type { Claims } from './claims.ts'
import type { ExecutionHost } from './host.ts'
import type { ShardTable } from './shard-table.ts'
import type { Run } from './run.ts'
import type { Runs } from './runs.ts'
import type { Takeovers } from './takeovers.ts'

export class CutOffRuns {
  readonly #host: ExecutionHost
  readonly #slots: ShardTable
  readonly #runs: Runs
  readonly #claims: Claims
  readonly #takeovers: Takeovers

  constructor(
    host: ExecutionHost,
    slots: ShardTable,
    runs: Runs,
    claims: Claims,
    takeovers: Takeovers,
  ) {
    this.#host = host
    this.#slots = slots
    this.#runs = runs
    this.#claims = claims
    this.#takeovers = takeovers
  }

  /** Settles all cut-off runs if the session is ready and the replica is synced. */
  settle(): void {
    const { session, replica } = this.#host
    if (!session.isReady || !replica.isSynced) return
    const cutOff: Run[] = []
    for (const { isCutOff, run } of this.#slots) if (isCutOff && run !== undefined) cutOff.push(run)
    if (cutOff.length === 0) return
    for (const { slot } of cutOff) slot.isCutOff = false
    void this.#settleAll(cutOff)
  }

  async #settleAll(runs: readonly Run[]): Promise<void> {
    const shards = runs.map(({ shard }) => shard)
    const { suspensions } = this.#host.session
    let states: ReadonlyMap<number, ReadState>
    try {
      states = (await readStates(this.#host, shards)).states
    } catch (error) {
      for (const { slot } of runs) slot.isCutOff = true
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
      else this.#runs.refused(run, 'the claim did not reach the registry')
    } else if (isOurs && state.value.state === 'running') void this.#runs.writeEnds([run])
    else if (isOurs) this.#runs.recorded(run, state.value, state.version)
    else if (state === undefined && this.#takesPart) {
      // The state was deleted by hand. No other instance has run the shard since, because its claim would have created
      // the state again.
      run.stateLost()
      void this.#runs.writeEnds([run])
    } else this.#runs.superseded(run)
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
      run.slot.isCutOff = true
      return
    }
    run.claimedAs(state)
    if (run.due.source === 'failover') await this.#takeovers.beginIfTaken([run])
    else await this.#claims.beginIfHeld([run], isMixed(replica))
  }
}
