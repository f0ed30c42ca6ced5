/** What was due and did not run: the leader finds it, and says why. */
import type { ItemWord } from '../job-tree/item-word.ts'
import { isJavaInstance, serverOf } from '../job-tree/instance-id.ts'
import { availableInstances, isDead, isServerEnabled, type JobView } from '../job-tree/job-view.ts'
import { isPaused, noJobWord, resumedOn } from '../job-tree/job-word.ts'
import { longestLead } from '../registry/on-the-dot.ts'
import { ownerOf } from '../sharding/needs.ts'

/** Items that show no sign of having run at a time: their words decide. `marked`: when each was last claimed. */
export function silentItems(
  view: JobView,
  total: number,
  fireTime: number,
  marked: ReadonlyMap<number, number>,
): number[] {
  const silent: number[] = []
  for (let item = 0; item < total; item++) {
    const nodes = view.items.get(item)
    if (nodes?.disabled === true || nodes?.running === true) continue
    const owner = ownerOf(view, item) ?? ''
    // Java writes nothing down: of what it owns nobody can say that it did not run, unless it was not there.
    if (isJavaInstance(owner)) {
      if (wasAway(view, owner, fireTime)) silent.push(item)
      continue
    }
    // What is paused is not meant to run, nor is what was paused then.
    const word = view.word?.value ?? noJobWord
    const ip = serverOf(owner)
    if (isPaused(word, ip) || resumedOn(word, ip) >= fireTime) continue
    // It may be claimed that long before its time.
    if ((marked.get(item) ?? 0) < fireTime - longestLead) silent.push(item)
  }
  return silent
}

function wasAway(view: JobView, owner: string, time: number): boolean {
  const gap = view.gaps.get(owner)
  return gap !== undefined && gap.since < time && time <= gap.until
}

/** Whether an item's word says nothing about a time that has passed. */
export function isMissed(word: ItemWord | undefined, fireTime: number): boolean {
  if (word === undefined) return true
  if (word.fireTime >= fireTime || (word.since ?? 0) >= fireTime) return false
  // It was running then: that is a misfire, with rules of its own.
  const ranThen = word.begin <= fireTime && (word.end === 0 || word.end >= fireTime)
  return !ranThen
}

/** Why an item did not run, as far as anybody can see. */
export function reasonFor(view: JobView, item: number, fireTime: number): string {
  const owner = ownerOf(view, item)
  if (view.instances.size === 0) return 'no instance takes part in the job'
  if (availableInstances(view).length === 0) return 'all servers are disabled'
  if (view.failoverItems.has(item)) return 'its crashed run waits to be taken over'
  if (owner === undefined || view.items.get(item)?.hasOwner !== true) return 'it has no owner yet'
  if (isDead(view, owner)) return `its owner ${owner} is gone`
  if (!view.instances.has(owner)) return `its owner ${owner} is leaving`
  if (!isServerEnabled(view, serverOf(owner))) return `its owner ${owner} is disabled`
  if (wasAway(view, owner, fireTime)) return `its owner ${owner} was away then`
  if (view.necessary !== undefined) return 'the items are being dealt out anew'
  return `its owner ${owner} has not claimed it`
}
