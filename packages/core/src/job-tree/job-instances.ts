import { MostlyEmptySet } from '../mostly-empty.ts'
import { Absences } from './absences.ts'
import { isJavaInstance } from './instance-id.ts'
import type { Absence, Gap } from './job-view.ts'

/** The nodes below `instances` of one job, and which of them belong to a session. */
export class JobInstances {
  readonly #alive: ReadonlySet<string>
  readonly #now: () => number
  readonly #proven = new Set<string>()
  readonly #unproven = new MostlyEmptySet<string>()
  readonly #absences = new Absences()
  readonly proven: ReadonlySet<string> = this.#proven
  readonly unproven: ReadonlySet<string> = this.#unproven
  readonly absences: ReadonlyMap<string, Absence> = this.#absences.all
  readonly gaps: ReadonlyMap<string, Gap> = this.#absences.gaps
  #own = ''

  /** `alive`: the native instances that have a session; `now`: the registry's time. */
  constructor(alive: ReadonlySet<string>, now: () => number) {
    this.#alive = alive
    this.#now = now
  }

  /** The id of this instance. */
  get own(): string {
    return this.#own
  }

  belongsTo(instance: string): void {
    this.#own = instance
  }

  created(instance: string): void {
    if (this.#isProven(instance)) {
      this.#unproven.delete(instance)
      this.#proven.add(instance)
    } else this.#unproven.add(instance)
  }

  deleted(instance: string): void {
    this.#proven.delete(instance)
    this.#unproven.delete(instance)
    this.#absences.left(instance, this.#now())
  }

  /** The folder was read: only these exist. */
  listed(names: readonly string[]): void {
    const there = new Set(names)
    for (const instance of this.#proven) if (!there.has(instance)) this.deleted(instance)
    this.#unproven.clear()
    for (const instance of names) this.created(instance)
  }

  /** An id of Java's form whose node is not ephemeral: an operator created it. */
  disproved(instance: string): void {
    this.#proven.delete(instance)
    this.#unproven.add(instance)
  }

  /** A node names a Java instance, which may be present or absent. */
  javaNamed(instance: string): void {
    if (this.#proven.has(instance)) this.#absences.returned(instance, this.#now())
    else this.#absences.left(instance, this.#now())
  }

  /** Declares Java instances dead that have been absent for too long; returns when to check again. */
  settleAbsences(now: number): number | undefined {
    return this.#absences.settle(now)
  }

  /** A proven instance stays so while its node exists: `S/alive/{id}` deleted by hand does not end its session. */
  #isProven(instance: string): boolean {
    if (instance === this.#own || this.#proven.has(instance)) return true
    return isJavaInstance(instance) || this.#alive.has(instance)
  }
}
