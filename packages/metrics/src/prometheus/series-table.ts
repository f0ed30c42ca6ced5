/** The series by owner, so that they can be removed with it. */
import type { Owner } from '../metrics/series.ts'

export interface SeriesEntry<Child> {
  readonly child: Child
  remove(): void
}

export class SeriesTable<Child> {
  readonly #owners = new Map<string, Map<string, SeriesEntry<Child>>>()

  /** The series of an owner under a key; created if missing. */
  get(owner: Owner, key: string, make: () => SeriesEntry<Child>): Child {
    const ownerKey = keyOf(owner)
    let entries = this.#owners.get(ownerKey)
    if (entries === undefined) {
      entries = new Map()
      this.#owners.set(ownerKey, entries)
    }
    let entry = entries.get(key)
    if (entry === undefined) {
      entry = make()
      entries.set(key, entry)
    }
    return entry.child
  }

  forget(owner: Owner): void {
    const key = keyOf(owner)
    for (const entry of this.#owners.get(key)?.values() ?? []) entry.remove()
    this.#owners.delete(key)
  }
}

function keyOf({ namespace = '', job }: Owner): string {
  return job === undefined ? namespace : `${namespace}/${job}`
}
