import type { Children } from './jute/node-operations.ts'
import { isZooKeeperError } from './errors.ts'
import { childOf, validatePath } from './paths.ts'
import type { RequestOptions } from './session/pending-call.ts'
import { type DeletePart, part, type ResultsOf, type TransactionPart } from './transaction.ts'

/** The client methods used here. */
export interface RecursiveDeleter {
  children(path: string, options?: RequestOptions): Promise<Children>
  multi<const Parts extends readonly TransactionPart[]>(
    parts: Parts,
    options?: RequestOptions,
  ): Promise<ResultsOf<Parts>>
}

/** The size of a delete in a multi without its path: type, done, error, length and version. */
const partOverhead = 17

/**
 * Deletes a subtree and returns the number of deleted nodes. Retries with a fresh listing when other clients
 * create or delete nodes in it meanwhile. `prefixBytes` is the size of the chroot before every path on the
 * wire.
 */
export async function deleteRecursive(
  client: RecursiveDeleter,
  maxRequestBytes: number,
  path: string,
  options: RequestOptions,
  prefixBytes: number = 0,
): Promise<number> {
  validatePath(path)
  let deleted = 0
  for (;;) {
    const paths = await subtreeBottomUp(client, path, options)
    if (paths.length === 0) return deleted
    try {
      for (const batch of inBatches(paths, prefixBytes, maxRequestBytes / 2)) {
        await client.multi(batch, options)
        deleted += batch.length
      }
      return deleted
    } catch (error) {
      if (!isZooKeeperError(error, 'ZK_NO_NODE', 'ZK_NOT_EMPTY')) throw error
    }
  }
}

/** Returns all paths of a subtree, children before parents; none if its root is absent. */
async function subtreeBottomUp(
  client: RecursiveDeleter,
  root: string,
  options: RequestOptions,
): Promise<string[]> {
  const levels: string[][] = []
  for (let level = [root]; level.length > 0;) {
    const found = await Promise.all(level.map((path) => childrenOf(client, path, options)))
    levels.push(level.filter((_, index) => found[index] !== undefined))
    level = found.flatMap((children) => children ?? [])
  }
  return levels.toReversed().flat()
}

async function childrenOf(
  client: RecursiveDeleter,
  path: string,
  options: RequestOptions,
): Promise<string[] | undefined> {
  try {
    const { children } = await client.children(path, options)
    return children.map((name) => childOf(path, name))
  } catch (error) {
    if (isZooKeeperError(error, 'ZK_NO_NODE')) return undefined
    throw error
  }
}

function inBatches(
  paths: readonly string[],
  prefixBytes: number,
  maxBytes: number,
): DeletePart[][] {
  const batches: DeletePart[][] = [[]]
  let bytes = 0
  for (const path of paths) {
    const size = prefixBytes + Buffer.byteLength(path) + partOverhead
    if (bytes + size > maxBytes) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)?.push(part.delete(path))
    bytes += size
  }
  return batches
}
