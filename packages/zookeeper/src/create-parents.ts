import type { CreateOptions } from './client.ts'
import { isZooKeeperError } from './errors.ts'
import type { Created } from './jute/node-operations.ts'
import type { Stat } from './jute/records.ts'
import { ancestorsOf } from './paths.ts'
import type { RequestOptions } from './session/pending-call.ts'
import { part, type ResultsOf, type TransactionPart } from './transaction.ts'

/** How missing ancestors are created: not at all, as persistent nodes, or as containers. */
export type ParentKind = boolean | 'container'

/** The client methods used here. */
export interface ParentCreator {
  exists(path: string, options?: RequestOptions): Promise<Stat | undefined>
  multi<const Parts extends readonly TransactionPart[]>(
    parts: Parts,
    options?: RequestOptions,
  ): Promise<ResultsOf<Parts>>
}

/**
 * Creates a node and its missing ancestors in one transaction. If another client creates or deletes an
 * ancestor meanwhile, it reads the ancestors again and retries, until the node exists or the server rejects
 * the node itself.
 */
export async function createWithParents(
  client: ParentCreator,
  path: string,
  data: Uint8Array,
  options: CreateOptions,
): Promise<Created> {
  const { parents: parentKind, protect: _, signal, timeout, whileDisconnected, ...node } = options
  const request: RequestOptions = {
    ...(signal === undefined ? {} : { signal }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(whileDisconnected === undefined ? {} : { whileDisconnected }),
  }
  const mode = parentKind === 'container' ? 'container' : 'persistent'
  const acl = node.acl === undefined ? {} : { acl: node.acl }
  for (;;) {
    const missing = await missingAncestors(client, path, request)
    const parts = [
      ...missing.map((ancestor) => part.create(ancestor, '', { mode, ...acl })),
      part.create(path, data, node),
    ]
    try {
      const results = await client.multi(parts, request)
      const created = (results.at(-1) as { path: string }).path
      const stat = await client.exists(created, request)
      if (stat !== undefined) return { path: created, stat }
    } catch (error) {
      if (!isRaceAbove(error, parts.length - 1)) throw error
    }
  }
}

async function missingAncestors(
  client: ParentCreator,
  path: string,
  options: RequestOptions,
): Promise<string[]> {
  const ancestors = ancestorsOf(path)
  const stats = await Promise.all(ancestors.map((ancestor) => client.exists(ancestor, options)))
  return ancestors.filter((_, index) => stats[index] === undefined)
}

/** Whether a create failed because an ancestor changed, not because of the node itself. */
function isRaceAbove(error: unknown, last: number): boolean {
  if (!isZooKeeperError(error, 'ZK_NODE_EXISTS', 'ZK_NO_NODE')) return false
  return error.code === 'ZK_NO_NODE' || ('index' in error && error.index !== last)
}
