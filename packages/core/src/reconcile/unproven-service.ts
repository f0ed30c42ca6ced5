import { leaderChecks } from '../election/plan.ts'
import type { Coordination, Step } from '../job-tree/coordination.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { MostlyEmptyMap } from '../mostly-empty.ts'
import { readNodes } from '../registry/read-nodes.ts'
import { part } from '../registry/transaction.ts'

/** How long a node below `instances` may exist without a session, in milliseconds. */
const unprovenRetention = 600_000
/** How many nodes one transaction deletes; the next one continues. */
const deletedAtOnce = 100

/** The leader deletes nodes below `instances` that were created by hand under the name of a native instance. */
export class UnprovenCleaning {
  readonly #host: Coordination
  /** Since when each of these nodes has been seen. */
  readonly #seen = new MostlyEmptyMap<string, number>()

  constructor(host: Coordination) {
    this.#host = host
  }

  step(now: number, leads: boolean): Step {
    const { unproven } = this.#host.replica
    if (!leads || unproven.size === 0) {
      this.#seen.clear()
      return undefined
    }
    for (const instance of this.#seen.keys()) {
      if (!unproven.has(instance)) this.#seen.delete(instance)
    }
    for (const instance of unproven) {
      if (!isJavaInstance(instance) && !this.#seen.has(instance)) this.#seen.set(instance, now)
    }
    let next = Infinity
    const expired: string[] = []
    for (const [instance, since] of this.#seen) {
      if (since + unprovenRetention > now) next = Math.min(next, since + unprovenRetention)
      else if (expired.length < deletedAtOnce) expired.push(instance)
    }
    if (expired.length > 0) return this.#clean(expired, now)
    return next === Infinity ? undefined : next
  }

  /** Skips an ephemeral node: it has a session, whatever its name. */
  async #clean(expired: readonly string[], now: number): Promise<void> {
    const { session, replica, jobName, emit } = this.#host
    const { paths } = replica
    const pathsOf = expired.map((instance) => paths.instance(instance))
    const nodes = await readNodes((parts) => session.read(parts), pathsOf)
    for (const instance of expired) this.#seen.set(instance, now)
    const junk = pathsOf.filter((path) => nodes.get(path)?.stat.ephemeralOwner === 0n)
    if (junk.length === 0) return
    const checks = leaderChecks(replica, this.#host.member())
    await session.commit([...checks, ...junk.map((path) => part.delete(path))])
    const named = `${junk[0]}${junk.length === 1 ? '' : ` and ${junk.length - 1} more`}`
    emit('reconcile:repaired', { jobName, what: `nodes of instances without a session: ${named}` })
  }
}
