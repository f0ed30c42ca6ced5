/**
 * In a mixed job a claim is looked at once more before its run starts. Java deletes and creates the
 * owner's node, so that its version proves nothing, and checks nothing of what we have written.
 */
import { isJavaInstance } from '../job-tree/instance-id.ts'
import type { Member } from '../job-tree/member.ts'
import { read, type ReadPart, type ReadResult, toText } from '../registry/transaction.ts'

/** What the claim was planned on. */
export interface ClaimedShard {
  readonly shard: number
  readonly ownerCzxid: bigint
  /** It is our turn, whoever owns the shard. */
  readonly byTurn: boolean
}

/** What is read behind a claim. */
export function readsBehindClaim({ paths }: Member, { shard }: ClaimedShard): ReadPart[] {
  return [
    read.get(paths.owner(shard)),
    read.get(paths.necessary),
    read.get(paths.processing),
    read.get(paths.mark(shard, 'failover')),
    read.get(paths.nextInstanceIp),
  ]
}

/** Whether owner, flags and takers are as they were. */
export function stillHolds(
  { instance, ip }: Member,
  { ownerCzxid, byTurn }: ClaimedShard,
  [owner, necessary, processing, failover, turn]: readonly ReadResult[],
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
 * Whether a run that was taken over may begin. `mixed`: as the plan took the job to be. In one that was pure, a Java
 * instance that has joined meanwhile would take the shard over once more.
 */
export function takeStillHolds(
  [instances, necessary, processing]: readonly ReadResult[],
  mixed: boolean,
): boolean {
  if (instances === undefined || !('children' in instances)) return false
  if (!mixed) return !instances.children.some(isJavaInstance)
  return isAbsent(necessary) && isAbsent(processing)
}

/** Unknown is not absent. */
function isAbsent(result: ReadResult | undefined): boolean {
  return result !== undefined && 'error' in result && result.error.code === 'REGISTRY_NO_NODE'
}

function textOf(result: ReadResult | undefined): string | undefined {
  return result !== undefined && 'data' in result ? toText(result.data) : undefined
}
