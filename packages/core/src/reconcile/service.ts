import type { Coordination, Step } from '../job-tree/coordination.ts'
import { isJavaAbout } from '../job-tree/job-view.ts'
import { readStates } from '../job-tree/read-states.ts'
import { shardsToAccount } from '../misfire/read-shards.ts'
import { isAccepted } from '../registry/registry-error.ts'
import {
  allowsStateDeletion,
  planRepairs,
  planStateDeletion,
  type Repair,
  type RepairSettings,
  suspiciousShards,
} from './plan.ts'

export interface ReconcileSettings extends RepairSettings {
  readonly leads: boolean
  /** How often to check without a reason, in milliseconds; 0 for never. */
  readonly interval: number
}

/** How soon to check shard states again that could not be deleted, in milliseconds. */
const retry = 60_000

/** The leader looks for leftovers: after its election, when the members change, and at an interval. */
export class ReconcileService {
  readonly #host: Coordination
  #lookedAt = -Infinity
  #lookedOn = ''
  /** No shard from this number on has a state; undefined if this leader has not checked yet. */
  #statesEnd: number | undefined
  #deleteStatesAt = -Infinity

  constructor(host: Coordination) {
    this.#host = host
  }

  step(now: number, settings: ReconcileSettings): Step {
    const { leads, interval } = settings
    const { replica } = this.#host
    if (!leads || isJavaAbout(replica)) {
      this.#lookedOn = ''
      this.#statesEnd = undefined
      return undefined
    }
    const members = [...replica.instances, ...replica.alive].toSorted().join()
    const isDue = interval > 0 && now >= this.#lookedAt + interval
    const next = interval > 0 ? this.#lookedAt + interval : undefined
    // An instance that had not seen the lowered shard count yet handed over a crashed run of a removed shard.
    const isSurplus = [...replica.failoverShards].some(
      (shardingItem) => shardingItem >= settings.total,
    )
    if (members === this.#lookedOn && !isDue && !isSurplus) {
      return this.#deleteStates(now, settings.total) ?? next
    }
    this.#lookedOn = members
    this.#lookedAt = now
    return this.#look(settings).catch((error: unknown) => {
      this.#lookedOn = ''
      throw error
    })
  }

  async #look(settings: RepairSettings): Promise<void> {
    const { replica } = this.#host
    const shardingItems = suspiciousShards(replica)
    const { states, unreadable } = await readStates(this.#host, shardingItems)
    const readable = shardingItems.filter((shardingItem) => !unreadable.has(shardingItem))
    const known = new Map(readable.map((shardingItem) => [shardingItem, states.get(shardingItem)]))
    const repairs = planRepairs(replica, this.#host.member(), settings, known)
    await Promise.all(repairs.map((repair) => this.#repair(repair)))
  }

  /** A lowered shard count leaves shard states behind: delete them as soon as nothing depends on them. */
  #deleteStates(now: number, total: number): Step {
    if (this.#statesEnd !== undefined && total >= this.#statesEnd) {
      this.#statesEnd = total
      return undefined
    }
    if (!allowsStateDeletion(this.#host.replica, total)) return undefined
    if (now < this.#deleteStatesAt) return this.#deleteStatesAt
    this.#deleteStatesAt = now + retry
    return this.#lookAtStates(total)
  }

  async #lookAtStates(total: number): Promise<void> {
    const { session, replica } = this.#host
    const shards = await shardsToAccount(session, replica, total)
    const surplus = shards.filter((shard) => shard >= total)
    const { states } = await readStates(this.#host, surplus)
    const repair = planStateDeletion(replica, this.#host.member(), total, states)
    const isDeleted = repair !== undefined && (await this.#repair(repair))
    if (surplus.length === 0) this.#statesEnd = total
    if (surplus.length === 0 || isDeleted) this.#deleteStatesAt = -Infinity
  }

  /** Returns whether the repair was committed. */
  async #repair({ what, operations }: Repair): Promise<boolean> {
    const { session, jobName, emit } = this.#host
    // A refusal means that the nodes have changed since they were read: another instance repaired them, or they were no
    // leftovers.
    const isRepaired = await isAccepted(session.commit(operations))
    if (isRepaired) emit('reconcile:repaired', { jobName, what })
    return isRepaired
  }
}
