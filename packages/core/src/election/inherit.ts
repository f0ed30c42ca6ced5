/**
 * The assignment that a new leader starts with. A Java leader assigns shards without updating the stored assignment. A
 * native leader that trusted the stored assignment after a Java leader would attribute shards to the wrong instances.
 */
import { type StoredAssignment, noAssignment } from '../job-tree/stored-assignment.ts'
import type { JobView } from '../job-tree/job-view.ts'

export function inheritedAssignment(view: JobView): StoredAssignment {
  const assignment = view.assignment?.value ?? noAssignment
  const owners = [...assignment.owners]
  let agrees = true
  for (const [shard, { hasOwner, owner }] of view.shards) {
    if (!hasOwner || owner === undefined || owner.instance === owners[shard]) continue
    owners[shard] = owner.instance
    agrees = false
  }
  // No digest: no native leader has made this assignment, so the shards have to be assigned again.
  return agrees ? assignment : { digest: '', owners: Array.from(owners), moving: new Map() }
}
