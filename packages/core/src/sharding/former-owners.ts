/**
 * In a mixed job: who owned each shard before its present owner. Nobody reports what a shard of ours has missed when it
 * goes to Java, and a Java leader moves shards without a note of what they have run; whoever has seen that a leader of
 * ours gave the shard to one of ours knows that its state says all.
 */
import { hasJavaLeader } from '../election/deputy.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import type { JobView } from '../job-tree/job-view.ts'

/** A shard of ours that Java owns from now on. */
export interface LostShard {
  readonly shard: number
  /** Java runs what is scheduled from then on. */
  readonly since: number
}

interface SeenOwner {
  readonly instance: string
  /** Whether it is one of ours, and a leader of ours has given the shard to it. */
  readonly isGiven: boolean
}

export class FormerOwners {
  readonly #owners = new Map<number, SeenOwner>()
  readonly #former = new Map<number, SeenOwner>()

  /** What was not seen is not known. */
  clear(): void {
    this.#owners.clear()
    this.#former.clear()
  }

  /** Looks at the owners as they are; answers the shards that went from ours to Java since the last look. */
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
      // The next leader of ours writes its assignment with the move: whose the shard was has to be seen before that.
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

  /** Whether the shard was, before its present owner, given to one of ours by a leader of ours. */
  isStateWhole(shard: number): boolean {
    return this.#former.get(shard)?.isGiven === true
  }
}

/** A Java leader leaves our assignment as it was: what it moves, it may move back to whom that names. */
function isGivenTo(view: JobView, shard: number, instance: string, isSeenBefore: boolean): boolean {
  const assignment = view.assignment?.value
  if (assignment === undefined || assignment.digest === '' || isJavaInstance(instance)) return false
  if (isSeenBefore && hasJavaLeader(view)) return false
  return assignment.owners[shard] === instance
}
