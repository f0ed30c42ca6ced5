import type { Clock, Timer } from '../clock.ts'
import type { AnyCall } from './pending-call.ts'

/**
 * Fails calls whose deadline has passed. One timer for all calls is set for the earliest deadline and checks
 * every outstanding call when it fires, so that a call costs only a comparison.
 */
export class Deadlines {
  readonly #clock: Clock
  readonly #outstanding: () => Iterable<AnyCall>
  readonly #swept: () => void
  #timer: Timer | undefined
  #dueAt = Infinity

  constructor(clock: Clock, outstanding: () => Iterable<AnyCall>, swept: () => void) {
    this.#clock = clock
    this.#outstanding = outstanding
    this.#swept = swept
  }

  watch(deadline: number): void {
    if (deadline >= this.#dueAt) return
    this.stop()
    this.#dueAt = deadline
    this.#timer = this.#clock.setTimer(
      // The answer may already be in the socket, behind a blocked event loop.
      () => this.#clock.afterPoll(() => this.#expire()),
      deadline - this.#clock.monotonic(),
    )
  }

  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#dueAt = Infinity
  }

  #expire(): void {
    if (this.#timer === undefined) return
    this.stop()
    const now = this.#clock.monotonic()
    let next = Infinity
    for (const call of this.#outstanding()) {
      if (call.settled) continue
      if (call.deadline <= now) {
        call.giveUp(call.error('ZK_DEADLINE_EXCEEDED', 'no answer arrived in time'))
      } else if (call.deadline < next) {
        next = call.deadline
      }
    }
    this.#swept()
    this.watch(next)
  }
}
