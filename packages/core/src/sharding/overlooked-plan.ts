/**
 * A Java leader may lose a request for resharding: it drops events that arrive before it knows that it leads, and
 * nothing repeats them. A native instance that sees the same problem for a while raises the flag. Java acts on the flag
 * whichever instance raised it.
 */
import { hasJavaLeader, ourCandidates } from '../election/deputy.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { availableInstances, type JobView } from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { part, type TransactionPart } from '../registry/transaction.ts'
import { isOrphan, ownerOf } from './needs.ts'

/** How long a Java leader has to react, in milliseconds. */
const javaWait = 5000
/** The delay between the attempts of two native instances. */
const apart = 200

/** Java's strategies that give every instance a shard if there are enough. */
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

/** A change that a Java leader should have acted on. */
export interface OverlookedNeed {
  readonly reason: 'shard without owner' | 'instance without shards' | 'flag left behind'
  /** Identifies the situation. A custom Java strategy may intend it, so each situation is requested only once. */
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
  // A leader that was deposed during a resharding leaves the flag, and Java's followers wait for it.
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

/**
 * `since`: when this instance first saw the need. Instances try in the order of their rank, so that the flag is raised
 * once.
 */
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
 * Candidates for leadership come first. A disabled instance may be the only native one. Its shards have no valid owner
 * until the Java leader reshards, and a Java leader that was elected because of this very disable has dropped the
 * event.
 */
function whoReminds(view: JobView): string[] {
  const mayLead = ourCandidates(view)
  const others = [...view.instances].filter(
    (instance) => !isJavaInstance(instance) && !mayLead.includes(instance),
  )
  return [...mayLead, ...others.toSorted()]
}
