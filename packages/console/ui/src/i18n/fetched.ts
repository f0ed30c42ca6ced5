import { signal } from '@preact/signals'

/** Texts that only some readers need, loaded once, at the first use. */
export class Fetched<T> {
  readonly #load: () => Promise<T>
  readonly #words = signal<T | undefined>(undefined)
  #underWay: Promise<void> | undefined

  constructor(load: () => Promise<T>) {
    this.#load = load
  }

  /** Undefined until they are loaded; components that read it are rendered again then. */
  get value(): T | undefined {
    return this.#words.value
  }

  /** Resolves when they are loaded, or could not be loaded; the next call then tries again. */
  ready(): Promise<void> {
    this.#underWay ??= this.#load().then(
      (words) => void (this.#words.value = words),
      () => void (this.#underWay = undefined),
    )
    return this.#underWay
  }
}
