/** A Java instance deletes and recreates its node whenever it reconnects: a short absence is not its death. */
import { MostlyEmptyMap } from '../mostly-empty.ts'
import { isJavaInstance } from './instance-id.ts'
import type { Absence, Gap } from './job-view.ts'

/** How long the node of a Java instance has to be absent until the instance counts as dead, in milliseconds. */
export const javaGrace = 3000
/** How long an absence is remembered, in milliseconds: by then the shards have moved to other instances. */
const memory = 3_600_000

/** Java instances that were seen, or that a node names, and whose own nodes are absent. */
export class Absences {
  readonly #all = new MostlyEmptyMap<string, Absence>()
  readonly #gaps = new MostlyEmptyMap<string, Gap>()
  /** The end of the earliest grace that is still running. */
  #next: number | undefined

  get all(): ReadonlyMap<string, Absence> {
    return this.#all
  }

  /** The last absence of each instance that returned in time. */
  get gaps(): ReadonlyMap<string, Gap> {
    return this.#gaps
  }

  /** The node of an instance is absent. Only Java instances count: a native instance that leaves never returns. */
  left(instance: string, now: number): void {
    if (!isJavaInstance(instance) || this.#all.has(instance)) return
    for (const known of [this.#all, this.#gaps]) {
      for (const [other, { since }] of known) if (since < now - memory) known.delete(other)
    }
    this.#all.set(instance, { since: now, isFinal: false })
    this.#next ??= now + javaGrace
  }

  returned(instance: string, now: number): void {
    const absence = this.#all.get(instance)
    if (absence === undefined) return
    this.#all.delete(instance)
    // The shards of a dead instance moved to others, which ran its fire times.
    if (!absence.isFinal) this.#gaps.set(instance, { since: absence.since, until: now })
  }

  /** Declares instances dead that have been absent for too long; returns when to check again. */
  settle(now: number): number | undefined {
    if (this.#next === undefined || now < this.#next) return this.#next
    this.#next = undefined
    for (const [instance, { since, isFinal }] of this.#all) {
      if (isFinal) continue
      const end = since + javaGrace
      if (end <= now) this.#all.set(instance, { since, isFinal: true })
      else this.#next = Math.min(this.#next ?? Infinity, end)
    }
    return this.#next
  }
}
