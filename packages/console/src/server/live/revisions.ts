/**
 * Values by name, each with the revision of its last change, and the revisions of removals. Each value is serialized
 * once per change, however many readers receive it.
 */
interface Kept<T> {
  readonly value: T
  /** As JSON. */
  readonly text: string
  readonly revision: number
}

export interface Changes {
  /** As JSON. */
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

export class Revisions<T> {
  readonly #values = new Map<string, Kept<T>>()
  readonly #removed = new Map<string, number>()

  get size(): number {
    return this.#values.size
  }

  get(name: string): T | undefined {
    return this.#values.get(name)?.value
  }

  values(): T[] {
    return [...this.#values.values()].map(({ value }) => value)
  }

  /** All values as JSON. */
  texts(): string[] {
    return [...this.#values.values()].map(({ text }) => text)
  }

  /** A value as JSON: the cached text if the value is unchanged. */
  textOf(name: string, value: T): string {
    const kept = this.#values.get(name)
    return kept?.value === value ? kept.text : JSON.stringify(value)
  }

  /** The number of remembered removals. */
  get removedCount(): number {
    return this.#removed.size
  }

  /** Returns whether the value changed. */
  put(name: string, value: T, revision: number): boolean {
    const text = JSON.stringify(value)
    if (this.#values.get(name)?.text === text) return false
    this.#values.set(name, { value, text, revision })
    this.#removed.delete(name)
    return true
  }

  remove(name: string, revision: number): boolean {
    if (!this.#values.delete(name)) return false
    this.#removed.set(name, revision)
    return true
  }

  forgetRemoved(): void {
    this.#removed.clear()
  }

  since(revision: number): Changes {
    const changed = [...this.#values.values()].filter((kept) => kept.revision > revision)
    const removed = [...this.#removed].filter(([, gone]) => gone > revision)
    return { changed: changed.map(({ text }) => text), removed: removed.map(([name]) => name) }
  }
}
