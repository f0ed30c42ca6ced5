import type { RegistrySession } from '../registry/registry-session.ts'

/** Refuses to fire on a machine whose clock is further from the registry's than its job allows. */
export class ClockGuard {
  readonly #session: RegistrySession
  readonly #refused: (difference: number, limit: number) => void
  #refusedAt: number | undefined

  /** `refused` is told by how many milliseconds the clock is off, once for each fire. */
  constructor(session: RegistrySession, refused: (difference: number, limit: number) => void) {
    this.#session = session
    this.#refused = refused
  }

  /** `limit` in seconds; below 0 for none. */
  refuses(fire: number | undefined, limit: number): boolean {
    if (limit < 0) return false
    const difference = this.#session.clock.now() - this.#session.now()
    if (Math.abs(difference) <= limit * 1000) return false
    if (fire !== this.#refusedAt) {
      this.#refusedAt = fire
      this.#refused(difference, limit)
    }
    return true
  }
}
