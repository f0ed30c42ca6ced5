/** One run of a shard in this process, from its claim to the moment the registry knows its end. */
import type { RunOutcome, RunReference, TakenOverRun } from '../events.ts'
import type { ShardState, PassedFires } from '../job-tree/shard-state.ts'
import type { LeaseHold } from '../registry/registry-client.ts'
import type { Stat } from '../registry/transaction.ts'
import { type Due, manualRunOf, timeOf } from '../fire-times/due.ts'
import type { ShardSlot } from './shard-slot.ts'
import { RunAbort } from './run-abort.ts'

/** A run whose code may begin. */
export interface ClaimedRun {
  readonly shard: number
  readonly reference: RunReference
  readonly due: Due
  /** Asks the code to end. */
  readonly abort: RunAbort
  /** The last one saved, also by this run. */
  readonly offset: string | undefined
  saveOffset(offset: string): Promise<void>
  /** The code has ended. */
  finish(outcome: RunOutcome, error?: unknown): void
  /** Resolves when the registry knows its end; with false if the shard is to be begun again. */
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
  /** The state before the claim. */
  readonly before: ShardState
  /** The state at the claim. */
  readonly shardState: ShardState
  /** Fire times that are reported with its claim. */
  readonly gone: readonly PassedFires[]
}

/** Of a run with monitorExecution off nothing is written. */
const unwritten = -1
/** The state that the claim has written is not stored any more. */
const lost = -2

export class Run implements ClaimedRun {
  readonly slot: ShardSlot
  readonly plan: RunPlan
  readonly abort: RunAbort = new RunAbort()
  /** Held while its code may run. */
  lease: LeaseHold | undefined = undefined
  /** The version of the state at the claim: what the end of the run sets. */
  stateVersion: number = unwritten
  /** How often the connection had been lost when the shard state was last known to be this run's. */
  confirmedAt = 0
  /** What came of it, once its code has ended. */
  ending: { readonly outcome: RunOutcome; readonly error: unknown } | undefined = undefined
  /** Told once the registry knows the end, or never will; with whether the shard is over with it. */
  settled: ((isOver: boolean) => void) | undefined = undefined
  /** Settles when the last offset it wants saved is, or will not be; it never rejects. */
  saving: Promise<void> | undefined = undefined
  readonly #jobName: string
  readonly #keeper: RunKeeper
  #fencingToken: bigint | undefined = undefined
  #reference: RunReference | undefined = undefined

  constructor(jobName: string, slot: ShardSlot, plan: RunPlan, keeper: RunKeeper) {
    this.#jobName = jobName
    this.slot = slot
    this.plan = plan
    this.#keeper = keeper
  }

  get shard(): number {
    return this.slot.shard
  }

  get due(): Due {
    return this.plan.due
  }

  get offset(): string | undefined {
    return this.slot.offset?.value
  }

  /** Whether it has the slot: no other run has taken its place. */
  get hasSlot(): boolean {
    return this.slot.run === this
  }

  get isWritten(): boolean {
    return this.stateVersion !== unwritten
  }

  get outcome(): RunOutcome {
    return this.ending?.outcome ?? 'success'
  }

  /** The registry has its claim. */
  claimedAs({ version, mzxid }: Pick<Stat, 'version' | 'mzxid'>): void {
    this.stateVersion = version
    this.#fencingToken = mzxid
  }

  /** The state was deleted: the end of the run writes it again. */
  stateLost(): void {
    this.stateVersion = lost
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
    const { runId, due, shardState, before } = this.plan
    return {
      jobName: this.#jobName,
      instance: shardState.instance,
      shardingItem: this.slot.shard,
      runId,
      source: due.source,
      fireTime: timeOf(due),
      attempt: shardState.attempt,
      manualRun: manualRunOf(due)?.id,
      fencingToken: this.#fencingToken,
      claimedAt: shardState.begin,
      takenOver: takenOver(before),
    }
  }
}

/** A run that was handed over has told its end itself, and its state has the outcome. */
function takenOver({ state, outcome, run, instance, begin }: ShardState): TakenOverRun | undefined {
  if (state !== 'crashed' || outcome !== undefined || run === '') return undefined
  return { runId: run, instance, claimedAt: begin }
}
