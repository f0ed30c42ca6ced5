/**
 * In a mixed job a claim is looked at once more before its run starts. Java deletes and creates the
 * owner's node, so that its version proves nothing, and checks nothing of what we have written.
 */
import { type MultiReadResult, read, type ReadPart, toText } from '@elasticjob/zookeeper'

import type { Member } from '../job-tree/member.ts'

/** What the claim was planned on. */
export interface ClaimedItem {
  readonly item: number
  readonly ownerCzxid: bigint
  /** It is our turn, whoever owns the item. */
  readonly byTurn: boolean
}

/** What is read behind a claim. */
export function readsBehindClaim({ paths }: Member, { item }: ClaimedItem): ReadPart[] {
  return [
    read.get(paths.owner(item)),
    read.get(paths.necessary),
    read.get(paths.processing),
    read.get(paths.mark(item, 'failover')),
    read.get(paths.nextInstanceIp),
  ]
}

/** Whether owner, flags and takers are as they were. */
export function stillHolds(
  { instance, ip }: Member,
  { ownerCzxid, byTurn }: ClaimedItem,
  [owner, necessary, processing, failover, turn]: readonly MultiReadResult[],
): boolean {
  if (owner === undefined || !('data' in owner) || owner.stat.czxid !== ownerCzxid) return false
  if (!isAbsent(necessary) || !isAbsent(processing)) return false
  if (!isAbsent(failover) && textOf(failover) !== instance) return false
  return byTurn ? textOf(turn) === ip : toText(owner.data) === instance
}

/** Unknown is not absent. */
function isAbsent(result: MultiReadResult | undefined): boolean {
  return result !== undefined && 'error' in result && result.error.code === 'ZK_NO_NODE'
}

function textOf(result: MultiReadResult | undefined): string | undefined {
  return result !== undefined && 'data' in result ? toText(result.data) : undefined
}
