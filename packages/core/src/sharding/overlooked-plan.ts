/**
 * A Java leader may lose a request for resharding: it drops what it hears while it does not know yet
 * that it leads, and nobody repeats it. One of ours, who sees that something is wrong for a while,
 * raises the flag; Java obeys it, whoever raised it.
 */
import { hasJavaLeader, ourCandidates } from '../election/deputy.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { availableInstances, type JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { isOrphan, ownerOf } from './needs.ts'

/** How long a Java leader gets to see it, in milliseconds. */
const javaWait = 5000
/** How far apart instances of ours try. */
const apart = 200

/** Those of Java's strategies that give everybody something, if there is enough. */
const fair: ReadonlySet<string> = new Set([
  'AVG_ALLOCATION',
  'ODEVITY',
  'ROUND_ROBIN',
  'SINGLE_SHARDING_BALANCE',
])

export interface OverlookedSettings {
  readonly total: number
  readonly strategy: string
  readonly staticSharding: boolean
}

/** What a Java leader should have seen. */
export interface OverlookedNeed {
  readonly reason: 'shard without owner' | 'instance without shards' | 'flag left behind'
  /** Stands for the situation: a strategy of Java's own may want it so, and is asked only once. */
  readonly key: string
}

export function overlookedNeed(
  view: JobView,
  settings: OverlookedSettings,
): OverlookedNeed | undefined {
  if (!hasJavaLeader(view) || view.necessary !== undefined) return undefined
  const available = availableInstances(view)
  if (available.length === 0) return undefined
  const { total, strategy, staticSharding } = settings
  // A leader that was deposed in the middle leaves it, and Java's followers wait for its end.
  if (view.processing) return { reason: 'flag left behind', key: 'processing' }
  const present = new Set(available)
  const owners = new Set<string>()
  for (let shard = 0; shard < total; shard++) {
    if (isOrphan(view, shard, present))
      return { reason: 'shard without owner', key: `shard ${shard}` }
    owners.add(ownerOf(view, shard) ?? '')
  }
  if (staticSharding || total < available.length || !fair.has(strategy.toUpperCase())) {
    return undefined
  }
  const idle = available.some((instance) => !owners.has(instance))
  return idle ? { reason: 'instance without shards', key: available.join() } : undefined
}

export type OverlookedDecision =
  | { readonly do: 'wait'; readonly until: number }
  | { readonly do: 'flag'; readonly operations: readonly TransactionPart[] }

/** `since`: when this instance saw it first. By rank: the flag is raised once. */
export function planReminder(
  view: JobView,
  me: Member,
  now: number,
  since: number,
): OverlookedDecision | undefined {
  const rank = whoReminds(view).indexOf(me.instance)
  if (rank === -1) return undefined
  const until = since + javaWait + rank * apart
  if (now < until) return { do: 'wait', until }
  const { paths } = me
  return {
    do: 'flag',
    operations: [part.check(paths.instance(me.instance)), part.create(paths.necessary)],
  }
}

/**
 * Those who may lead come first. One that is disabled may be the only one of ours, and what it owns is nobody's
 * until a Java leader, who came to lead by that very disable, hears of it.
 */
function whoReminds(view: JobView): string[] {
  const mayLead = ourCandidates(view)
  const others = [...view.instances].filter(
    (instance) => !isJavaInstance(instance) && !mayLead.includes(instance),
  )
  return [...mayLead, ...others.toSorted()]
}
