/** When counts are written, and by which transaction. */
import { isZooKeeperError, part, type TransactionPart } from '@elasticjob/zookeeper'

import type { NodeMaker } from '../registry/node-maker.ts'

/** What is known to exist: nothing, the job's folder, or the instance's own node in it. */
export type Standing = 'nothing' | 'folder' | 'node'

/**
 * The node goes with the session of its instance, and the folder with the last of its nodes: nobody has
 * to clean up behind a server that is gone.
 */
export function planCounts(
  standing: Standing,
  folder: string,
  instance: string,
  text: string,
  make: NodeMaker,
): TransactionPart[] {
  const path = `${folder}/${instance}`
  if (standing === 'node') return [part.set(path, text)]
  const creation = make.ephemeral(path, text)
  return standing === 'folder' ? [creation] : [make.container(folder), creation]
}

/**
 * What stands after all, as the error of such a transaction says; `above` if the folder of all jobs is
 * missing, undefined if the error says nothing of it.
 */
export function standingAfter(
  error: unknown,
  standing: Standing,
  folder: string,
): Standing | 'above' | undefined {
  if (isZooKeeperError(error, 'ZK_NODE_EXISTS')) return error.path === folder ? 'folder' : 'node'
  if (!isZooKeeperError(error, 'ZK_NO_NODE')) return undefined
  if (standing === 'nothing') return 'above'
  return standing === 'node' ? 'folder' : 'nothing'
}

/**
 * The next time to write: a whole number of intervals, shifted by a fraction of one. Jobs of a process
 * with the same interval are written together, and processes not all at the same moment.
 */
export function nextWrite(now: number, interval: number, fraction: number): number {
  const shift = Math.floor(interval * fraction)
  return (Math.floor((now - shift) / interval) + 1) * interval + shift
}
