/** Takes over what crashed instances have left, as far as their words allow it. */
import { isZooKeeperError } from '@elasticjob/zookeeper'

import { isRunByAnother, isTakeable, planDismissal, planTake } from '../failover/plan.ts'
import type { TakeSettings } from '../failover/service.ts'
import type { ItemWord } from '../job-tree/item-word.ts'
import { isMixed, type Versioned } from '../job-tree/job-view.ts'
import { readWords } from '../job-tree/read-words.ts'
import { isConfirmed } from './confirmation.ts'
import type { Due, DueContext } from './due.ts'
import type { ExecutionHost } from './host.ts'
import type { LaneTable } from './lane-table.ts'
import type { Lane } from './lane.ts'
import { passedOver } from './passed-over.ts'
import type { Run } from './run.ts'
import type { Claim, Runs } from './runs.ts'
import { readsBehindTake, takeStillHolds } from './still-holds.ts'

export class Takeovers {
  readonly #host: ExecutionHost
  readonly #lanes: LaneTable
  readonly #runs: Runs

  constructor(host: ExecutionHost, lanes: LaneTable, runs: Runs) {
    this.#host = host
    this.#lanes = lanes
    this.#runs = runs
  }

  async take(items: readonly number[], { latchNode, words: known }: TakeSettings): Promise<void> {
    const { session, replica } = this.#host
    const lanes = items
      .filter((item) => !this.#runs.isOrphaned(item))
      .map((item) => this.#lanes.borrow(item))
      .filter((lane) => lane !== undefined)
    if (lanes.length === 0) return
    for (const lane of lanes) lane.state = 'claiming'
    const wordOf = new Map<number, Versioned<ItemWord>>(known)
    const unknown = lanes.map(({ item }) => item).filter((item) => !wordOf.has(item))
    try {
      const read = await readWords(session, replica.paths, unknown)
      for (const [item, word] of read) wordOf.set(item, word)
    } catch (error) {
      for (const lane of lanes) this.#giveBack(lane)
      if (!isZooKeeperError(error)) throw error
      return
    }
    const held = lanes.filter((lane) => this.#lanes.has(lane))
    const dismissed: Promise<void>[] = []
    const takeovers: Claim[] = []
    const context = this.#host.dueContext(session.now())
    for (const lane of held) {
      const word = wordOf.get(lane.item)
      if (isRunByAnother(replica, lane.item)) this.#giveBack(lane)
      else if (word !== undefined && isTakeable(replica, word.value)) {
        takeovers.push(this.#plan(lane, word, context, latchNode))
      } else {
        this.#giveBack(lane)
        if (!isMixed(replica)) dismissed.push(this.#dismiss(lane.item, word))
      }
    }
    if (takeovers.length > 0) {
      await this.#runs.claim(takeovers, (runs) => this.beginIfTaken(runs))
    }
    await Promise.all(dismissed)
  }

  #plan(
    lane: Lane,
    word: Versioned<ItemWord>,
    context: DueContext,
    latchNode: string | undefined,
  ): Claim {
    const { replica } = this.#host
    const { now } = context
    const runId = this.#host.newRunId()
    const due = this.#dueOf(word.value)
    const gone = passedOver(word.value, 0, due, context)
    const settings = { now, runId, nextFireTime: this.#host.nextFireTime(now), gone, latchNode }
    const plan = planTake(replica, this.#host.member(), lane.item, word, settings)
    const run = this.#runs.prepare(lane, { runId, due, before: word.value, word: plan.word, gone })
    // Should the item be ours, its next claim has to know what was done here.
    lane.isStale = true
    return { run, parts: plan.operations }
  }

  #dueOf({ fireTime, begin, round: roundId, source }: ItemWord): Due {
    const running = this.#host.replica.word?.value.running
    const round = source === 'trigger' && running?.id === roundId ? running : undefined
    return { source: 'failover', fireTime: round?.asked ?? (fireTime || begin), round }
  }

  /** Java may have joined, or may be waiting by now for a moment in which nothing runs. */
  async beginIfTaken(runs: readonly Run[]): Promise<void> {
    const mixed = isMixed(this.#host.replica)
    // Requests are answered in their order: what is read now has seen all of these claims.
    const holds = await isConfirmed(
      this.#host.session.read(readsBehindTake(this.#host.member())),
      (results) => takeStillHolds(results, mixed),
    )
    if (!holds) for (const { abort } of runs) abort.abort()
    this.#runs.begin(runs)
  }

  /** Nothing was taken: the lane is as if nobody had tried. */
  #giveBack(lane: Lane): void {
    if (!this.#lanes.has(lane)) return
    lane.state = 'unread'
    this.#lanes.forgetIfLost(lane)
  }

  /** A mark without a run to repeat: it goes. */
  async #dismiss(item: number, word: Versioned<ItemWord> | undefined): Promise<void> {
    await this.#host.session
      .commit(planDismissal(this.#host.member(), item, word))
      .catch((error: unknown) => {
        if (!isZooKeeperError(error)) throw error
      })
  }
}
