import { signal } from '@preact/signals'

/** Words that not everybody reads, fetched once, when somebody wants them. */
export class Fetched<T> {
  readonly #load: () => Promise<T>
  readonly #words = signal<T | undefined>(undefined)
  #underWay: Promise<void> | undefined

  constructor(load: () => Promise<T>) {
    this.#load = load
  }

  /** Undefined until they are there; whoever reads it is drawn anew then. */
  get value(): T | undefined {
    return this.#words.value
  }

  /** Resolves when they are there, and also if they cannot be had: then they are asked for again next time. */
  ready(): Promise<void> {
    this.#underWay ??= this.#load().then(
      (words) => void (this.#words.value = words),
      () => void (this.#underWay = undefined),
    )
    return this.#underWay
  }
}
