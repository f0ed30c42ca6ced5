import type { FireTimes } from '../fire-times/due.ts'
import type { Coordination, Step } from '../job-tree/coordination.ts'
import type { StoredAssignment } from '../job-tree/stored-assignment.ts'
import { availableInstances, isMixed } from '../job-tree/job-view.ts'
import { readStates } from '../job-tree/read-states.ts'
import { isOwnerAway, planMixedResharding } from './mixed-plan.ts'
import { needOf } from './needs.ts'
import { planResharding, type ReshardingContext, type ReshardingDecision } from './plan.ts'
import type { KnownStates } from './stamp.ts'
import type { ShardingStrategy } from './strategies/strategy.ts'

/** The settings of a job that its leader needs. */
export interface ShardingSettings {
  readonly total: number
  readonly strategy: () => ShardingStrategy
  readonly staticSharding: boolean
  readonly nextFire: number | undefined
  readonly lastFire: number | undefined
  readonly isDue: boolean
  readonly fires: FireTimes | undefined
  /** Fire times older than this are due for no instance. */
  readonly window: number
}

/** After this many failures a leader abdicates, so that another instance can try. */
const maximumFailures = 3

const noStates: KnownStates = new Map()

/** Computes and writes the shard assignment of a job that this instance leads. */
export class ShardingService {
  readonly #host: Coordination
  #neededSince: number | undefined
  #members = ''
  #lastChange = 0
  #failures = 0
  /** The resharding in progress. */
  #underWay: StoredAssignment | undefined
  /** The shard states that a plan asked for; the step after the read uses them. */
  #states = noStates

  constructor(host: Coordination) {
    this.#host = host
  }

  /**
   * Whether the resharding in progress moves a shard to another instance. A claim of it would be refused, and would
   * fail the resharding that is committed in the same transaction.
   */
  givesAway(shard: number): boolean {
    const { instance } = this.#host.session
    return this.#underWay !== undefined && this.#underWay.owners[shard] !== instance
  }

  /** `giveUp`: called when planning fails repeatedly. */
  step(now: number, settings: ShardingSettings, giveUp: (reason: string) => Promise<void>): Step {
    const { replica, jobName, emit } = this.#host
    const members = availableInstances(replica).join()
    if (members !== this.#members) {
      this.#members = members
      this.#lastChange = now
    }
    let decision: ReshardingDecision
    try {
      const strategy = settings.strategy()
      const need = needOf(replica, { total: settings.total, strategy: strategy.type })
      this.#neededSince = need === undefined ? undefined : (this.#neededSince ?? now)
      if (need === undefined && !isOwnerAway(replica)) return undefined
      const { total, staticSharding, nextFire, isDue, lastFire, fires, window } = settings
      const context: ReshardingContext = {
        total,
        strategy,
        staticSharding,
        now,
        nextFire,
        isDue,
        neededSince: this.#neededSince ?? now,
        lastChange: this.#lastChange,
        states: this.#states,
      }
      decision = isMixed(replica)
        ? planMixedResharding(replica, this.#host.member(), {
            ...context,
            lastFire,
            fires,
            window,
          })
        : planResharding(replica, this.#host.member(), context)
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      emit('sharding:failed', { jobName, error, attempts: this.#failures })
      if (this.#failures < maximumFailures) return now + 1000
      this.#failures = 0
      return giveUp('the shards cannot be assigned')
    }
    switch (decision.do) {
      case 'nothing':
        return undefined
      case 'wait':
        return decision.until
      case 'commit':
        return this.#commit(decision)
      case 'read states':
        return this.#readStates(decision.shards)
      case 'flag':
        return this.#host.session.commit(decision.operations).then(() => undefined)
    }
  }

  /** The next step continues with these states. */
  async #readStates(shards: readonly number[]): Promise<void> {
    const { states, unreadable } = await readStates(this.#host, shards)
    this.#states = new Map(
      shards.map((shard) => [shard, unreadable.has(shard) ? 'unreadable' : states.get(shard)]),
    )
  }

  async #commit(decision: ReshardingDecision & { do: 'commit' }): Promise<void> {
    const { session, jobName, emit } = this.#host
    // Whatever the outcome, the next resharding has to read the states again.
    this.#states = noStates
    this.#underWay = decision.assignment
    try {
      for (const parts of decision.parts) await session.commit(parts)
    } finally {
      this.#underWay = undefined
    }
    emit('sharding:changed', {
      jobName,
      reason: decision.reason,
      moved: decision.moved,
      waiting: decision.assignment.moving.size,
      instances: new Set(decision.assignment.owners).size,
    })
  }
}
