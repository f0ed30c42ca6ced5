/** What was cut off by a lost connection: what the item's word says afterwards decides. */
import { isZooKeeperError } from '@elasticjob/zookeeper'

import { isMixed } from '../job-tree/job-view.ts'
import { type ReadWord, readWords } from '../job-tree/read-words.ts'
import type { Claims } from './claims.ts'
import type { ExecutionHost } from './host.ts'
import type { LaneTable } from './lane-table.ts'
import type { Run } from './run.ts'
import type { Runs } from './runs.ts'
import type { Takeovers } from './takeovers.ts'

export class CutOffRuns {
  readonly #host: ExecutionHost
  readonly #lanes: LaneTable
  readonly #runs: Runs
  readonly #claims: Claims
  readonly #takeovers: Takeovers

  constructor(
    host: ExecutionHost,
    lanes: LaneTable,
    runs: Runs,
    claims: Claims,
    takeovers: Takeovers,
  ) {
    this.#host = host
    this.#lanes = lanes
    this.#runs = runs
    this.#claims = claims
    this.#takeovers = takeovers
  }

  /** Settles what can be settled now. */
  settle(): void {
    const { session, replica } = this.#host
    if (!session.isReady || !replica.isQuiet) return
    const cutOff: Run[] = []
    for (const { isCutOff, run } of this.#lanes) if (isCutOff && run !== undefined) cutOff.push(run)
    if (cutOff.length === 0) return
    for (const { lane } of cutOff) lane.isCutOff = false
    void this.#settleAll(cutOff)
  }

  async #settleAll(runs: readonly Run[]): Promise<void> {
    const { session, replica } = this.#host
    const items = runs.map(({ item }) => item)
    let words: ReadonlyMap<number, ReadWord>
    try {
      words = await readWords(session, replica.paths, items)
    } catch (error) {
      for (const { lane } of runs) lane.isCutOff = true
      if (!isZooKeeperError(error)) throw error
      return
    }
    for (const run of runs) if (run.hasLane) this.#settleOne(run, words.get(run.item))
  }

  #settleOne(run: Run, word: ReadWord | undefined): void {
    const isOurs = word?.value.run === run.plan.runId
    if (run.lane.state === 'claiming') {
      if (isOurs) void this.#adopt(run, word)
      else this.#runs.refused(run, 'the claim did not reach the registry')
    } else if (isOurs && word.value.state === 'running') void this.#runs.writeEnds([run])
    else if (isOurs) this.#runs.recorded(run, word.value, word.version)
    else this.#runs.superseded(run)
  }

  /** The claim held although its answer was lost; so was the proof of the session that it would have been. */
  async #adopt(run: Run, word: ReadWord): Promise<void> {
    const { session, replica } = this.#host
    try {
      if (!session.client.lease.valid) await session.prove()
    } catch (error) {
      if (!isZooKeeperError(error)) throw error
      run.lane.isCutOff = true
      return
    }
    run.claimedAs(word)
    if (run.due.source === 'failover') await this.#takeovers.beginIfTaken([run])
    else await this.#claims.beginIfHeld([run], isMixed(replica))
  }
}
