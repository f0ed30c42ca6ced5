import type { FireTimes } from '../fire-times/due.ts'
import type { Coordination, Step } from '../job-tree/coordination.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { encodeShardState } from '../job-tree/shard-state.ts'
import { encodeJobState, type JobState, noJobState } from '../job-tree/job-state.ts'
import { readStates } from '../job-tree/read-states.ts'
import { forgotten, lastChangeOf } from '../job-tree/timeline.ts'
import { MostlyEmptyMap } from '../mostly-empty.ts'
import { isAccepted } from '../registry/registry-error.ts'
import { part } from '../registry/transaction.ts'
import type { LostShard } from '../sharding/former-owners.ts'
import { ownerOf } from '../sharding/needs.ts'
import {
  clockTolerance,
  type CloseContext,
  type ClosePlan,
  isOpenUntil,
  planClose,
  planLostClose,
} from './close-plan.ts'
import { isMissed, overrunShards, reasonFor, silentShards } from './plan.ts'
import { readShards, shardsToAccount } from './read-shards.ts'
import { reportFires } from '../fire-times/report.ts'

export interface MissedFireSettings {
  /** Whether this instance is the deputy and runs are marked; otherwise missed fires cannot be detected. */
  readonly watches: boolean
  readonly fires: FireTimes | undefined
  readonly total: number
  /** No fire time up to this moment is due. */
  readonly since: number
  /** How long after its fire time a shard may stay unclaimed before it is reported as late, in milliseconds. */
  readonly grace: number
  /** How long a fire time may be claimed, in milliseconds. */
  readonly window: number
  /** The context of the account at a moment. */
  readonly account: (now: number) => CloseContext
}

/** Jobs fire at whole seconds: a check at the same moment would delay their runs. */
const aside = 500
/** How often a late fire makes this instance read the whole job again, in milliseconds. */
const readInterval = 60_000
/** A registry's clock that goes back by more was set, in milliseconds. */
const setBack = 5000
/** How soon to check shards again that could not be accounted for, in milliseconds. */
const retry = 60_000
/** How the registry refuses a plan that was made on nodes which have changed since. */
const outdated = ['REGISTRY_BAD_VERSION', 'REGISTRY_NODE_EXISTS', 'REGISTRY_NO_NODE'] as const

/**
 * Watches the fire times that are due. A fire time without a claim after `grace` is late; one that no instance can
 * claim any more is closed and reported. The shard states decide, so a change of the leader in between loses nothing.
 */
export class MissedFireMonitor {
  readonly #host: Coordination
  /** When the `running` mark of each shard was last seen to appear. */
  readonly #marked = new MostlyEmptyMap<number, number>()
  /** Shards with fire times that may have to be closed, and when to check each. */
  readonly #open = new MostlyEmptyMap<number, number>()
  /** Shards that moved to a Java instance, and since when Java runs them. */
  readonly #lost = new MostlyEmptyMap<number, number>()
  #checked: number | undefined
  /** The changes of the job for which a check of all shards is done or scheduled. */
  #changes: string | undefined
  /** When to check all shards. */
  #lookAt: number | undefined
  /** The job state that `#changes` was made from. */
  #jobState: JobState | undefined
  /** The late fire time after which the job was last read again. */
  #readAt = 0
  /** When this instance last checked. */
  #steppedAt = 0

  constructor(host: Coordination) {
    this.#host = host
  }

  /** A run has started: its claim accounts for all earlier fire times. */
  marked(shardingItem: number, now: number): void {
    if (this.#changes === undefined) return
    this.#marked.set(shardingItem, now)
    this.#open.delete(shardingItem)
  }

  /** A shard was disabled: no instance will claim its earlier fire times. */
  disabled(shardingItem: number, now: number): void {
    if (this.#changes !== undefined) this.#open.set(shardingItem, now)
  }

  /** A shard of a native instance now belongs to a Java instance. */
  lost({ shard, since }: LostShard): void {
    this.#lost.set(shard, since)
  }

  step(now: number, settings: MissedFireSettings): Step {
    // All of these times are in the future of a clock that was set back: checks would wait until it reaches them again.
    const isSetBack = now < this.#steppedAt - setBack
    this.#steppedAt = now
    if (isSetBack) this.#forget()
    if (!settings.watches) {
      this.#forget()
      return undefined
    }
    this.#followChanges(now, settings)
    if (this.#lookAt !== undefined && this.#lookAt <= now) return this.#lookAtAll(now, settings)
    if (this.#lost.size > 0) return this.#lookAtLost(now, settings)
    const late = this.#lookForLate(now, settings)
    if (late instanceof Promise) return late
    const open = this.#lookAtOpen(now, settings)
    if (open instanceof Promise) return open
    return earliest(late, open, this.#lookAt)
  }

  #forget(): void {
    this.#checked = undefined
    this.#changes = undefined
    this.#jobState = undefined
    this.#lookAt = undefined
    this.#marked.clear()
    this.#open.clear()
  }

  /** A change of the job may leave fire times behind that no instance can run any more. */
  #followChanges(now: number, { grace }: MissedFireSettings): void {
    const jobState = this.#host.replica.jobState?.value ?? noJobState
    if (jobState === this.#jobState) return
    this.#jobState = jobState
    const { timeline = [], off = [], paused, resumed, resumedServers } = jobState
    const open = off.filter(({ to }) => to === undefined)
    const changes = JSON.stringify([timeline.at(-1), open, paused, resumed, resumedServers])
    if (changes === this.#changes) return
    // After an election the instances first get the time to claim the fire times that are still claimable.
    this.#lookAt = this.#changes === undefined ? now + grace + aside : now
    this.#changes = changes
  }

  #lookForLate(now: number, { fires, since, grace, total, window }: MissedFireSettings): Step {
    if (fires === undefined) return undefined
    // The check of all shards covers the fire times from before this leader's first check.
    this.#checked = Math.max(this.#checked ?? now, since)
    const passed = fires.latestAtOrBefore(now - grace, this.#checked)
    if (passed === undefined) return lookAfter(fires, this.#checked, grace)
    this.#checked = passed
    const { replica } = this.#host
    const closing = passed + window + clockTolerance
    for (const shard of overrunShards(replica, total, passed, this.#marked)) {
      this.#lookLater(shard, closing)
    }
    const silent = silentShards(replica, total, passed, this.#marked).filter(
      (shardingItem) => replica.disabledPeriods.endOf(shardingItem, now) < passed,
    )
    if (silent.length > 0) return this.#ask(silent, passed, closing)
    return lookAfter(fires, passed, grace)
  }

  async #ask(shardingItems: readonly number[], fireTime: number, closing: number): Promise<void> {
    const { replica, jobName, emit } = this.#host
    const { states, unreadable } = await readStates(this.#host, shardingItems)
    let isLate = false
    for (const shardingItem of shardingItems) {
      if (!isMissed(states.get(shardingItem)?.value, fireTime)) continue
      const late = {
        jobName,
        shardingItem: shardingItem,
        fireTime,
        reason: unreadable.has(shardingItem)
          ? 'its shard state cannot be read'
          : reasonFor(replica, shardingItem, fireTime),
      }
      // The shard state of a Java-owned shard cannot be closed: the absence of its owner is all there is to report.
      if (isJavaInstance(ownerOf(replica, shardingItem) ?? '')) {
        emit('fire:missed', { ...late, first: fireTime })
        continue
      }
      emit('fire:late', late)
      this.#lookLater(shardingItem, closing)
      isLate = true
    }
    // ZooKeeper sends no event of a node that this instance may not read for a while: its owner may have left the job.
    if (isLate && Math.abs(fireTime - this.#readAt) >= readInterval) {
      this.#readAt = fireTime
      replica.load()
    }
  }

  /** Never later than already planned: otherwise a shard that misses one fire time after another is never checked. */
  #lookLater(shard: number, at: number): void {
    this.#open.set(shard, Math.min(this.#open.get(shard) ?? Infinity, at))
  }

  /** Closes the fire times that have become too old by now. */
  #lookAtOpen(now: number, { account, window }: MissedFireSettings): Step {
    const { shards: shardingItems } = this.#host.replica
    const due: number[] = []
    let wake: number | undefined
    for (const [shard, at] of this.#open) {
      const isRunning = shardingItems.get(shard)?.running === true
      if (at <= now && !isRunning) due.push(shard)
      else wake = earliest(wake, Math.max(at, isRunning ? now + window : 0))
    }
    if (due.length === 0) return wake
    for (const shard of due) this.#open.delete(shard)
    return this.#look(due, account(now), now + window)
      .then(() => undefined)
      .catch((error: unknown) => {
        for (const shard of due) this.#open.set(shard, now)
        throw error
      })
  }

  /** A Java instance runs no fire times from before it owned the shard. */
  async #lookAtLost(now: number, { account, window }: MissedFireSettings): Promise<void> {
    const { replica } = this.#host
    const lost = new Map(this.#lost)
    this.#lost.clear()
    try {
      const { read, unreadable } = await readShards(this.#host, [...lost.keys()])
      for (const shard of unreadable) this.#open.set(shard, now + window)
      for (const shard of read) {
        const since = lost.get(shard.shard) ?? 0
        const plan = planLostClose(replica, this.#host.member(), shard, since, account(now))
        if (plan !== undefined) await this.#close(plan, shard.shardState?.version)
      }
    } catch (error) {
      for (const [shard, since] of lost) this.#lost.set(shard, since)
      throw error
    }
  }

  async #lookAtAll(now: number, { account, total, window }: MissedFireSettings): Promise<void> {
    this.#lookAt = undefined
    const { session, replica } = this.#host
    const { jobState } = replica
    try {
      const shards = await shardsToAccount(session, replica, total)
      const isAccounted = await this.#look(shards, account(now), now + window + clockTolerance)
      if (jobState === undefined) return
      if (isAccounted) await this.#forgetChanges(jobState)
      else this.#lookAt = now + retry
    } catch (error) {
      this.#lookAt = now
      throw error
    }
  }

  /**
   * Closes fire times where possible; returns whether all shards are accounted for up to the last change of the job.
   */
  async #look(shards: readonly number[], context: CloseContext, again: number): Promise<boolean> {
    const { replica } = this.#host
    const changed = lastChangeOf(replica.jobState?.value ?? noJobState)
    const { read, unreadable } = await readShards(this.#host, shards)
    const closed: Promise<boolean>[] = []
    let isAccounted = unreadable.length === 0
    for (const shard of unreadable) this.#open.set(shard, again)
    for (const shard of read) {
      const plan = planClose(replica, this.#host.member(), shard, context)
      if (plan !== undefined)
        closed.push(this.#closeOrLookLater(plan, shard.shardState?.version, again))
      const after =
        plan === undefined
          ? shard
          : { ...shard, shardState: { value: plan.shardState, version: 0 } }
      if (isOpenUntil(replica, after, changed, context)) isAccounted = false
      if (isOpenUntil(replica, after, context.now, context)) this.#lookLater(shard.shard, again)
    }
    const results = await Promise.all(closed)
    return isAccounted && results.every(Boolean)
  }

  /** Returns whether the plan was committed; if not, the shard state or the job state has changed meanwhile. */
  async #closeOrLookLater(
    plan: ClosePlan,
    version: number | undefined,
    again: number,
  ): Promise<boolean> {
    const holds = await this.#close(plan, version)
    if (!holds) this.#lookLater(plan.shard, again)
    return holds
  }

  /** Returns whether the plan was committed. */
  async #close(
    { shard, shardState, operations, reported }: ClosePlan,
    version?: number,
  ): Promise<boolean> {
    const { session, replica, jobName, emit } = this.#host
    if (!(await isAccepted(session.commit(operations), ...outdated))) return false
    reportFires(emit, jobName, shard, reported)
    // The fire times are reported: no later writer has to report them again.
    const text = encodeShardState({ ...shardState, report: undefined })
    const written = version === undefined ? 0 : version + 1
    const path = replica.paths.shardState(shard)
    await isAccepted(session.commit([part.set(path, text, written)]))
    return true
  }

  async #forgetChanges(jobState: {
    readonly value: JobState
    readonly version: number
  }): Promise<void> {
    const { session, replica } = this.#host
    const less = forgotten(jobState.value)
    if (less === undefined) return
    const text = encodeJobState({ ...jobState.value, ...less })
    const change = part.set(replica.paths.jobState, text, jobState.version)
    // If the job state has changed again, the check for that change comes first, then both are forgotten.
    await isAccepted(session.commit([change]), 'REGISTRY_BAD_VERSION')
  }
}

/** When the next fire time must have been claimed. */
function lookAfter(fires: FireTimes, time: number, grace: number): number | undefined {
  const next = fires.nextAfter(time)
  return next === undefined ? undefined : next + grace + aside
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
