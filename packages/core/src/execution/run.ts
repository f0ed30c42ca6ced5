/** One run of an item in this process, from its claim to the moment the registry knows its end. */
import type { LeaseHold, Stat } from '@elasticjob/zookeeper'

import type { RunOutcome, RunReference, TakenOverRun } from '../events.ts'
import type { ItemWord } from '../job-tree/item-word.ts'
import { type Due, roundOf, timeOf } from './due.ts'
import type { Lane } from './lane.ts'
import type { PassedOver } from './passed-over.ts'
import { RunAbort } from './run-abort.ts'

/** A run whose code may begin. */
export interface ClaimedRun {
  readonly item: number
  readonly reference: RunReference
  readonly due: Due
  /** Asks the code to end. */
  readonly abort: RunAbort
  readonly offset: string | undefined
  saveOffset(offset: string): Promise<void>
  /** The code has ended. */
  finish(outcome: RunOutcome, error?: unknown): void
  /** Resolves when the registry knows its end; with false if the item is to be begun again. */
  recorded(): Promise<boolean>
}

/** Who keeps runs, and hears of what their code does. */
export interface RunKeeper {
  end(run: Run, outcome: RunOutcome, error?: unknown): void
  saveOffset(run: Run, offset: string): Promise<void>
}

/** What a run is claimed for. */
export interface RunPlan {
  readonly runId: string
  readonly due: Due
  /** The word before the claim. */
  readonly before: ItemWord
  /** The word at the claim. */
  readonly word: ItemWord
  /** Scheduled times that are gone for good with its claim. */
  readonly gone: readonly PassedOver[]
}

/** Of a run with monitorExecution off nothing is written. */
const unwritten = -1

export class Run implements ClaimedRun {
  readonly lane: Lane
  readonly plan: RunPlan
  readonly abort: RunAbort = new RunAbort()
  /** Held while its code may run. */
  lease: LeaseHold | undefined = undefined
  /** The version of the word at the claim: what the end of the run sets. */
  wordVersion: number = unwritten
  /** What came of it, once its code has ended. */
  ending: { readonly outcome: RunOutcome; readonly error: unknown } | undefined = undefined
  /** Told once the registry knows the end, or never will; with whether the item is over with it. */
  settled: ((isOver: boolean) => void) | undefined = undefined
  readonly #jobName: string
  readonly #keeper: RunKeeper
  #fencingToken: bigint | undefined = undefined
  #reference: RunReference | undefined = undefined

  constructor(jobName: string, lane: Lane, plan: RunPlan, keeper: RunKeeper) {
    this.#jobName = jobName
    this.lane = lane
    this.plan = plan
    this.#keeper = keeper
  }

  get item(): number {
    return this.lane.item
  }

  get due(): Due {
    return this.plan.due
  }

  get offset(): string | undefined {
    return this.lane.offset
  }

  /** Whether it has the lane: no other run has taken its place. */
  get hasLane(): boolean {
    return this.lane.run === this
  }

  get isWritten(): boolean {
    return this.wordVersion !== unwritten
  }

  get outcome(): RunOutcome {
    return this.ending?.outcome ?? 'success'
  }

  /** The registry has its claim. */
  claimedAs({ version, mzxid }: Pick<Stat, 'version' | 'mzxid'>): void {
    this.wordVersion = version
    this.#fencingToken = mzxid
  }

  /** How the run is told of, from its claim on. */
  get reference(): RunReference {
    this.#reference ??= this.#refer()
    return this.#reference
  }

  saveOffset(offset: string): Promise<void> {
    return this.#keeper.saveOffset(this, offset)
  }

  finish(outcome: RunOutcome, error?: unknown): void {
    this.#keeper.end(this, outcome, error)
  }

  recorded(): Promise<boolean> {
    return new Promise((resolve) => {
      this.settled = resolve
    })
  }

  #refer(): RunReference {
    const { runId, due, word, before } = this.plan
    return {
      jobName: this.#jobName,
      instance: word.instance,
      shardingItem: this.lane.item,
      runId,
      source: due.source,
      fireTime: timeOf(due),
      attempt: word.attempt,
      round: roundOf(due)?.id,
      fencingToken: this.#fencingToken,
      claimedAt: word.begin,
      takenOver: takenOver(before),
    }
  }
}

/** A run that was handed over has told its end itself, and its word has the outcome. */
function takenOver({ state, outcome, run, instance, begin }: ItemWord): TakenOverRun | undefined {
  if (state !== 'crashed' || outcome !== undefined || run === '') return undefined
  return { runId: run, instance, claimedAt: begin }
}
