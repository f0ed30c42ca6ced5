/** Resolves the aliases of a document, and computes their expanded size before anything is expanded. */
import { type Alias, isAlias, isMap, isPair, isSeq, type Node } from 'yaml'
import type { Budget } from '../../decode/budget.ts'

/** The target of each alias; undefined for an unknown anchor. */
export type Aliases = ReadonlyMap<Alias, Node | undefined>

interface Extent {
  /** The number of values after all aliases are expanded. */
  readonly size: number
  /** The nesting depth of collections after all aliases are expanded. */
  readonly height: number
}

/**
 * Visits every node once, in text order: an alias refers to the last node before it with that anchor. An alias inside
 * its own target has no target, because its expansion would be infinite.
 */
export function measure(root: Node | undefined, budget: Budget): Aliases {
  const aliases = new Map<Alias, Node | undefined>()
  const named = new Map<string, Node>()
  /** The extents of anchored nodes; absent while they are being visited. */
  const extents = new Map<Node, Extent>()
  const visitAlias = (alias: Alias, depth: number): Extent => {
    budget.spend('aliases')
    const target = named.get(alias.source)
    const extent = target === undefined ? undefined : extents.get(target)
    aliases.set(alias, extent === undefined ? undefined : target)
    const { size, height } = extent ?? { size: 1, height: 0 }
    budget.spend('expansion', size)
    budget.reach(depth + height)
    return { size, height }
  }
  const visit = (value: unknown, depth: number): Extent => {
    if (isAlias(value)) return visitAlias(value, depth)
    const node = value as Node & { readonly anchor?: string }
    if (node.anchor !== undefined) named.set(node.anchor, node)
    budget.spend('expansion')
    let size = 1
    let height = 0
    if (isMap(node) || isSeq(node)) {
      for (const child of node.items.flatMap(partsOf)) {
        const extent = visit(child, depth + 1)
        size += extent.size
        height = Math.max(height, extent.height + 1)
      }
    }
    if (node.anchor !== undefined) extents.set(node, { size, height })
    return { size, height }
  }
  if (root !== undefined) visit(root, 0)
  return aliases
}

/** The nodes of an element: the key and value of a pair, or the element itself. */
function partsOf(shard: unknown): unknown[] {
  const parts = isPair(shard) ? [shard.key, shard.value] : [shard]
  return parts.filter((one) => one !== null && one !== undefined)
}
