/** What nobody owns: marks without a run, flags without effect, wishes to the dead. The leader clears it. */
import { part, type TransactionPart } from '@elasticjob/zookeeper'

import { leaderChecks } from '../election/plan.ts'
import { encodeItemWord, type ItemWord, neverRun } from '../job-tree/item-word.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { isDead, type JobView, type Versioned } from '../job-tree/job-view.ts'
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

export interface RepairSettings {
  readonly total: number
  readonly failover: boolean
}

/**
 * While nobody of Java's is about: until then Java's marks are Java's to clear. `words`: of the items that
 * looked suspicious, undefined for one that has none.
 */
export function planRepairs(
  view: JobView,
  me: Member,
  { total, failover }: RepairSettings,
  words: ReadonlyMap<number, Versioned<ItemWord> | undefined>,
): Repair[] {
  const { paths } = me
  const checks = leaderChecks(view, me)
  const repairs: Repair[] = []
  const mend = (what: string, operations: readonly TransactionPart[]): void => {
    repairs.push({ what, operations: [...checks, ...operations] })
  }
  for (const [item, word] of words) {
    const marks = leftMarks(view, item, word?.value ?? neverRun, failover)
    if (marks.length === 0) continue
    mend(`marks of item ${item} without a run: ${marks.join(', ')}`, [
      keepWord(me, item, word),
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

/** As it is: a claim that is under way would be lost together with its mark otherwise. */
function keepWord(
  { paths, make }: Member,
  item: number,
  word: Versioned<ItemWord> | undefined,
): TransactionPart {
  const path = paths.itemWord(item)
  if (word === undefined) return make.persistent(path, encodeItemWord(neverRun))
  return part.set(path, encodeItemWord(word.value), word.version)
}

/** The marks of an item whose word speaks of no run that anybody has to end. */
function leftMarks(
  view: JobView,
  item: number,
  word: ItemWord,
  failover: boolean,
): ('running' | 'failover' | 'failovering')[] {
  const nodes = view.items.get(item)
  if (nodes === undefined) return []
  // One that goes on keeps its marks, and a crashed one is failover's business.
  if (word.state === 'running' && (failover || !isDead(view, word.instance))) return []
  const left: ('running' | 'failover' | 'failovering')[] = []
  if (nodes.running) left.push('running')
  for (const mark of ['failover', 'failovering'] as const) {
    if (nodes[mark] !== undefined && (isDead(view, nodes[mark]) || !nodes.running)) left.push(mark)
  }
  return left
}
