/** Starts the code of claimed runs, after a last check of their claims, and handles the results of the code. */
import type { RunOutcome } from '../events.ts'
import { reportFires } from '../fire-times/report.ts'
import { isMixed, type JobView } from '../job-tree/job-view.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import type { Completer } from './completer.ts'
import type { Code, ExecutionHost } from './host.ts'
import { readOffsets, saveOffset } from './offsets.ts'
import {
  obstacleTo,
  readsBehindClaim,
  readsBehindTake,
  stillHolds,
  takeStillHolds,
} from './plan.ts'
import { crashedRun, type Run, type RunKeeper } from './run.ts'
import { outcomeOfUnbegun } from './run-abort.ts'

/** The basis of a plan for a future fire time. */
export interface Ahead extends Pick<JobView, 'jobState' | 'config'> {
  readonly time: number
  readonly mixed: boolean
}

export class Executor implements RunKeeper {
  readonly #host: ExecutionHost
  readonly #completer: Completer

  constructor(host: ExecutionHost, completer: Completer) {
    this.#host = host
    this.#completer = completer
  }

  /** The basis of a plan for `time`; undefined if `time` is not in the future. */
  ahead(time: number, mixed: boolean): Ahead | undefined {
    if (time <= this.#host.session.now()) return undefined
    const { jobState, config } = this.#host.replica
    return { time, jobState, config, mixed }
  }

  /** Resolves at the fire time with the runs that are still wanted: changes since the plan take precedence. */
  async reach(ahead: Ahead, runs: readonly Run[]): Promise<ReadonlySet<Run>> {
    const { time, jobState, config, mixed } = ahead
    const { session, replica } = this.#host
    this.#host.ready(time)
    await session.reach(time)
    const isSame = replica.isSynced && replica.jobState === jobState && replica.config === config
    const mayBegin = isSame && !this.#host.isStopping
    return new Set(mayBegin ? runs.filter((run) => this.#isStillClear(run, mixed)) : [])
  }

  #isStillClear({ slot, abort }: Run, mixed: boolean): boolean {
    if (slot.isStale || !slot.isOwned || abort.isAborted) return false
    // In native mode the committed claim excludes every other obstacle.
    if (!mixed) return this.#host.replica.shards.get(slot.shard)?.disabled !== true
    const { failover } = this.#host.settings()
    const obstacle = obstacleTo(this.#host.replica, slot.loaded, { mixed, failover })
    return obstacle === undefined && !this.#host.givesAway(slot.shard)
  }

  /**
   * Starts runs whose claims are committed, with `ahead` at its fire time. Their code is prepared before that time, so
   * that only the start itself remains to be done then.
   */
  async start(runs: readonly Run[], mixed: boolean, ahead?: Ahead): Promise<void> {
    const code = ahead === undefined ? undefined : this.#host.codeOf(runs)
    await this.#confirm(runs, mixed)
    if (ahead !== undefined) {
      const wanted = await this.reach(ahead, runs)
      for (const run of runs) if (!wanted.has(run)) run.abort.abort()
    }
    this.begin(runs, code)
  }

  /**
   * Aborts the runs that must not start. The registry answers requests in order, so the reads see the claims.
   *
   * A crashed run may have saved offsets after this instance read the shard; saving an offset does not change the shard
   * state. After this claim the crashed run can save no more, so the offset is read again.
   */
  async #confirm(runs: readonly Run[], mixed: boolean): Promise<void> {
    const { session } = this.#host
    const member = this.#host.member()
    const takeovers = runs.filter(({ due }) => due.source === 'failover')
    // A Java instance may have joined since the plan: the events before the answer have reached the replica.
    const isShared = mixed || isMixed(this.#host.replica)
    const claims = isShared ? runs.filter(({ due }) => due.source !== 'failover') : []
    const afterCrash = runs.filter(
      ({ due, plan }) => due.source === 'failover' || plan.before.state === 'running',
    )
    const checks = claims.map((run) =>
      abortUnless([run], session.read(readsBehindClaim(member, run.shard)), (results) => {
        const { loaded, ownership } = run.slot
        return stillHolds(member, { ...loaded, ...ownership }, results)
      }),
    )
    if (takeovers.length > 0) {
      const answer = session.read(readsBehindTake(member))
      checks.push(abortUnless(takeovers, answer, (results) => takeStillHolds(results, mixed)))
    }
    if (afterCrash.length > 0) {
      checks.push(abortUnless(afterCrash, readOffsets(this.#host, afterCrash), () => true))
    }
    await Promise.all(checks)
  }

  /** Starts the code of runs whose claims hold, unless the lease has expired or the run was aborted. */
  begin(runs: readonly Run[], code: Code = this.#host.codeOf(runs)): void {
    const isProven = this.#host.session.client.lease.valid
    const begun = runs.filter((run) => this.#mayBegin(run, isProven))
    if (begun.length > 0) code.begin(begun)
  }

  #mayBegin(run: Run, isProven: boolean): boolean {
    if (!run.hasSlot || !run.slot.begin(run)) return false
    // Hold the lease only now. The claim is a write that proves the session; a lease held since the planning would send
    // a second write beside the claim.
    run.lease = this.#host.session.holdLease()
    if (!isProven || run.abort.isAborted) {
      const outcome = outcomeOfUnbegun(run.abort)
      if (outcome !== 'not-started') this.#tellGone(run)
      this.end(run, outcome)
      return false
    }
    this.#tellGone(run)
    return true
  }

  /** Reports the crashed run and the missed fire times that this run replaces. No other instance can know them. */
  #tellGone({ shard, plan: { before, gone } }: Run): void {
    const { jobName, emit } = this.#host
    if (before.state === 'running') emit('run:abandoned', crashedRun(jobName, shard, before))
    reportFires(emit, jobName, shard, gone)
  }

  saveOffset(run: Run, offset: string): Promise<void> {
    return saveOffset(this.#host, run, offset)
  }

  end(run: Run, outcome: RunOutcome, error?: unknown): void {
    this.#completer.end(run, outcome, error)
  }
}

/** Aborts the runs if the answer does not confirm them. A failed read does not confirm anything. */
async function abortUnless<T>(
  runs: readonly Run[],
  answer: Promise<T>,
  confirms: (results: T) => boolean,
): Promise<void> {
  try {
    if (confirms(await answer)) return
  } catch (error) {
    if (!isRegistryError(error)) throw error
  }
  for (const { abort } of runs) abort.abort()
}
