import { inLatch } from '../election/latch.ts'
import type { FireTimes } from '../fire-times/due.ts'
import type { Coordination, Step } from '../job-tree/coordination.ts'
import type { ShardState } from '../job-tree/shard-state.ts'
import { isDead, isMixed, type Versioned } from '../job-tree/job-view.ts'
import { readStates } from '../job-tree/read-states.ts'
import { reportFires } from '../fire-times/report.ts'
import { MostlyEmptyMap } from '../mostly-empty.ts'
import { crashedInJava, planJavaCrash } from './java-crash-plan.ts'
import {
  crashedRun,
  type CrashSettings,
  holdsOne,
  isCrashed,
  isTakeable,
  takeoverShards,
  planClearing,
  planCrash,
  suspects,
} from './plan.ts'

export interface FailoverSettings {
  readonly failover: boolean
  readonly total: number
  readonly maximumAttempts: number
  /** Whether this instance leads. */
  readonly leads: boolean
  /** Whether it says what of ours has crashed: the leader does, or somebody for a leader of Java's. */
  readonly speaks: boolean
  readonly fires: FireTimes | undefined
}

/** So long after failover was switched off no instance of Java's begins what it took over before. */
const javaHasHeard = 2000

export interface TakeSettings {
  /** In a mixed job: our node in Java's latch, which we hold meanwhile. */
  readonly latchNode?: string
  /** What is known of their states already. */
  readonly shardStates?: ReadonlyMap<number, Versioned<ShardState>>
}

/** Takes shards over. */
export type Take = (shards: readonly number[], settings: TakeSettings) => Promise<void>

/** Finds what crashed instances have left, and has it taken over. */
export class FailoverService {
  readonly #host: Coordination
  readonly #take: Take
  readonly #seen = new MostlyEmptyMap<number, number>()
  /** The states of shards that we have turned over and not yet tried to take, as we wrote them. */
  readonly #turnedOver = new MostlyEmptyMap<number, Versioned<ShardState>>()
  /** Waiting shards of a mixed job that are not ours to take, and who lived when that was found. */
  readonly #left = new MostlyEmptyMap<number, string>()
  /** Those whose death would leave something behind; undefined if that has to be found out first. */
  #known: string[] | undefined
  /** Since when failover is known to be off. */
  #offSince: number | undefined
  /** What Java's dead have left, and who lived then, when it was last seen to. */
  #foundInJava = ''

  constructor(host: Coordination, take: Take) {
    this.#host = host
    this.#take = take
  }

  /** What was known is to be looked at again, whoever is there: after an election, a reconnect. */
  lookAgain(): void {
    this.#known = undefined
    this.#foundInJava = ''
    this.#left.clear()
  }

  step(now: number, settings: FailoverSettings): Step {
    // Who came and went meanwhile may have left something: the same members are no reason not to look.
    if (!settings.speaks) this.#known = undefined
    const found = settings.speaks ? this.#findCrashed(now, settings) : undefined
    if (found !== undefined) return found
    const ofJava = settings.speaks ? this.#findCrashedInJava(now, settings) : undefined
    if (ofJava !== undefined) return ofJava
    if (settings.failover) {
      this.#offSince = undefined
      return this.#takeOver(now, settings)
    }
    this.#offSince ??= now
    if (isMixed(this.#host.replica)) return settings.speaks ? this.#clearInMixed(now) : undefined
    return settings.leads ? this.#clear() : undefined
  }

  /** Before anybody crashes: who waits to be run again should not wait for its folder as well. */
  makeReady({ failover, leads }: FailoverSettings): Step {
    const isMissing = failover && leads && !hasFailoverFolder(this.#host)
    return isMissing ? ensureFailoverFolder(this.#host) : undefined
  }

  #clear(): Step {
    const operations = planClearing(this.#host.replica, this.#host.member())
    if (operations.length === 0) return undefined
    return this.#host.session.commit(operations).then(() => undefined)
  }

  #clearInMixed(now: number): Step {
    const { session, replica } = this.#host
    if (planClearing(replica, this.#host.member()).length === 0) return undefined
    const from = (this.#offSince ?? now) + javaHasHeard
    if (now < from) return from
    const act = (latchNode: string): Promise<void> => this.#clearIn(latchNode)
    return inLatch(session, replica.paths.failoverLatch, act).then(() => undefined)
  }

  async #clearIn(latchNode: string): Promise<void> {
    const { session, replica } = this.#host
    // What Java did before we held it has to be known.
    if (!replica.isSynced) return
    const operations = planClearing(replica, this.#host.member(), latchNode)
    if (operations.length > 0) await session.commit(operations)
  }

  #findCrashed(now: number, settings: FailoverSettings): Step {
    const { replica } = this.#host
    const known = this.#known
    const present = [...(known ?? []), ...replica.instances].filter((one) => !isDead(replica, one))
    this.#known = [...new Set(present)]
    if (known?.every((one) => !isDead(replica, one)) === true) return undefined
    const shards = suspects(replica)
    if (shards.length === 0) return undefined
    return this.#lookAt(shards, now, settings).catch((error: unknown) => {
      this.lookAgain()
      throw error
    })
  }

  #findCrashedInJava(now: number, settings: FailoverSettings): Step {
    const shards = crashedInJava(this.#host.replica, settings.failover)
    const found = `${shards.join()} ${shards.length === 0 ? '' : this.#living()}`
    if (shards.length === 0 || this.#foundInJava === found) return undefined
    this.#foundInJava = found
    return this.#turnOverOfJava(shards, now, settings).catch((error: unknown) => {
      this.lookAgain()
      throw error
    })
  }

  async #turnOverOfJava(
    shards: readonly number[],
    now: number,
    { failover, fires }: FailoverSettings,
  ): Promise<void> {
    const { session, replica, jobName, emit } = this.#host
    if (failover) await ensureFailoverFolder(this.#host)
    const isDone = await inLatch(session, replica.paths.failoverLatch, async (latchNode) => {
      const { states, unreadable } = await readStates(this.#host, shards)
      // Java may have taken some before we held it: until that is known, nothing is.
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
    if (!isDone) this.lookAgain()
  }

  async #lookAt(
    shards: readonly number[],
    now: number,
    { failover, ...settings }: FailoverSettings,
  ): Promise<void> {
    const { session, replica } = this.#host
    const crashed = await this.#crashedAmong(shards)
    if (crashed.size === 0) return
    // Without failover nobody will take it over, also not if it is switched on later.
    const maximumAttempts = failover ? settings.maximumAttempts : 0
    if (failover) await ensureFailoverFolder(this.#host)
    if (!isMixed(replica)) {
      await this.#turnOver(crashed, { maximumAttempts, now })
      return
    }
    const isDone = await inLatch(session, replica.paths.failoverLatch, async (latchNode) => {
      // Who held it before us may have done the same.
      const still = await this.#crashedAmong([...crashed.keys()])
      // What Java did before we held it has to be known, too.
      if (!replica.isSynced) this.lookAgain()
      else await this.#turnOver(still, { maximumAttempts, now, latchNode })
    })
    if (!isDone) this.lookAgain()
  }

  async #crashedAmong(shards: readonly number[]): Promise<Map<number, Versioned<ShardState>>> {
    const { replica } = this.#host
    const { states } = await readStates(this.#host, shards)
    // One that has left the job may still run something.
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
    // Once: of what could not be taken, somebody else may have written the state since.
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
    if (shards.length > 0) void this.#take(shards, { shardStates })
    return until
  }

  /** In a mixed job: one at a time, and none while Java's leader waits for a moment in which nothing runs. */
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
    // What Java says has crashed, and no state of ours: that is for Java to take.
    for (const shard of shards) if (!isOurs(shard)) this.#left.set(shard, living)
    const first = shards.find(isOurs)
    if (first === undefined) return
    await inLatch(session, replica.paths.failoverLatch, (latchNode) =>
      this.#take([first], { latchNode }),
    )
  }

  /** Everybody whose death would make a difference. */
  #living(): string {
    const { replica } = this.#host
    return [...replica.alive, ...replica.instances].toSorted().join()
  }
}

function hasFailoverFolder({ replica }: Pick<Coordination, 'replica'>): boolean {
  return replica.folders.has('leader/failover/items')
}

/** Where waiting shards stand. Not in the transactions that need it: of many at once only one could. */
export async function ensureFailoverFolder({ session, replica }: Coordination): Promise<void> {
  if (hasFailoverFolder({ replica })) return
  // Each for itself: what is above them is the job's, and a job that was removed must not come back.
  await session.ensure(replica.paths.failover)
  await session.ensure(replica.paths.failoverShards)
}
