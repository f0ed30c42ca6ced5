/** What happens to a fleet, by chance and from a seed. */
import type { SeededRandom } from '@elasticjob/zookeeper/testing'

/** How many instances there are to be at times. */
export const fleetSizes: readonly number[] = [1, 2, 3, 5, 10]

/** Workers by their numbers. */
export interface FleetState {
  readonly running: ReadonlySet<number>
  /** What the operator said of them; it stays when a worker stops and starts again. */
  readonly disabled: ReadonlySet<number>
}

/** What is done at once. */
export interface Change {
  readonly start: readonly number[]
  readonly stop: readonly number[]
  readonly disable: readonly number[]
  readonly enable: readonly number[]
}

const noChange: Change = { start: [], stop: [], disable: [], enable: [] }

/** The changes of one seed, one after the other. */
export class Churn {
  readonly #random: SeededRandom
  readonly #workers: readonly number[]
  /** Sizes that have not had their turn: each comes before any comes again. */
  #sizes: number[] = []

  constructor(random: SeededRandom) {
    this.#random = random
    this.#workers = Array.from({ length: Math.max(...fleetSizes) }, (_, index) => index + 1)
  }

  /** One that really changes something, and leaves somebody who is enabled before and after it. */
  next(state: FleetState): Change {
    for (;;) {
      const change = this.#propose(state)
      if (sizeOf(change) > 0 && hasSurvivor(state, change)) return change
    }
  }

  /** How long things are left alone, in milliseconds. */
  pause(): number {
    return this.#random.below(2500)
  }

  #propose(state: FleetState): Change {
    const roll = this.#random.fraction()
    if (roll < 0.5) return this.#resize(state)
    if (roll < 0.6) return this.#replace(state)
    if (roll < 0.8) return { ...noChange, disable: this.#some(enabledOf(state)) }
    return { ...noChange, enable: this.#some([...state.disabled]) }
  }

  #resize({ running }: FleetState): Change {
    if (this.#sizes.length === 0) this.#sizes = this.#shuffled(fleetSizes)
    const size = this.#sizes[0] as number
    if (size === running.size) {
      this.#sizes.shift()
      return noChange
    }
    const change =
      size > running.size
        ? { ...noChange, start: this.#shuffled(this.#idle(running)).slice(0, size - running.size) }
        : { ...noChange, stop: this.#shuffled([...running]).slice(0, running.size - size) }
    return change
  }

  /** As a rolling deploy does it. */
  #replace({ running }: FleetState): Change {
    const idle = this.#idle(running)
    if (idle.length === 0) return noChange
    return {
      ...noChange,
      start: [this.#random.pick(idle)],
      stop: [this.#random.pick([...running])],
    }
  }

  #idle(running: ReadonlySet<number>): number[] {
    return this.#workers.filter((worker) => !running.has(worker))
  }

  #some(workers: readonly number[]): number[] {
    if (workers.length === 0) return []
    return this.#shuffled(workers).slice(0, 1 + this.#random.below(workers.length))
  }

  #shuffled(list: readonly number[]): number[] {
    const rest = [...list]
    return list.map(() => rest.splice(this.#random.below(rest.length), 1)[0] as number)
  }
}

export function applied({ running, disabled }: FleetState, change: Change): FleetState {
  return {
    running: new Set([...running, ...change.start].filter((one) => !change.stop.includes(one))),
    disabled: new Set(
      [...disabled, ...change.disable].filter((one) => !change.enable.includes(one)),
    ),
  }
}

/** Those that may own shards. */
export function enabledOf({ running, disabled }: FleetState): number[] {
  return [...running].filter((worker) => !disabled.has(worker))
}

export function sizeOf({ start, stop, disable, enable }: Change): number {
  return start.length + stop.length + disable.length + enable.length
}

/** Somebody is there who can run everything, whatever comes of the others first. */
function hasSurvivor(state: FleetState, change: Change): boolean {
  const after = new Set(enabledOf(applied(state, change)))
  return enabledOf(state).some((worker) => after.has(worker))
}
