import type { Coordination, Step } from '../job-tree/coordination.ts'
import { readWords } from '../job-tree/read-words.ts'
import { isCrashed, itemsToTake, planClearing, planCrash, suspects } from './plan.ts'

export interface FailoverSettings {
  readonly failover: boolean
  readonly total: number
  readonly maximumAttempts: number
  /** Whether this instance leads: the leader says what has crashed. */
  readonly leads: boolean
}

/** Finds what crashed instances have left, and has it taken over. */
export class FailoverService {
  readonly #host: Coordination
  readonly #take: (items: readonly number[]) => void
  readonly #seen = new Map<number, number>()
  /** Who lived, and which runs were marked, when the words were last looked at. */
  #looked = ''

  constructor(host: Coordination, take: (items: readonly number[]) => void) {
    this.#host = host
    this.#take = take
  }

  /** What was known is to be looked at again, whoever is there: after an election, a reconnect. */
  lookAgain(): void {
    this.#looked = ''
  }

  step(now: number, settings: FailoverSettings): Step {
    const { replica } = this.#host
    // Who came and went meanwhile may have left something: the same members are no reason not to look.
    if (!settings.failover || !settings.leads) this.lookAgain()
    if (!settings.failover) return settings.leads ? this.#clear() : undefined
    const turnedOver = settings.leads ? this.#findCrashed(now, settings) : undefined
    return turnedOver ?? this.#takeOver(now, settings, replica.failoverItems)
  }

  #clear(): Step {
    const operations = planClearing(this.#host.replica, this.#host.member())
    if (operations.length === 0) return undefined
    return this.#host.session.commit(operations).then(() => undefined)
  }

  #findCrashed(now: number, settings: FailoverSettings): Step {
    const { replica } = this.#host
    const living = [...replica.alive, ...replica.instances].toSorted().join()
    if (this.#looked === living) return undefined
    const items = suspects(replica)
    this.#looked = living
    if (items.length === 0) return undefined
    return this.#turnOver(items, now, settings).catch((error: unknown) => {
      this.lookAgain()
      throw error
    })
  }

  async #turnOver(
    items: readonly number[],
    now: number,
    { maximumAttempts }: FailoverSettings,
  ): Promise<void> {
    const { session, replica, jobName, emit } = this.#host
    const words = await readWords(session, replica.paths, items)
    const crashed = [...words].filter(([, { value }]) => isCrashed(replica, value))
    await Promise.all(
      crashed.map(async ([item, word]) => {
        const member = this.#host.member()
        const plan = planCrash(replica, member, item, word, { maximumAttempts, now })
        await session.commit(plan.operations)
        const { instance, attempt, fireTime } = word.value
        const crash = { jobName, shardingItem: item, instance, attempt, fireTime }
        emit(plan.isAbandoned ? 'run:abandoned' : 'run:crashed', crash)
      }),
    )
  }

  #takeOver(now: number, { total }: FailoverSettings, waiting: ReadonlySet<number>): Step {
    for (const item of this.#seen.keys()) if (!waiting.has(item)) this.#seen.delete(item)
    for (const item of waiting) if (!this.#seen.has(item)) this.#seen.set(item, now)
    if (waiting.size === 0) return undefined
    const { items, until } = itemsToTake(
      this.#host.replica,
      this.#host.member(),
      total,
      now,
      this.#seen,
    )
    if (items.length > 0) this.#take(items)
    return until
  }
}
