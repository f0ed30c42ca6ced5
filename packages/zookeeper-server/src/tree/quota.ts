import type { TreeNode } from './node.ts'
import { baseName } from './path.ts'

export const quotaRoot = '/zookeeper/quota'

const limitsName = 'zookeeper_limits'
const statsName = 'zookeeper_stats'

/** The limits or the usage of a quota. -1 means not set. */
export interface Usage {
  readonly count: number
  readonly bytes: number
  readonly countHardLimit: number
  readonly byteHardLimit: number
}

/** Parses the text of a quota node: `count=1,bytes=2=;byteHardLimit=3;countHardLimit=4`. */
export function parseUsage(data: Uint8Array | null): Usage {
  const values = new Map<string, number>()
  for (const pair of Buffer.from(data ?? [])
    .toString()
    .split(/[,;]+/)) {
    const [key, value] = pair.split('=')
    if (key === undefined || value === undefined || !/^-?\d+$/.test(value)) continue
    values.set(key, Number(value))
  }
  return {
    count: values.get('count') ?? -1,
    bytes: values.get('bytes') ?? -1,
    countHardLimit: values.get('countHardLimit') ?? -1,
    byteHardLimit: values.get('byteHardLimit') ?? -1,
  }
}

function isBeyond(used: number, limit: number): boolean {
  return limit > -1 && used > limit
}

/** The text of a usage node. */
export function formatUsage(count: number, bytes: number): Uint8Array {
  return Buffer.from(`count=${count},bytes=${bytes}`)
}

/** The subtree of the quota node with this name below `/zookeeper/quota`. */
function subject(path: string, name: string): string | undefined {
  if (!path.startsWith(`${quotaRoot}/`) || baseName(path) !== name) return undefined
  return path.slice(quotaRoot.length, -name.length - 1)
}

function limitsSubject(path: string): string | undefined {
  return subject(path, limitsName)
}

function statsSubject(path: string): string | undefined {
  return subject(path, statsName)
}

function limitsPath(prefix: string): string {
  return `${quotaRoot}${prefix}/${limitsName}`
}

function statsPath(prefix: string): string {
  return `${quotaRoot}${prefix}/${statsName}`
}

/** The subtrees with a quota. Usually none: the check must cost nothing then. */
export class QuotaPrefixes {
  readonly #prefixes = new Set<string>()

  add(prefix: string): void {
    if (prefix !== '') this.#prefixes.add(prefix)
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.#prefixes.values()
  }

  delete(prefix: string): void {
    this.#prefixes.delete(prefix)
  }

  /** The deepest subtree with a quota that contains this path. */
  of(path: string): string | undefined {
    if (this.#prefixes.size === 0) return undefined
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) {
      const prefix = path.slice(0, at)
      if (this.#prefixes.has(prefix)) return prefix
    }
    return undefined
  }
}

/** The tree methods used for quotas. */
export interface QuotaTree {
  get(path: string): TreeNode | undefined
  walk(path: string, visit: (node: TreeNode) => void): void
  replaceData(node: TreeNode, data: Uint8Array): void
}

/**
 * Counts the usage of each quota. The count is the data of a node that changes without a transaction, because
 * it follows from the counted transactions.
 */
export class QuotaBook {
  readonly #tree: QuotaTree
  readonly #prefixes = new QuotaPrefixes()

  constructor(tree: QuotaTree) {
    this.#tree = tree
  }

  /** Whether this growth would exceed a hard limit. */
  exceeds(path: string, bytes: number, count: number): boolean {
    const prefix = this.#prefixes.of(path)
    if (prefix === undefined) return false
    const stats = this.#tree.get(statsPath(prefix))
    // Nothing is rejected without a usage node.
    if (stats === undefined) return false
    const limits = parseUsage(this.#tree.get(limitsPath(prefix))?.data ?? null)
    const used = parseUsage(stats.data)
    return (
      (count !== 0 && isBeyond(used.count + count, limits.countHardLimit)) ||
      (bytes !== 0 && isBeyond(used.bytes + bytes, limits.byteHardLimit))
    )
  }

  created(path: string, bytes: number): void {
    if (path.startsWith(quotaRoot)) {
      const limited = limitsSubject(path)
      if (limited !== undefined) this.#prefixes.add(limited)
      const counted = statsSubject(path)
      if (counted !== undefined) this.#count(counted)
    }
    this.#use(path, bytes, 1)
  }

  deleted(path: string, bytes: number): void {
    const limited = limitsSubject(path)
    if (limited !== undefined) this.#prefixes.delete(limited)
    this.#use(path, -bytes, -1)
  }

  resized(path: string, growth: number): void {
    this.#use(path, growth, 0)
  }

  /** Recounts the quotas among these paths. */
  recount(paths: Iterable<string>): void {
    for (const path of paths) {
      const prefix = limitsSubject(path)
      if (prefix !== undefined) this.#prefixes.add(prefix)
    }
    for (const prefix of this.#prefixes) this.#count(prefix)
  }

  #use(path: string, bytes: number, count: number): void {
    const prefix = this.#prefixes.of(path)
    if (prefix === undefined) return
    const stats = this.#tree.get(statsPath(prefix))
    if (stats === undefined) return
    const used = parseUsage(stats.data)
    this.#tree.replaceData(stats, formatUsage(used.count + count, used.bytes + bytes))
  }

  #count(prefix: string): void {
    const stats = this.#tree.get(statsPath(prefix))
    if (stats === undefined) return
    let count = 0
    let bytes = 0
    this.#tree.walk(prefix, (node) => {
      count++
      bytes += node.dataLength
    })
    this.#tree.replaceData(stats, formatUsage(count, bytes))
  }
}
