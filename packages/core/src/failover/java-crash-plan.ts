/**
 * Crashed runs of Java instances. They have no shard state; only a persistent mark is left. Java instances take them
 * over at once. A native instance takes the remaining ones when the Java instance counts as dead.
 */
import type { ShardPlan } from '../execution/plan.ts'
import type { FireTimes } from '../fire-times/due.ts'
import { isJavaInstance } from '../job-tree/instance-id.ts'
import { encodeShardState, type ShardState, neverRun } from '../job-tree/shard-state.ts'
import {
  isDead,
  isJavaAbout,
  type ShardNodes,
  type JobView,
  type Versioned,
} from '../job-tree/job-view.ts'
import type { Member } from '../job-tree/member.ts'
import { part } from '../registry/transaction.ts'

/**
 * The shards that a dead Java instance ran or had taken over, and that no instance has taken since. Without failover a
 * takeover is not repeated, and only the running mark blocks the shard.
 */
export function crashedInJava(view: JobView, failover: boolean): number[] {
  if (!view.readsOwners) return []
  // A shard that already waits for failover is left to Java while a Java instance can take it.
  const isLeft = (shard: number): boolean => isJavaAbout(view) && view.failoverShards.has(shard)
  return [...view.shards]
    .filter(([shard, nodes]) => {
      const isTaken = nodes.failover !== undefined && !isDead(view, nodes.failover)
      const isMeant = failover || nodes.running
      return isMeant && !isTaken && !isLeft(shard) && runnerOf(view, nodes) !== undefined
    })
    .map(([shard]) => shard)
}

/** The dead Java instance that left the run unfinished. */
function runnerOf(view: JobView, { running, runner, failovering }: ShardNodes): string | undefined {
  const named = running ? runner : failovering
  return named !== undefined && isJavaInstance(named) && isDead(view, named) ? named : undefined
}

export interface JavaCrashSettings {
  /** If off, no instance takes the run over. Java ignores its mark, which would block the shard forever. */
  readonly failover: boolean
  readonly fires: FireTimes | undefined
  readonly now: number
  /** The node of this instance in Java's latch. This instance has to hold the latch. */
  readonly latchNode: string
}

/** Marks the crashed run for failover, or abandons it. Undefined if the shard state shows a live native run. */
export function planJavaCrash(
  view: JobView,
  { paths }: Member,
  shard: number,
  read: Versioned<ShardState> | undefined,
  { failover, fires, now, latchNode }: JavaCrashSettings,
): ShardPlan | undefined {
  const nodes = view.shards.get(shard)
  const instance = nodes === undefined ? undefined : runnerOf(view, nodes)
  const before = read?.value ?? neverRun
  if (nodes === undefined || instance === undefined) return undefined
  if (before.state === 'running' && !isDead(view, before.instance)) return undefined
  // The last fire time before the Java instance disappeared. No node records which fire time it ran.
  const gone = view.absences.get(instance)?.since ?? now
  const fireTime = fires?.latestAtOrBefore(gone, before.fireTime) ?? before.fireTime
  // The outcome of an older native run says nothing about this run.
  const { outcome: _, error: __, ...known } = before
  const shardState: ShardState = {
    ...known,
    state: failover ? 'crashed' : 'abandoned',
    run: '',
    instance,
    source: 'cron',
    fireTime,
    attempt: 1,
    begin: fireTime,
    // An abandoned run ends at its fire time and not now, so that fire times since then are still due.
    end: failover ? now : fireTime,
  }
  const path = paths.shardState(shard)
  const left = (['running', 'failover', 'failovering'] as const).filter((mark) =>
    mark === 'running' ? nodes.running : nodes[mark] !== undefined,
  )
  return {
    shardState,
    operations: [
      part.check(latchNode),
      read === undefined
        ? part.create(path, encodeShardState(shardState))
        : part.set(path, encodeShardState(shardState), read.version),
      ...left.map((mark) => part.delete(paths.mark(shard, mark))),
      ...(!failover || view.failoverShards.has(shard)
        ? []
        : [part.create(paths.failoverShard(shard))]),
    ],
  }
}
