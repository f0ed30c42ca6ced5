/**
 * What a new leader begins with. Java's leaders assign shards without an entry in the epoch node: one of ours that came
 * after them and believed it would take everybody's shards for somebody else's.
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
  // Without a digest: nobody of ours has assigned them in this way, so it has to be done anew.
  return agrees ? assignment : { digest: '', owners: Array.from(owners), moving: new Map() }
}
