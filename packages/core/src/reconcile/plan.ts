/** What nobody owns: marks without a run, flags without effect, wishes to the dead. The leader clears it. */
import { part, type TransactionPart } from '@elasticjob/zookeeper'

import { leaderChecks } from '../election/plan.ts'
import { encodeItemWord, type ItemWord } from '../job-tree/item-word.ts'
import { isDead, isJavaInstance, type JobView, type Versioned } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'

/** One thing that was found, and how it is mended: as one transaction, or not at all. */
export interface Repair {
  readonly what: string
  readonly operations: readonly TransactionPart[]
}

/** Items with a mark that may be nobody's: their words decide. */
export function suspiciousItems(view: JobView): number[] {
  return [...view.items]
    .filter(([, { running, failover, failovering }]) => {
      return running || failover !== undefined || failovering !== undefined
    })
    .map(([item]) => item)
}

/** Of a pure job; in a mixed one Java's marks are Java's to clear. */
export function planRepairs(
  view: JobView,
  me: Member,
  total: number,
  words: ReadonlyMap<number, Versioned<ItemWord>>,
): Repair[] {
  const { paths } = me
  const checks = leaderChecks(view, me)
  const repairs: Repair[] = []
  const mend = (what: string, operations: readonly TransactionPart[]): void => {
    repairs.push({ what, operations: [...checks, ...operations] })
  }
  for (const [item, word] of words) {
    const marks = leftMarks(view, item, word.value)
    if (marks.length === 0) continue
    mend(`marks of item ${item} without a run: ${marks.join(', ')}`, [
      // Set as it is: a claim that is under way would be lost together with its mark otherwise.
      part.set(paths.itemWord(item), encodeItemWord(word.value), word.version),
      ...marks.map((mark) => part.delete(paths.mark(item, mark))),
    ])
  }
  for (const item of view.failoverItems) {
    if (item < total) continue
    mend(`a crashed run of item ${item}, which does not exist any more`, [
      part.delete(paths.failoverItem(item)),
    ])
  }
  for (const instance of view.triggers.keys()) {
    if (isJavaInstance(instance) || view.instances.has(instance)) continue
    mend(`a trigger for ${instance}, which is gone`, [part.delete(paths.trigger(instance))])
  }
  if (view.processing) {
    mend('the flag of a resharding that nobody is doing', [part.delete(paths.processing)])
  }
  return repairs
}

/** The marks of an item whose word speaks of no run. */
function leftMarks(
  view: JobView,
  item: number,
  word: ItemWord,
): ('running' | 'failover' | 'failovering')[] {
  const nodes = view.items.get(item)
  // A crashed run is failover's business, and one that goes on keeps its marks.
  if (nodes === undefined || word.state === 'running') return []
  const left: ('running' | 'failover' | 'failovering')[] = []
  if (nodes.running) left.push('running')
  for (const mark of ['failover', 'failovering'] as const) {
    if (nodes[mark] !== undefined && (isDead(view, nodes[mark]) || !nodes.running)) left.push(mark)
  }
  return left
}
