/** Connects the runs of an instance with the listeners that are called once for all instances. */
import { millisecondsOf } from '../config/duration.ts'
import { manualRunOf } from '../fire-times/due.ts'
import type { ClaimedRun } from '../execution/run.ts'
import type { BarrierService, BarrierCalls } from '../barrier/service.ts'
import type { MultiShardingContext } from '../job-types/context.ts'
import { type JobListener, listenerDefaults } from '../job-types/job-listener.ts'

/** Runs of one instance that start together and belong to one barrier. */
export interface BarrierRuns {
  /** Resolves when all shards of the run may start; rejects if they may not start together. */
  begun(): Promise<void>
  /** Call when the registry is about to store the end of the runs. */
  ended(): Promise<void>
}

export function isOncePerRun(listener: JobListener): boolean {
  return listener.beforeLastStarted !== undefined || listener.afterLastCompleted !== undefined
}

/** Groups runs by fire time and manual run: each group waits at its own barrier. */
export function byBarrier(runs: readonly ClaimedRun[]): ClaimedRun[][] {
  const rounds = new Map<string, ClaimedRun[]>()
  for (const run of runs) {
    const { fireTime, manualRun } = run.reference
    const key = `${fireTime} ${manualRun ?? ''}`
    const known = rounds.get(key)
    if (known === undefined) rounds.set(key, [run])
    else known.push(run)
  }
  return [...rounds.values()]
}

/** Enters the barrier of the runs. `failed` receives the errors of `afterLastCompleted` listeners. */
export function enterBarrier(
  barrier: BarrierService,
  runs: readonly ClaimedRun[],
  listeners: readonly JobListener[],
  context: MultiShardingContext,
  failed: (error: unknown) => void,
): BarrierRuns {
  const [{ reference, due }] = runs as readonly [ClaimedRun]
  const arrival = {
    time: reference.fireTime,
    manualRun: manualRunOf(due),
    shards: runs.map(({ shard }) => shard),
    signals: runs.map(({ abort }) => abort.signal),
  }
  const pass = barrier.enter(arrival, callsOf(listeners, context, failed))
  // Requested before the runs end, so that no end is missed.
  const ends = Promise.all(runs.map((run) => run.recorded()))
  return {
    begun: () => pass.begun(),
    ended: async () => {
      const areOver = await ends
      await pass.ended(arrival.shards.filter((_, index) => areOver[index]))
    },
  }
}

function callsOf(
  listeners: readonly JobListener[],
  context: MultiShardingContext,
  failed: (error: unknown) => void,
): BarrierCalls {
  const before = listeners.filter((listener) => listener.beforeLastStarted !== undefined)
  const after = listeners.filter((listener) => listener.afterLastCompleted !== undefined)
  return {
    started: {
      timeout: longest(before, 'startedTimeout'),
      act:
        before.length === 0
          ? undefined
          : async () => {
              for (const listener of before) await listener.beforeLastStarted?.(context)
            },
    },
    completed: {
      timeout: longest(after, 'completedTimeout'),
      act:
        after.length === 0
          ? undefined
          : async () => {
              for (const listener of after) {
                try {
                  await listener.afterLastCompleted?.(context)
                } catch (error) {
                  failed(error)
                }
              }
            },
    },
  }
}

function longest(
  listeners: readonly JobListener[],
  key: 'startedTimeout' | 'completedTimeout',
): number {
  const times = listeners.map((listener) => millisecondsOf(listener[key] ?? listenerDefaults[key]))
  return times.length === 0 ? listenerDefaults[key] : Math.max(...times)
}
