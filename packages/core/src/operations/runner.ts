import type { ItemWord } from '../job-tree/item-word.ts'
import { isDead, type JobView, type Versioned } from '../job-tree/job-view.ts'
import { ownerOf } from '../sharding/needs.ts'

/** What is known of a job and of its runs. */
export interface RunsOfJob {
  readonly view: JobView
  readonly words: ReadonlyMap<number, Versioned<ItemWord>>
}

/**
 * The instance that runs an item now; undefined if nobody does. The word speaks for runs of ours, the
 * mark for those of Java. A mark of somebody who is gone is no run.
 */
export function runnerOf({ view, words }: RunsOfJob, item: number): string | undefined {
  const word = words.get(item)?.value
  if (word?.state === 'running' && !isDead(view, word.instance)) return word.instance
  const nodes = view.items.get(item)
  if (nodes?.running !== true) return undefined
  // Where nobody of Java's is about, the mark is that of the run that the word speaks of.
  if (!view.readsOwners && word?.state === 'running') return undefined
  // Those of Java up to 3.0.1 and of 2.x name nobody: then it is the owner's.
  const runner = nodes.runner || ownerOf(view, item)
  return runner === undefined || isDead(view, runner) ? undefined : runner
}
