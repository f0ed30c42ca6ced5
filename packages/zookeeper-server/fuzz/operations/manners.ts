import { opCode } from '@elasticjob/zookeeper/protocol'
import { createMode } from '../../src/request/create-mode.ts'
import { typeOf } from './encode.ts'
import type { Part, Request } from './operation.ts'

const known: ReadonlySet<number> = new Set(Object.values(opCode).filter((type) => type !== -1))

/** Whether the connection is closed after the answer. */
export function isLast(request: Request): boolean {
  return request.do === 'closeSession' || !known.has(typeOf(request))
}

/** Whether it is answered when it is read, before the requests that came earlier and still wait. */
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
 * Whether what becomes of the next write depends on how far the real server has got with this one.
 * It decides on a write by what those before will have done, but forgets about new access control
 * lists, takes a container for what its flags say, and believes in the first parts of a multi of
 * which it cannot read a later one.
 */
export function isUnsteady(request: Request): boolean {
  if (request.damage !== undefined || request.do === 'setAcl') return true
  if (request.do === 'multi') return !request.parts.every(isReadable)
  return request.do === 'createContainer' && createMode(request.flags)?.isEphemeral === true
}

/** A read has no place in a multi, and a node with a time to live needs a request that has one. */
function isReadable(part: Part): boolean {
  if (part.as !== undefined || 'watch' in part) return false
  return !('flags' in part) || 'ttl' in part || createMode(part.flags)?.hasTtl !== true
}
