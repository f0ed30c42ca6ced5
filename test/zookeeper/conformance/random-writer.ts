import { childOf } from '@elasticjob/zookeeper'

/** Something that a writer may do; it may well fail, and then does nothing. */
export type Write =
  | { readonly op: 'create'; readonly path: string; readonly data: string; readonly mode: Mode }
  | { readonly op: 'set'; readonly path: string; readonly data: string }
  | { readonly op: 'delete'; readonly path: string }
  | {
      readonly op: 'transaction'
      readonly writes: readonly Exclude<Write, { op: 'transaction' }>[]
    }

export type Mode = 'persistent' | 'ephemeral' | 'container'

/** Numbers of chance, the same ones for the same seed. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** A whole number from 0 up to, but not including, this. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * limit)
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T
  }
}

/**
 * Writes at random in a small tree, so that nodes often come, change and go at the same paths. The
 * paths are those below the root, up to three names deep, out of three names.
 */
export class RandomWrites {
  readonly #dice: Dice
  readonly #root: string
  readonly #modes: readonly Mode[]
  #count = 0

  constructor(seed: number, root: string, modes: readonly Mode[] = ['persistent']) {
    this.#dice = new Dice(seed)
    this.#root = root
    this.#modes = modes
  }

  next(): Write {
    if (this.#dice.below(5) > 0) return this.#single()
    const writes = Array.from({ length: 2 + this.#dice.below(4) }, () => this.#single())
    return { op: 'transaction', writes }
  }

  #single(): Exclude<Write, { op: 'transaction' }> {
    const path = this.#path()
    const data = `data ${this.#count++}`
    switch (this.#dice.below(5)) {
      case 0:
      case 1:
        return { op: 'create', path, data, mode: this.#dice.pick(this.#modes) }
      case 2:
      case 3:
        return { op: 'set', path, data }
      default:
        return { op: 'delete', path }
    }
  }

  #path(): string {
    let path = this.#root
    for (let depth = this.#dice.below(3); depth >= 0; depth--) {
      path = childOf(path, this.#dice.pick(['a', 'b', 'c']))
    }
    return path
  }
}
