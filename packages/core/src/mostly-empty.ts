/**
 * Collections that are empty for most jobs. An empty `Map` or `Set` takes 200 bytes, one that was filled and emptied
 * far more, and a process with a thousand jobs has twenty thousand of them. The collections here allocate nothing while
 * they are empty. If the last entry is deleted during an iteration, that iteration does not see entries that are added
 * afterwards.
 */

const noEntries: ReadonlyMap<never, never> = new Map<never, never>()
const noElements: ReadonlySet<never> = new Set<never>()

export class MostlyEmptyMap<K, V> implements ReadonlyMap<K, V> {
  #map: Map<K, V> | undefined

  get size(): number {
    return this.#map?.size ?? 0
  }

  has(key: K): boolean {
    return this.#map?.has(key) ?? false
  }

  get(key: K): V | undefined {
    return this.#map?.get(key)
  }

  set(key: K, value: V): void {
    this.#map ??= new Map()
    this.#map.set(key, value)
  }

  delete(key: K): void {
    this.#map?.delete(key)
    if (this.#map?.size === 0) this.#map = undefined
  }

  clear(): void {
    this.#map?.clear()
    this.#map = undefined
  }

  entries(): MapIterator<[K, V]> {
    return this.#entries.entries()
  }

  keys(): MapIterator<K> {
    return this.#entries.keys()
  }

  values(): MapIterator<V> {
    return this.#entries.values()
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries()
  }

  forEach(act: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) act(value, key, this)
  }

  get #entries(): ReadonlyMap<K, V> {
    return this.#map ?? noEntries
  }
}

export class MostlyEmptySet<T> implements ReadonlySet<T> {
  #set: Set<T> | undefined

  get size(): number {
    return this.#set?.size ?? 0
  }

  has(element: T): boolean {
    return this.#set?.has(element) ?? false
  }

  add(element: T): void {
    this.#set ??= new Set()
    this.#set.add(element)
  }

  delete(element: T): void {
    this.#set?.delete(element)
    if (this.#set?.size === 0) this.#set = undefined
  }

  clear(): void {
    this.#set?.clear()
    this.#set = undefined
  }

  entries(): SetIterator<[T, T]> {
    return this.#elements.entries()
  }

  keys(): SetIterator<T> {
    return this.#elements.keys()
  }

  values(): SetIterator<T> {
    return this.#elements.values()
  }

  [Symbol.iterator](): SetIterator<T> {
    return this.values()
  }

  forEach(act: (element: T, same: T, set: ReadonlySet<T>) => void): void {
    for (const element of this) act(element, element, this)
  }

  get #elements(): ReadonlySet<T> {
    return this.#set ?? noElements
  }
}
