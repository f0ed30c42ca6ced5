/**
 * In mixed mode a claim is checked again before its run starts. Java deletes and recreates the owner node, so the
 * version of that node proves nothing. Java also checks none of the nodes that native instances write.
 */
import { isJavaInstance } from '../job-tree/instance-id.ts'
import type { Member } from '../job-tree/member.ts'
import { read, type ReadPart, type ReadResult, toText } from '../registry/transaction.ts'

/** The shard as the claim was planned. */
export interface ClaimedShard {
  readonly shard: number
  readonly ownerCzxid: bigint
  /** This instance runs the shard by turn, even if another instance owns it. */
  readonly byTurn: boolean
}

/** The reads that follow a committed claim. */
export function readsBehindClaim({ paths }: Member, { shard }: ClaimedShard): ReadPart[] {
  return [
    read.get(paths.owner(shard)),
    read.get(paths.necessary),
    read.get(paths.processing),
    read.get(paths.mark(shard, 'failover')),
    read.get(paths.nextInstanceIp),
  ]
}

/** Re-checks the owner, the resharding flags, the failover owner and the turn after the claim committed. */
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

/** The reads that follow the committed takeover of a crashed run. */
export function readsBehindTake({ paths }: Member): ReadPart[] {
  return [read.children(paths.instances), read.get(paths.necessary), read.get(paths.processing)]
}

/**
 * Whether a run that was taken over may start. `mixed`: the mode that the plan assumed. In native mode a Java instance
 * that joined since the plan would take the shard over a second time.
 */
export function takeStillHolds(
  [instances, necessary, processing]: readonly ReadResult[],
  mixed: boolean,
): boolean {
  if (instances === undefined || !('children' in instances)) return false
  if (!mixed) return !instances.children.some(isJavaInstance)
  return isAbsent(necessary) && isAbsent(processing)
}

/** A failed read does not prove that the node is absent. */
function isAbsent(result: ReadResult | undefined): boolean {
  return result !== undefined && 'error' in result && result.error.code === 'REGISTRY_NO_NODE'
}

function textOf(result: ReadResult | undefined): string | undefined {
  return result !== undefined && 'data' in result ? toText(result.data) : undefined
}
