/**
 * In a mixed job a claim is looked at once more before its run starts. Java deletes and creates the
 * owner's node, so that its version proves nothing, and checks nothing of what we have written.
 */
import { type MultiReadResult, read, type ReadPart, toText } from '@elasticjob/zookeeper'

import { isJavaInstance } from '../job-tree/instance-id.ts'
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

/** What is read behind the taking over of a crashed run. */
export function readsBehindTake({ paths }: Member): ReadPart[] {
  return [read.children(paths.instances), read.get(paths.necessary), read.get(paths.processing)]
}

/**
 * Whether a run that was taken over may begin. `mixed`: as the plan took the job to be. In one that was
 * pure, a Java instance that has joined meanwhile would take the item over once more.
 */
export function takeStillHolds(
  [instances, necessary, processing]: readonly MultiReadResult[],
  mixed: boolean,
): boolean {
  if (instances === undefined || !('children' in instances)) return false
  if (!mixed) return !instances.children.some(isJavaInstance)
  return isAbsent(necessary) && isAbsent(processing)
}

/** Unknown is not absent. */
function isAbsent(result: MultiReadResult | undefined): boolean {
  return result !== undefined && 'error' in result && result.error.code === 'ZK_NO_NODE'
}

function textOf(result: MultiReadResult | undefined): string | undefined {
  return result !== undefined && 'data' in result ? toText(result.data) : undefined
}
