/** Deletes a tree while a guard node exists. An operator whose guard was deleted deletes nothing more. */
import { childOf } from '../node-path.ts'
import { bytesOf, maximumBytes } from '../registry/committer.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { isDisturbance, type OperatorRegistry } from './operator-registry.ts'

/** Rejects with `REGISTRY_NO_NODE` for the path of the guard if the guard was deleted. */
export async function deleteGuarded(
  registry: OperatorRegistry,
  root: string,
  guard: string,
  keep: ReadonlySet<string> = new Set(),
): Promise<void> {
  for (;;) {
    const paths = (await subtreeBottomUp(registry, root)).filter((path) => !keep.has(path))
    if (paths.length === 0) return
    try {
      for (const batch of inBatches(paths, part.check(guard))) await registry.commit(batch)
      return
    } catch (error) {
      // A child was created or deleted, or the reply was lost. Read the tree again.
      if (isDisturbance(error)) continue
      const isOvertaken = isRegistryError(error, 'REGISTRY_NO_NODE', 'REGISTRY_NOT_EMPTY')
      if (!isOvertaken || error.path === guard) throw error
    }
  }
}

/** All paths of a tree, children before their parents; none if its root does not exist. */
async function subtreeBottomUp({ reader }: OperatorRegistry, root: string): Promise<string[]> {
  const levels: string[][] = []
  for (let level = [root]; level.length > 0;) {
    const found = await Promise.all(level.map((path) => reader.children(path)))
    const present = level.filter((_, index) => found[index] !== undefined)
    levels.push(present)
    level = level.flatMap((path, index) => (found[index] ?? []).map((name) => childOf(path, name)))
  }
  return levels.toReversed().flat()
}

function* inBatches(
  paths: readonly string[],
  guard: TransactionPart,
): Generator<readonly TransactionPart[]> {
  let batch: TransactionPart[] = [guard]
  let bytes = bytesOf(batch)
  for (const path of paths) {
    const deletion = part.delete(path)
    const size = bytesOf([deletion])
    if (bytes + size > maximumBytes) {
      yield batch
      batch = [guard]
      bytes = bytesOf(batch)
    }
    batch.push(deletion)
    bytes += size
  }
  yield batch
}
