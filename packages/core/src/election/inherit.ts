/**
 * What a new leader begins with. Java's leaders deal items out without a word in the epoch: one of ours
 * that came after them and believed it would take everybody's items for somebody else's.
 */
import { type Epoch, noEpoch } from '../job-tree/epoch.ts'
import type { JobView } from '../job-tree/job-view.ts'

export function inheritedEpoch(view: JobView): Epoch {
  const epoch = view.epoch?.value ?? noEpoch
  const owners = [...epoch.owners]
  let agrees = true
  for (const [item, { hasOwner, owner }] of view.items) {
    if (!hasOwner || owner === undefined || owner.instance === owners[item]) continue
    owners[item] = owner.instance
    agrees = false
  }
  // Without a digest: nobody of ours has dealt them out in this way, so it has to be done anew.
  return agrees ? epoch : { digest: '', owners: Array.from(owners), moving: new Map() }
}
