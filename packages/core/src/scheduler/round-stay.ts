/** Between the runs of an instance and the listeners that are called once for all instances. */
import { roundOf } from '../execution/due.ts'
import type { ClaimedRun } from '../execution/run.ts'
import type { GuaranteeService, RoundCalls } from '../guarantee/service.ts'
import type { MultiShardingContext } from '../job-types/context.ts'
import { type JobListener, listenerDefaults } from '../job-types/job-listener.ts'

/** Runs that begin together, and are of one round. */
export interface RoundStay {
  /** Resolves when all items of the round may begin; rejects if something has to be said before. */
  begun(): Promise<void>
  /** The registry is about to know the end of the runs. */
  ended(): Promise<void>
}

export function isOncePerRound(listener: JobListener): boolean {
  return listener.beforeLastStarted !== undefined || listener.afterLastCompleted !== undefined
}

/** Runs of different times or triggers are of different rounds: each of them waits for its own. */
export function byRound(runs: readonly ClaimedRun[]): ClaimedRun[][] {
  const rounds = new Map<string, ClaimedRun[]>()
  for (const run of runs) {
    const { fireTime, round } = run.reference
    const key = `${fireTime} ${round ?? ''}`
    const known = rounds.get(key)
    if (known === undefined) rounds.set(key, [run])
    else known.push(run)
  }
  return [...rounds.values()]
}

/** Takes part in the round of the runs; `failed` is told of listeners that fail when all is over. */
export function enterRound(
  guarantee: GuaranteeService,
  runs: readonly ClaimedRun[],
  listeners: readonly JobListener[],
  context: MultiShardingContext,
  failed: (error: unknown) => void,
): RoundStay {
  const [{ reference, due }] = runs as readonly [ClaimedRun]
  const party = {
    time: reference.fireTime,
    round: roundOf(due),
    items: runs.map(({ item }) => item),
    signals: runs.map(({ abort }) => abort.signal),
  }
  const stay = guarantee.enter(party, callsOf(listeners, context, failed))
  // Asked for before they end, so that it cannot be missed.
  const ends = Promise.all(runs.map((run) => run.recorded()))
  return {
    begun: () => stay.begun(),
    ended: async () => {
      const areOver = await ends
      await stay.ended(party.items.filter((_, index) => areOver[index]))
    },
  }
}

function callsOf(
  listeners: readonly JobListener[],
  context: MultiShardingContext,
  failed: (error: unknown) => void,
): RoundCalls {
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
  const times = listeners.map((listener) => listener[key] ?? listenerDefaults[key])
  return times.length === 0 ? listenerDefaults[key] : Math.max(...times)
}
