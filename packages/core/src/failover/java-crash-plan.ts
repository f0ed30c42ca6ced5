/**
 * Runs of Java's that died with their instance. They have no state: a mark that persists is all that is left of them.
 * Java's own instances see to it at once; what they have not taken by the time the instance is dead for us is ours to
 * take.
 */
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
import { part, type TransactionPart } from '../registry/transaction.ts'

/**
 * The shards that a dead instance of Java's was running, or had taken over, and nobody has taken since. Without
 * failover what was taken over is not to be run, and only the mark of a run is in the way.
 */
export function crashedInJava(view: JobView, failover: boolean): number[] {
  if (!view.readsOwners) return []
  // A shard that waits for failover by Java's nodes alone is left to Java while a Java instance can take it.
  const isLeft = (shard: number): boolean => isJavaAbout(view) && view.failoverShards.has(shard)
  return [...view.shards]
    .filter(([shard, nodes]) => {
      const isTaken = nodes.failover !== undefined && !isDead(view, nodes.failover)
      const isMeant = failover || nodes.running
      return isMeant && !isTaken && !isLeft(shard) && runnerOf(view, nodes) !== undefined
    })
    .map(([shard]) => shard)
}

/** Who has left it unfinished. */
function runnerOf(view: JobView, { running, runner, failovering }: ShardNodes): string | undefined {
  const named = running ? runner : failovering
  return named !== undefined && isJavaInstance(named) && isDead(view, named) ? named : undefined
}

export interface JavaCrashSettings {
  /** Off: nobody takes it over, and its mark would silence the shard for ever. Java looks at it no more. */
  readonly failover: boolean
  readonly fires: FireTimes | undefined
  readonly now: number
  /** Our node in Java's latch, which we have to hold. */
  readonly latchNode: string
}

export interface JavaCrashPlan {
  readonly shardState: ShardState
  readonly operations: readonly TransactionPart[]
}

/**
 * The run waits for somebody to take it over, or is given up; undefined if the state says that one of ours is at it.
 */
export function planJavaCrash(
  view: JobView,
  { paths }: Member,
  shard: number,
  read: Versioned<ShardState> | undefined,
  { failover, fires, now, latchNode }: JavaCrashSettings,
): JavaCrashPlan | undefined {
  const nodes = view.shards.get(shard)
  const instance = nodes === undefined ? undefined : runnerOf(view, nodes)
  const before = read?.value ?? neverRun
  if (nodes === undefined || instance === undefined) return undefined
  if (before.state === 'running' && !isDead(view, before.instance)) return undefined
  // The last time before it went: which one it ran stands nowhere.
  const gone = view.absences.get(instance)?.since ?? now
  const fireTime = fires?.latestAtOrBefore(gone, before.fireTime) ?? before.fireTime
  // What came of an older run of ours says nothing of this one.
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
    // What is given up has not gone on until now: what was scheduled since is to be run.
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
