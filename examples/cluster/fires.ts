/** One fire of the job: the workers that ran an item, by item. One each, if all is well. */
export type Fire = ReadonlyMap<number, readonly string[]>

/** Gathers what the workers say into fires. */
export class Fires {
  readonly #itemCount: number
  readonly #show: (time: number, fire: Fire) => void
  readonly #fires = new Map<number, Map<number, string[]>>()
  readonly #shown = new Set<number>()

  /** `show` is told of each fire once: when all its items have run, or else when the next begins. */
  constructor(itemCount: number, show: (time: number, fire: Fire) => void) {
    this.#itemCount = itemCount
    this.#show = show
  }

  ran(worker: string, item: number, time: number): void {
    const fire = this.#fires.get(time) ?? this.#begin(time)
    fire.set(item, [...(fire.get(item) ?? []), worker])
    if (fire.size === this.#itemCount) this.#showOnce(time, fire)
  }

  /** Those that were shown; one that the end has interrupted is not. */
  get shown(): readonly (readonly [time: number, fire: Fire])[] {
    return [...this.#fires].filter(([time]) => this.#shown.has(time))
  }

  #begin(time: number): Map<number, string[]> {
    for (const [earlier, fire] of this.#fires) this.#showOnce(earlier, fire)
    const fire = new Map<number, string[]>()
    this.#fires.set(time, fire)
    return fire
  }

  #showOnce(time: number, fire: Fire): void {
    if (this.#shown.has(time)) return
    this.#shown.add(time)
    this.#show(time, fire)
  }
}

/** What is wrong with a fire, in words: nothing, if every item ran exactly once. */
export function problemsOf(fire: Fire, itemCount: number): string[] {
  return Array.from({ length: itemCount }, (_, item) => {
    const runs = fire.get(item)?.length ?? 0
    if (runs === 1) return ''
    return runs === 0 ? `item ${item} did not run` : `item ${item} ran ${runs} times`
  }).filter((problem) => problem !== '')
}
