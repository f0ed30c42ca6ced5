import { type Duration, millisecondsOf } from '../config/duration.ts'
import { ConfigurationError } from '../errors.ts'
import type { MultiShardingContext } from './context.ts'

/**
 * Somebody who is told of the runs of a job: of those that begin together on an instance, and, once for all instances,
 * of whole runs. A run is one scheduled time, or one trigger, of all enabled shards.
 */
export interface JobListener {
  /** The name by which a job asks for it, in `jobListenerTypes`. */
  readonly type: string
  /**
   * Listeners are told in ascending order, before and after.
   * @default 2147483647
   */
  readonly order?: number
  /**
   * How long shards wait for the others of their run before they begin without them.
   * Of several listeners the longest counts.
   * @default '30s'
   */
  readonly startedTimeout?: Duration
  /**
   * When it is told, by `barrier:timed-out`, that a run has not ended although the shards here have. No
   * shard waits meanwhile.
   * @default '1h'
   */
  readonly completedTimeout?: Duration
  /**
   * Called before the first of the shards that begin here together. If it fails, the error goes to the job's error
   * handler, and the shards run all the same; with THROW they do not.
   */
  beforeJobExecuted?(context: MultiShardingContext): Promise<void> | void
  /** Called when the last of them has ended, however. */
  afterJobExecuted?(context: MultiShardingContext): Promise<void> | void
  /**
   * Called on one instance when the last shard of a run is about to begin; all of them wait for its end. If it fails,
   * or not all shards come within `startedTimeout`, it is as if `beforeJobExecuted` had failed, on every instance.
   * Java: `doBeforeJobExecutedAtLastStarted`.
   */
  beforeLastStarted?(context: MultiShardingContext): Promise<void> | void
  /** Called on one instance when the last shard of a run has ended. Java: `doAfterJobExecutedAtLastCompleted`. */
  afterLastCompleted?(context: MultiShardingContext): Promise<void> | void
}

/** What holds for a listener that says nothing else. */
export const listenerDefaults: Readonly<{
  order: number
  startedTimeout: number
  completedTimeout: number
}> = Object.freeze({
  // Java's order for a listener that has no wish.
  order: 2 ** 31 - 1,
  startedTimeout: 30_000,
  completedTimeout: 3_600_000,
})

/** The listeners that jobs can ask for by name. */
export class JobListeners {
  readonly #listeners = new Map<string, JobListener>()

  constructor(listeners: readonly JobListener[] = []) {
    for (const listener of listeners) {
      if (this.#listeners.has(listener.type)) {
        throw refused(`there are two listeners "${listener.type}"`)
      }
      for (const key of ['startedTimeout', 'completedTimeout'] as const) {
        requireTime(listener.type, key, listener[key] ?? listenerDefaults[key])
      }
      this.#listeners.set(listener.type, listener)
    }
  }

  /** The listeners of these names, in their order. A name that nobody knows is an error. */
  get(types: readonly string[]): readonly JobListener[] {
    return types.map((type) => this.#find(type)).toSorted((a, b) => orderOf(a) - orderOf(b))
  }

  #find(type: string): JobListener {
    const listener = this.#listeners.get(type)
    if (listener !== undefined) return listener
    const known = [...this.#listeners.keys()].join(', ') || 'none'
    throw refused(`there is no listener "${type}"; there are ${known}`)
  }
}

function orderOf({ order = listenerDefaults.order }: JobListener): number {
  return order
}

/** Beyond it Node's timers do not count. */
const longestTime = 2 ** 31 - 1

function requireTime(type: string, key: string, duration: Duration): void {
  const time = millisecondsOf(duration)
  if (Number.isInteger(time) && time >= 1 && time <= longestTime) return
  throw refused(
    `${key} of listener "${type}" must be from 1 to ${longestTime} milliseconds, not ${duration}; ` +
      '0 is for ever in Java; here an instance that is gone would keep all others waiting',
  )
}

function refused(message: string): ConfigurationError {
  return new ConfigurationError('the job listener', [{ key: 'jobListenerTypes', message }])
}
