import { type Duration, millisecondsOf } from '../config/duration.ts'
import { ConfigurationError } from '../errors.ts'
import type { MultiShardingContext } from './context.ts'

/**
 * Listens to the runs of a job: to the shards that start together on an instance and, once for all instances, to whole
 * runs. A whole run is one fire time, or one manual run, of all enabled shards.
 */
export interface JobListener {
  /** The name that a job selects it by, in `jobListenerTypes`. */
  readonly type: string
  /**
   * Listeners are called in ascending order, before and after runs.
   * @default 2147483647
   */
  readonly order?: number
  /**
   * How long shards wait for the other shards of their run before they start without them. If there are several
   * listeners, the longest timeout counts.
   * @default '30s'
   */
  readonly startedTimeout?: Duration
  /**
   * How long after the end of this instance's shards `barrier:timed-out` reports a run that has not ended on the other
   * instances. No shard waits meanwhile.
   * @default '1h'
   */
  readonly completedTimeout?: Duration
  /**
   * Called before the first of the shards that start together on this instance. If it fails, the job's error handler
   * receives the error, and the shards still run; with THROW they do not.
   */
  beforeJobExecuted?(context: MultiShardingContext): Promise<void> | void
  /** Called when the last of these shards has ended, with any outcome. */
  afterJobExecuted?(context: MultiShardingContext): Promise<void> | void
  /**
   * Called on one instance when the last shard of a run is about to start; all shards wait until it completes. If it
   * fails, or not all shards arrive within `startedTimeout`, every instance continues as if `beforeJobExecuted` had
   * failed. Java: `doBeforeJobExecutedAtLastStarted`.
   */
  beforeLastStarted?(context: MultiShardingContext): Promise<void> | void
  /** Called on one instance when the last shard of a run has ended. Java: `doAfterJobExecutedAtLastCompleted`. */
  afterLastCompleted?(context: MultiShardingContext): Promise<void> | void
}

/** The defaults of a listener. */
export const listenerDefaults: Readonly<{
  order: number
  startedTimeout: number
  completedTimeout: number
}> = Object.freeze({
  // Java's order for a listener without an order.
  order: 2 ** 31 - 1,
  startedTimeout: 30_000,
  completedTimeout: 3_600_000,
})

/** The listeners that jobs select by name. */
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

  /** The listeners with these names, in their order. Throws if a name is unknown. */
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

/** The maximum delay of Node's timers. */
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
