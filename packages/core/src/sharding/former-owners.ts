/**
 * Tracks the previous owner of each shard in mixed mode. When a native instance loses a shard to Java, no later owner
 * reports the fire times that the shard missed. When a Java leader moves a shard, it records no fire times that the
 * shard has run. The shard state is complete only if a native leader assigned the shard to a native instance; an
 * instance knows that only if it has seen the assignment.
 */
import { hasJavaLeader } from '../election/deputy.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'

/** A shard that moved from a native instance to a Java instance. */
export interface LostShard {
  readonly shard: number
  /** Java runs the fire times from this moment on. */
  readonly since: number
}

interface SeenOwner {
  readonly instance: string
  /** Whether the owner is a native instance and a native leader assigned the shard to it. */
  readonly isGiven: boolean
}

export class FormerOwners {
  readonly #owners = new Map<number, SeenOwner>()
  readonly #former = new Map<number, SeenOwner>()

  /** Forgets all owners: an owner that this instance has not seen is unknown. */
  clear(): void {
    this.#owners.clear()
    this.#former.clear()
  }

  /** Records the present owners; returns the shards that moved from native to Java instances since the last call. */
  follow(view: JobView, now: number): LostShard[] {
    if (!view.readsOwners) {
      this.clear()
      return []
    }
    const lost: LostShard[] = []
    for (const [shard, { owner }] of view.shards) {
      if (owner === undefined) continue
      const { instance } = owner
      const before = this.#owners.get(shard)
      const isMoved = before?.instance !== instance
      // The next native leader overwrites the assignment together with the move, so the owner has to be recorded before
      // that.
      if (isMoved || !before.isGiven) {
        const isGiven = isGivenTo(view, shard, instance, before !== undefined)
        this.#owners.set(shard, { instance, isGiven })
      }
      if (before === undefined || !isMoved) continue
      this.#former.set(shard, before)
      if (isJavaInstance(instance) && before.isGiven) {
        lost.push({ shard, since: view.lastFlag ?? now })
      }
    }
    return lost
  }

  /** Whether a native leader assigned the shard to its previous owner, a native instance. */
  isStateWhole(shard: number): boolean {
    return this.#former.get(shard)?.isGiven === true
  }
}

/** A Java leader does not update the assignment. It may move a shard back to the owner that the assignment names. */
function isGivenTo(view: JobView, shard: number, instance: string, isSeenBefore: boolean): boolean {
  const assignment = view.assignment?.value
  if (assignment === undefined || assignment.digest === '' || isJavaInstance(instance)) return false
  if (isSeenBefore && hasJavaLeader(view)) return false
  return assignment.owners[shard] === instance
}
