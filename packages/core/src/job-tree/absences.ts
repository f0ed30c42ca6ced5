/** A Java instance takes its node away for a moment whenever it reconnects: that is not its death. */
import { MostlyEmptyMap } from '../mostly-empty.ts'
import { isJavaInstance } from './instance-id.ts'
import type { Absence, Gap } from './job-view.ts'

/** How long the node of a Java instance has to be away before the instance is dead, in milliseconds. */
export const javaGrace = 3000
/** So long it is known when somebody went: until then the shards have gone to others. */
const memory = 3_600_000

/** Java instances that were seen, or named by somebody, and whose nodes are not there. */
export class Absences {
  readonly #all = new MostlyEmptyMap<string, Absence>()
  readonly #gaps = new MostlyEmptyMap<string, Gap>()
  /** The end of the earliest grace that is still running. */
  #next: number | undefined

  get all(): ReadonlyMap<string, Absence> {
    return this.#all
  }

  /** Of those who have come back in time: when they were last away. */
  get gaps(): ReadonlyMap<string, Gap> {
    return this.#gaps
  }

  /** The node of an instance is not there; ours are never away for a moment only. */
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
    // The shards of one that was dead have gone to others, who ran what it would have.
    if (!absence.isFinal) this.#gaps.set(instance, { since: absence.since, until: now })
  }

  /** Those who have been away for too long are dead; answers when to look again. */
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
