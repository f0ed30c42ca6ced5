import { opCode } from '@elasticjob/zookeeper/protocol'
import { createMode } from '../../src/request/create-mode.ts'
import { typeOf } from './encode.ts'
import type { Part, Request } from './operation.ts'

const known: ReadonlySet<number> = new Set(Object.values(opCode).filter((type) => type !== -1))

/** Whether the connection is closed after the answer. */
export function isLast(request: Request): boolean {
  return request.do === 'closeSession' || !known.has(typeOf(request))
}

/** Whether it is answered at once, before earlier requests that still wait. */
export function isAnsweredAlone(request: Request): boolean {
  return request.do === 'auth' || request.do === 'sasl'
}

const reads: ReadonlySet<string> = new Set([
  'exists',
  'getData',
  'getChildren',
  'getChildren2',
  'getAcl',
  'getEphemerals',
  'getAllChildrenNumber',
  'sync',
  'multiRead',
  'addWatch',
  'checkWatches',
  'removeWatches',
  'setWatches',
  'setWatches2',
  'whoAmI',
  'ping',
])

export function isRead(request: Request): boolean {
  return reads.has(request.do)
}

/**
 * Whether the outcome of the next write depends on the progress of the real server with this one. The real server
 * checks a write against the pending writes before it, but ignores new access control lists, takes a container for
 * what its flags say, and keeps the first parts of a multi whose later part is malformed.
 */
export function isUnsteady(request: Request): boolean {
  if (request.damage !== undefined || request.do === 'setAcl') return true
  if (request.do === 'multi') return !request.parts.every(isReadable)
  return request.do === 'createContainer' && createMode(request.flags)?.isEphemeral === true
}

/** A read is not allowed in a multi, and a TTL node needs a request with a TTL. */
function isReadable(part: Part): boolean {
  if (part.as !== undefined || 'watch' in part) return false
  return !('flags' in part) || 'ttl' in part || createMode(part.flags)?.hasTtl !== true
}
