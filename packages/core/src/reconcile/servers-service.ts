import type { Coordination, Step } from '../job-tree/coordination.ts'
import { isJavaAbout } from '../job-tree/job-view.ts'
import { readNodes } from '../registry/read-nodes.ts'
import { MostlyEmptyMap } from '../mostly-empty.ts'
import { emptyServersOf, expiredServers, nextExpiry, planCleaning } from './servers-plan.ts'

/**
 * A server that is empty for less than this time is only restarting, in milliseconds: the job state need not record it.
 */
const restartTime = 600_000

/** The leader removes servers that have had no instance for a day. */
export class ServerCleaning {
  readonly #host: Coordination
  /** Since when each server has been seen without an instance. */
  readonly #seen = new MostlyEmptyMap<string, number>()

  constructor(host: Coordination) {
    this.#host = host
  }

  step(now: number, leads: boolean): Step {
    const { session, replica } = this.#host
    // Java deletes and recreates such nodes itself.
    if (!leads || isJavaAbout(replica)) {
      this.#seen.clear()
      return undefined
    }
    const empty = emptyServersOf(replica)
    for (const ip of this.#seen.keys()) if (!empty.includes(ip)) this.#seen.delete(ip)
    for (const ip of empty) if (!this.#seen.has(ip)) this.#seen.set(ip, now)
    const expired = expiredServers(replica, now)
    if (expired.length > 0) return this.#clean(expired)
    const { operations } = this.#plan(now, new Map())
    if (operations.length > 0) return session.commit(operations).then(() => undefined)
    return this.#nextLook(now)
  }

  #plan(now: number, versions: ReadonlyMap<string, number>): ReturnType<typeof planCleaning> {
    const settled = [...this.#seen].filter(([, since]) => since + restartTime <= now)
    return planCleaning(this.#host.replica, this.#host.member(), new Map(settled), now, versions)
  }

  async #clean(expired: readonly string[]): Promise<void> {
    const { session, replica, jobName, emit } = this.#host
    const paths = expired.map((ip) => replica.paths.server(ip))
    const nodes = await readNodes((parts) => session.read(parts), paths)
    const versions = new Map(
      // If the node is already gone, the deletion fails until the replica has caught up.
      expired.map((ip) => [ip, nodes.get(replica.paths.server(ip))?.stat.version ?? -1] as const),
    )
    await this.#host.quiet()
    const { removed, operations } = this.#plan(session.now(), versions)
    if (operations.length > 0) await session.commit(operations)
    for (const ip of removed) {
      emit('reconcile:repaired', {
        jobName,
        what: `server ${ip}, of which nobody was there for a day`,
      })
    }
  }

  #nextLook(now: number): number | undefined {
    const { replica } = this.#host
    const known = replica.jobState?.value.emptyServers ?? {}
    const unwritten = [...this.#seen].filter(([ip]) => known[ip] === undefined)
    const times = [
      ...unwritten.map(([, since]) => since + restartTime),
      nextExpiry(replica) ?? Infinity,
    ]
    const next = Math.min(...times)
    return next === Infinity ? undefined : Math.max(next, now)
  }
}
