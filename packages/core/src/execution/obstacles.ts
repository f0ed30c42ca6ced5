/** What keeps an item that is due from being run. */
import type { ItemWord } from '../job-tree/item-word.ts'
import { isDead, type ItemNodes, type JobView } from '../job-tree/job-view.ts'
import type { OwnedItem } from './plan.ts'

/** Why an item that is due cannot be claimed now; each of these ends with an event. */
export type Obstacle = 'disabled' | 'running' | 'waiting for failover' | 'taken over' | 'flagged'

/** What is in the way, as the replica shows it. */
export function obstacleTo(
  view: JobView,
  { item, word }: OwnedItem,
  { mixed, failover }: { readonly mixed: boolean; readonly failover: boolean },
): Obstacle | undefined {
  const nodes = view.items.get(item)
  if (nodes?.disabled === true) return 'disabled'
  if (view.failoverItems.has(item)) return 'waiting for failover'
  // A crashed run that nobody has turned over yet: a new claim would make it be forgotten.
  if (failover && word?.state === 'running' && isDead(view, word.instance)) {
    return 'waiting for failover'
  }
  if (nodes?.failover !== undefined && !isDead(view, nodes.failover)) return 'taken over'
  if (isRunning(view, nodes, word, mixed)) return 'running'
  // Java's leader waits for a moment in which nothing runs: it must come.
  if (mixed && (view.necessary !== undefined || view.processing)) return 'flagged'
  return undefined
}

/** The word speaks for runs of ours; a mark that it does not speak of is a run of somebody else. */
function isRunning(
  view: JobView,
  nodes: ItemNodes | undefined,
  word: ItemWord | undefined,
  mixed: boolean,
): boolean {
  if (word?.state === 'running' && !isDead(view, word.instance)) return true
  if (nodes?.running !== true) return false
  // Java's runs have no word: of them the mark says whose it is. A mark that nobody takes away would silence the item for ever.
  if (mixed) return nodes.runner === undefined || !isDead(view, nodes.runner)
  return word?.state !== 'running'
}
