/** One run of a shard in this process, from its claim until the registry has recorded its end. */
import type { CrashedRun, RunOutcome, RunReference, TakenOverRun } from '../events.ts'
import type { ShardState, PassedFires } from '../job-tree/shard-state.ts'
import type { LeaseHold } from '../registry/registry-client.ts'
import type { Stat } from '../registry/transaction.ts'
import { type Due, manualRunOf, timeOf } from '../fire-times/due.ts'
import type { ShardSlot } from './shard-slot.ts'
import { RunAbort } from './run-abort.ts'

/** A claimed run whose code may start. */
export interface ClaimedRun {
  readonly shard: number
  readonly reference: RunReference
  readonly due: Due
  /** Asks the code to end. */
  readonly abort: RunAbort
  /** The last saved offset, including offsets saved by this run. */
  readonly offset: string | undefined
  saveOffset(offset: string): Promise<void>
  /** Called when the code has ended. */
  finish(outcome: RunOutcome, error?: unknown): void
  /** Resolves when the registry has recorded the end of the run; with false if the shard has to run again. */
  recorded(): Promise<boolean>
}

/** Owns runs and handles the results of their code. */
export interface RunKeeper {
  end(run: Run, outcome: RunOutcome, error?: unknown): void
  saveOffset(run: Run, offset: string): Promise<void>
}

export interface RunPlan {
  readonly runId: string
  readonly due: Due
  /** The state before the claim. */
  readonly before: ShardState
  /** The state at the claim. */
  readonly shardState: ShardState
  /** Fire times that are reported as missed with the claim. */
  readonly gone: readonly PassedFires[]
}

/** Without monitorExecution the registry has no state of the run. */
const unwritten = -1
/** The shard state that the claim wrote has been deleted. */
const lost = -2

export class Run implements ClaimedRun {
  readonly slot: ShardSlot
  readonly plan: RunPlan
  readonly abort: RunAbort = new RunAbort()
  /** Held while the code may run. */
  lease: LeaseHold | undefined = undefined
  /** The version of the shard state since the claim. The end of the run is written at this version. */
  stateVersion: number = unwritten
  /** `session.suspensions` when the shard state was last confirmed to belong to this run. */
  confirmedAt = 0
  /** The result, once the code has ended. */
  ending: { readonly outcome: RunOutcome; readonly error: unknown } | undefined = undefined
  /**
   * Called once the registry has recorded the end, or never will. The argument says whether the run of the shard is
   * complete.
   */
  settled: ((isOver: boolean) => void) | undefined = undefined
  /** Settles when the last requested offset is saved or has failed; never rejects. */
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

  /** Whether this run still occupies its slot; false once another run has replaced it. */
  get hasSlot(): boolean {
    return this.slot.run === this
  }

  get isWritten(): boolean {
    return this.stateVersion !== unwritten
  }

  get outcome(): RunOutcome {
    return this.ending?.outcome ?? 'success'
  }

  /** The registry has committed the claim. */
  claimedAs({ version, mzxid }: Pick<Stat, 'version' | 'mzxid'>): void {
    this.stateVersion = version
    this.#fencingToken = mzxid
  }

  /** The shard state was deleted. The end of the run creates it again. */
  stateLost(): void {
    this.stateVersion = lost
  }

  /** How events refer to the run, from its claim on. */
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

/**
 * The crashed run that `state` describes. A run that was handed over has reported its own end, and its state has an
 * outcome: it is not a crashed run.
 */
function takenOver({ state, outcome, run, instance, begin }: ShardState): TakenOverRun | undefined {
  if (state !== 'crashed' || outcome !== undefined || run === '') return undefined
  return { runId: run, instance, claimedAt: begin }
}

/** A crashed run as events describe it. */
export function crashedRun(jobName: string, shard: number, state: ShardState): CrashedRun {
  const { instance, source, attempt, fireTime } = state
  const ids = { runId: state.run, manualRun: state.round, claimedAt: state.begin }
  return { jobName, shardingItem: shard, instance, source, attempt, fireTime, ...ids }
}
