import { type Acl, permission } from '@elasticjob/zookeeper/protocol'

/** Grants everything to everybody; nearly every node has this ACL. */
export const openAcl: readonly Acl[] = Object.freeze([
  Object.freeze({ permissions: permission.all, id: { scheme: 'world', id: 'anyone' } }),
])

/** Grants read to everybody and nothing else. */
export const readOnlyAcl: readonly Acl[] = Object.freeze([
  Object.freeze({ permissions: permission.read, id: { scheme: 'world', id: 'anyone' } }),
])

interface Entry {
  readonly key: string
  readonly list: readonly Acl[]
  uses: number
}

/**
 * Stores equal ACLs once. A million nodes share a few ACLs, and comparing two of them compares references.
 * Unused ACLs are dropped.
 */
export class AclTable {
  readonly #byKey = new Map<string, Entry>()
  readonly #byList = new Map<readonly Acl[], Entry>()

  #bytes = 0

  get size(): number {
    return this.#byKey.size
  }

  /** The approximate size of all ACLs, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** How many bytes another use of this ACL adds. */
  growth(list: readonly Acl[]): number {
    if (list === openAcl || isOpen(list) || this.#byList.has(list)) return 0
    const key = keyOf(list)
    return this.#byKey.has(key) ? 0 : key.length
  }

  /** Returns the stored ACL equal to this one, and counts one more use. */
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
      this.#bytes += key.length
      this.#byKey.set(key, entry)
      this.#byList.set(list, entry)
    }
    entry.uses++
    return entry.list
  }

  /** Releases one use. */
  release(list: readonly Acl[]): void {
    const entry = this.#byList.get(list)
    if (entry === undefined || --entry.uses > 0) return
    this.#bytes -= entry.key.length
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
