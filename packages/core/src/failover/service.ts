import { inLatch } from '../election/latch.ts'
import type { FireTimes } from '../fire-times/due.ts'
import { crashedRun } from '../execution/run.ts'
import type { Coordination, Step } from '../job-tree/coordination.ts'
import { ensureFailoverFolder, hasFailoverFolder } from '../job-tree/failover-folder.ts'
import type { ShardState } from '../job-tree/shard-state.ts'
import { isDead, isMixed, type Versioned } from '../job-tree/job-view.ts'
import { readStates } from '../job-tree/read-states.ts'
import { reportFires } from '../fire-times/report.ts'
import { MostlyEmptyMap } from '../mostly-empty.ts'
import { crashedInJava, planJavaCrash } from './java-crash-plan.ts'
import {
  type CrashSettings,
  holdsOne,
  isCrashed,
  isTakeable,
  takeoverShards,
  planClearing,
  planCrash,
  suspects,
} from './plan.ts'
import type { Takeover } from './takeover.ts'

export interface FailoverSettings {
  readonly failover: boolean
  readonly total: number
  readonly maximumAttempts: number
  /** Whether this instance is the leader. */
  readonly leads: boolean
  /** Whether this instance marks crashed runs for failover: the leader does, or the deputy under a Java leader. */
  readonly speaks: boolean
  readonly fires: FireTimes | undefined
}

/** This long after failover was disabled, no Java instance starts a run that it took over before. */
const javaHasHeard = 2000

/** Finds the runs of crashed instances and takes them over. */
export class FailoverService {
  readonly #host: Coordination
  readonly #takeover: Pick<Takeover, 'take'>
  readonly #seen = new MostlyEmptyMap<number, number>()
  /** Shard states that this instance marked as crashed and has not tried to take over yet, as it wrote them. */
  readonly #turnedOver = new MostlyEmptyMap<number, Versioned<ShardState>>()
  /** In mixed mode: waiting shards that this instance must not take, with the live instances when that was found. */
  readonly #left = new MostlyEmptyMap<number, string>()
  /** Instances whose death may leave crashed runs; undefined if all shards have to be checked first. */
  #known: string[] | undefined
  /** Since when this instance knows that failover is off. */
  #offSince: number | undefined
  /** The shards of dead Java instances and the live instances at the last check. */
  #foundInJava = ''

  constructor(host: Coordination, takeover: Pick<Takeover, 'take'>) {
    this.#host = host
    this.#takeover = takeover
  }

  /** Forgets the results of earlier checks, so that all shards are checked again after an election or a reconnect. */
  lookAgain(): void {
    this.#known = undefined
    this.#foundInJava = ''
    this.#left.clear()
  }

  step(now: number, settings: FailoverSettings): Step {
    // Instances may have joined and crashed in the meantime. An unchanged set of members does not prove that no run has
    // crashed.
    if (!settings.speaks) this.#known = undefined
    const found = settings.speaks
      ? (this.#findCrashed(now, settings) ?? this.#findCrashedInJava(now, settings))
      : undefined
    if (found !== undefined) {
      return found.catch((error: unknown) => {
        this.lookAgain()
        throw error
      })
    }
    if (settings.failover) {
      this.#offSince = undefined
      return this.#takeOver(now, settings)
    }
    this.#offSince ??= now
    return this.#clear(now, settings)
  }

  /** Creates the failover folder before any instance crashes, so that a crashed run does not wait for it. */
  makeReady({ failover, leads }: FailoverSettings): Step {
    const isMissing = failover && leads && !hasFailoverFolder(this.#host)
    return isMissing ? ensureFailoverFolder(this.#host) : undefined
  }

  #clear(now: number, { leads, speaks }: FailoverSettings): Step {
    const { session, replica } = this.#host
    const mixed = isMixed(replica)
    if (!(mixed ? speaks : leads)) return undefined
    const marks = planClearing(replica, this.#host.member())
    if (marks.length === 0) return undefined
    if (!mixed) return session.commit(marks).then(() => undefined)
    const from = (this.#offSince ?? now) + javaHasHeard
    if (now < from) return from
    const clear = async (latchNode: string): Promise<void> => {
      // The replica has to show the changes that Java made before this instance held the latch.
      if (!replica.isSynced) return
      const operations = planClearing(replica, this.#host.member(), latchNode)
      if (operations.length > 0) await session.commit(operations)
    }
    return inLatch(session, replica.paths.failoverLatch, clear).then(() => undefined)
  }

  #findCrashed(now: number, settings: FailoverSettings): Promise<void> | undefined {
    const { replica } = this.#host
    const known = this.#known
    const present = [...(known ?? []), ...replica.instances].filter((one) => !isDead(replica, one))
    this.#known = [...new Set(present)]
    if (known?.every((one) => !isDead(replica, one)) === true) return undefined
    const shards = suspects(replica)
    return shards.length === 0 ? undefined : this.#lookAt(shards, now, settings)
  }

  #findCrashedInJava(now: number, settings: FailoverSettings): Promise<void> | undefined {
    const shards = crashedInJava(this.#host.replica, settings.failover)
    const found = `${shards.join()} ${shards.length === 0 ? '' : this.#living()}`
    if (shards.length === 0 || this.#foundInJava === found) return undefined
    this.#foundInJava = found
    return this.#turnOverOfJava(shards, now, settings)
  }

  async #turnOverOfJava(
    shards: readonly number[],
    now: number,
    { failover, fires }: FailoverSettings,
  ): Promise<void> {
    const { session, replica, jobName, emit } = this.#host
    if (failover) await ensureFailoverFolder(this.#host)
    await this.#inLatch(async (latchNode) => {
      const { states, unreadable } = await readStates(this.#host, shards)
      // Java may have taken some shards before this instance held the latch. The replica has to show that first.
      if (!replica.isSynced) {
        this.lookAgain()
        return
      }
      const still = crashedInJava(replica, failover).filter((one) => shards.includes(one))
      for (const shard of still) {
        if (unreadable.has(shard)) continue
        const settings = { failover, fires, now, latchNode }
        const plan = planJavaCrash(replica, this.#host.member(), shard, states.get(shard), settings)
        if (plan === undefined) continue
        await session.commit(plan.operations)
        const crash = crashedRun(jobName, shard, plan.shardState)
        emit(failover ? 'run:crashed' : 'run:abandoned', crash)
      }
    })
  }

  /** Looks again later if this instance does not get the latch in time. */
  async #inLatch(act: (latchNode: string) => Promise<void>): Promise<void> {
    const { session, replica } = this.#host
    if (!(await inLatch(session, replica.paths.failoverLatch, act))) this.lookAgain()
  }

  async #lookAt(
    shards: readonly number[],
    now: number,
    { failover, ...settings }: FailoverSettings,
  ): Promise<void> {
    const { replica } = this.#host
    const crashed = await this.#crashedAmong(shards)
    if (crashed.size === 0) return
    // Without failover no instance takes the run over, not even if failover is enabled later.
    const maximumAttempts = failover ? settings.maximumAttempts : 0
    if (failover) await ensureFailoverFolder(this.#host)
    if (!isMixed(replica)) {
      await this.#turnOver(crashed, { maximumAttempts, now })
      return
    }
    await this.#inLatch(async (latchNode) => {
      // The previous holder of the latch may have marked the same runs.
      const still = await this.#crashedAmong([...crashed.keys()])
      // The replica has to show the changes that Java made before this instance held the latch.
      if (!replica.isSynced) this.lookAgain()
      else await this.#turnOver(still, { maximumAttempts, now, latchNode })
    })
  }

  async #crashedAmong(shards: readonly number[]): Promise<Map<number, Versioned<ShardState>>> {
    const { replica } = this.#host
    const { states } = await readStates(this.#host, shards)
    // An instance that has left the job may still run a shard.
    for (const { value } of states.values()) {
      if (value.state !== 'running' || isDead(replica, value.instance)) continue
      if (this.#known?.includes(value.instance) === false) this.#known.push(value.instance)
    }
    return new Map([...states].filter(([, { value }]) => isCrashed(replica, value)))
  }

  async #turnOver(
    crashed: ReadonlyMap<number, Versioned<ShardState>>,
    settings: CrashSettings,
  ): Promise<void> {
    const { session, replica, jobName, emit } = this.#host
    await Promise.all(
      [...crashed].map(async ([shard, shardState]) => {
        const plan = planCrash(replica, this.#host.member(), shard, shardState, settings)
        const results = await session.commit(plan.operations)
        const written = results.find(({ stat }) => stat !== undefined)?.stat
        if (written !== undefined && !plan.isAbandoned) {
          this.#turnedOver.set(shard, { value: plan.shardState, version: written.version })
        }
        reportFires(emit, jobName, shard, plan.reported)
        const crash = crashedRun(jobName, shard, shardState.value)
        emit(plan.isAbandoned ? 'run:abandoned' : 'run:crashed', crash)
      }),
    )
  }

  #takeOver(now: number, { total }: FailoverSettings): Step {
    const { replica } = this.#host
    const waiting = replica.failoverShards
    // Use these states once. If a takeover fails, another instance may have written the state since.
    const shardStates = new Map(this.#turnedOver)
    this.#turnedOver.clear()
    for (const shard of this.#seen.keys()) {
      if (waiting.has(shard)) continue
      this.#seen.delete(shard)
      this.#left.delete(shard)
    }
    for (const shard of waiting) if (!this.#seen.has(shard)) this.#seen.set(shard, now)
    if (waiting.size === 0) return undefined
    const member = this.#host.member()
    const { shards, until } = takeoverShards(replica, member, total, now, this.#seen)
    if (isMixed(replica)) return this.#takeInTurn(shards) ?? until
    if (shards.length > 0) void this.#takeover.take(shards, { shardStates })
    return until
  }

  /** In mixed mode: takes one shard at a time, and none while a Java leader waits for all runs to end. */
  #takeInTurn(shards: readonly number[]): Step {
    const { replica } = this.#host
    if (replica.necessary !== undefined || replica.processing) return undefined
    if (holdsOne(replica, this.#host.member())) return undefined
    const living = this.#living()
    const open = shards.filter((shard) => this.#left.get(shard) !== living)
    return open.length === 0 ? undefined : this.#takeFirst(open, living)
  }

  async #takeFirst(shards: readonly number[], living: string): Promise<void> {
    const { session, replica } = this.#host
    const { states } = await readStates(this.#host, shards)
    const isOurs = (shard: number): boolean => {
      const shardState = states.get(shard)?.value
      return shardState !== undefined && isTakeable(replica, shardState)
    }
    // Java marked these shards as crashed, but no native shard state says so. Java has to take them.
    for (const shard of shards) if (!isOurs(shard)) this.#left.set(shard, living)
    const first = shards.find(isOurs)
    if (first === undefined) return
    await inLatch(session, replica.paths.failoverLatch, (latchNode) =>
      this.#takeover.take([first], { latchNode }),
    )
  }

  /** All live instances, as a key that changes when one of them dies. */
  #living(): string {
    const { replica } = this.#host
    return [...replica.alive, ...replica.instances].toSorted().join()
  }
}
