/** When counts are written, and by which transaction. */
import { isRegistryError } from '../../registry/registry-error.ts'
import { part, type TransactionPart } from '../../registry/transaction.ts'

/** What is known to exist: nothing, the job's folder, or the instance's own node in it. */
export type CountsPosition = 'nothing' | 'folder' | 'node'

/**
 * The node goes with the session of its instance, and the folder with the last of its nodes: nobody has
 * to clean up behind a server that is gone.
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
 * What stands after all, as the error of such a transaction says; `above` if the folder of all jobs is
 * missing, undefined if the error says nothing of it.
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
 * The next time to write: a whole number of intervals, shifted by a fraction of one. Jobs of a process
 * with the same interval are written together, and processes not all at the same moment.
 */
export function nextWrite(now: number, interval: number, fraction: number): number {
  const shift = Math.floor(interval * fraction)
  return (Math.floor((now - shift) / interval) + 1) * interval + shift
}
