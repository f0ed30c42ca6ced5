/** When to write counts, and in which transaction. */
import { isRegistryError } from '../../registry/registry-error.ts'
import { part, type TransactionPart } from '../../registry/transaction.ts'

/** The nodes that are known to exist: none, the job's folder, or also the instance's own node in it. */
export type CountsPosition = 'nothing' | 'folder' | 'node'

/**
 * Writes the counts of an instance. Its node is ephemeral and the folder is a container node, so ZooKeeper deletes both
 * after the servers are gone and no cleanup is needed.
 */
export function planCounts(
  position: CountsPosition,
  folder: string,
  instance: string,
  text: string,
): TransactionPart[] {
  const path = `${folder}/${instance}`
  if (position === 'node') return [part.set(path, text)]
  const creation = part.ephemeral(path, text)
  return position === 'folder' ? [creation] : [part.container(folder), creation]
}

/**
 * The nodes that exist according to the error of such a transaction; `above` if the folder of all jobs is missing,
 * undefined if the error is unrelated.
 */
export function positionAfter(
  error: unknown,
  position: CountsPosition,
  folder: string,
): CountsPosition | 'above' | undefined {
  if (isRegistryError(error, 'REGISTRY_NODE_EXISTS'))
    return error.path === folder ? 'folder' : 'node'
  if (!isRegistryError(error, 'REGISTRY_NO_NODE')) return undefined
  if (position === 'nothing') return 'above'
  return position === 'node' ? 'folder' : 'nothing'
}

/**
 * The next time to write: a multiple of the interval, shifted by a fraction of it. Jobs of one process with the same
 * interval write together; processes write at different times.
 */
export function nextWrite(now: number, interval: number, fraction: number): number {
  const shift = Math.floor(interval * fraction)
  return (Math.floor((now - shift) / interval) + 1) * interval + shift
}
