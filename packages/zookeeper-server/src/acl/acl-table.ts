import { type Acl, permission } from '@elasticjob/zookeeper/protocol'

/** Everybody may do everything: the list that nearly every node has. */
export const openAcl: readonly Acl[] = Object.freeze([
  Object.freeze({ permissions: permission.all, id: { scheme: 'world', id: 'anyone' } }),
])

/** Everybody may read, nobody may do more. */
export const readOnlyAcl: readonly Acl[] = Object.freeze([
  Object.freeze({ permissions: permission.read, id: { scheme: 'world', id: 'anyone' } }),
])

interface Entry {
  readonly key: string
  readonly list: readonly Acl[]
  uses: number
}

/**
 * Keeps equal access control lists once. A million nodes share a handful of lists, and comparing
 * two of them is comparing references. A list that no node uses any more is forgotten.
 */
export class AclTable {
  readonly #byKey = new Map<string, Entry>()
  readonly #byList = new Map<readonly Acl[], Entry>()

  get size(): number {
    return this.#byKey.size
  }

  /** The one list that equals this one, counted as used once more. */
  retain(list: readonly Acl[]): readonly Acl[] {
    if (list === openAcl || isOpen(list)) return openAcl
    const known = this.#byList.get(list)
    if (known !== undefined) {
      known.uses++
      return known.list
    }
    const key = keyOf(list)
    let entry = this.#byKey.get(key)
    if (entry === undefined) {
      entry = { key, list, uses: 0 }
      this.#byKey.set(key, entry)
      this.#byList.set(list, entry)
    }
    entry.uses++
    return entry.list
  }

  /** Takes back one use. */
  release(list: readonly Acl[]): void {
    const entry = this.#byList.get(list)
    if (entry === undefined || --entry.uses > 0) return
    this.#byKey.delete(entry.key)
    this.#byList.delete(list)
  }
}

function isOpen(list: readonly Acl[]): boolean {
  const first = list[0]
  return (
    list.length === 1 &&
    first !== undefined &&
    first.permissions === permission.all &&
    first.id.scheme === 'world' &&
    first.id.id === 'anyone'
  )
}

function keyOf(list: readonly Acl[]): string {
  return JSON.stringify(list.map(({ permissions, id }) => [permissions, id.scheme, id.id]))
}
