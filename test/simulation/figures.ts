/** What many simulations come to. */
import type { Deed } from './scenario.ts'
import type { Result } from './simulate.ts'

export class Figures {
  readonly #faults = new Map<Deed['kind'], number>()
  readonly #begun = performance.now()
  #seeds = 0
  #milliseconds = 0
  #runs = 0
  #failovers = 0
  #transactions = 0
  #failed = 0

  get failed(): number {
    return this.#failed
  }

  add({ scenario, history, violations }: Result): void {
    this.#seeds += 1
    this.#milliseconds += history.end
    this.#runs += history.runs.length
    this.#failovers += history.runs.filter(({ attempt }) => attempt > 1).length
    this.#transactions += history.transactions.length
    if (violations.length > 0) this.#failed += 1
    for (const { kind } of scenario.events) {
      this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + 1)
    }
  }

  toString(): string {
    const seconds = (performance.now() - this.#begun) / 1000
    const hours = this.#milliseconds / 3_600_000
    const faults = [...this.#faults].toSorted((a, b) => b[1] - a[1])
    return [
      `${this.#seeds} seeds, ${this.#failed} of them with a violation`,
      `${hours.toFixed(1)} simulated hours in ${seconds.toFixed(0)} s: ${(this.#seeds / seconds).toFixed(2)} seeds a second, ${((hours * 60) / seconds).toFixed(0)} simulated minutes a second`,
      `${this.#runs} runs, ${this.#failovers} of them failovers; ${this.#transactions} transactions`,
      `faults: ${faults.map(([kind, count]) => `${kind} ${count}`).join(', ')}`,
    ].join('\n')
  }
}
