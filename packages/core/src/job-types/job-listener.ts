import { ConfigurationError } from '../errors.ts'
import type { MultiShardingContext } from './context.ts'

/** Somebody who is told before and after the items of a job that begin here together have run. */
export interface JobListener {
  /** The name by which a job asks for it, in `jobListenerTypes`. */
  readonly type: string
  /**
   * Listeners are told in ascending order, before and after.
   * @default 2147483647
   */
  readonly order?: number
  /**
   * Called before the first of them begins. If it fails, the error goes to the job's error handler, and
   * the items run all the same; with THROW they do not.
   */
  beforeJobExecuted?(context: MultiShardingContext): Promise<void> | void
  /** Called when the last of them has ended, however. */
  afterJobExecuted?(context: MultiShardingContext): Promise<void> | void
}

/** Java's order for a listener that has no wish. */
const lowestOrder = 2 ** 31 - 1

/** The listeners that jobs can ask for by name. */
export class JobListeners {
  readonly #listeners = new Map<string, JobListener>()

  constructor(listeners: readonly JobListener[] = []) {
    for (const listener of listeners) {
      if (this.#listeners.has(listener.type)) {
        throw refused(`there are two listeners "${listener.type}"`)
      }
      this.#listeners.set(listener.type, listener)
    }
  }

  /** The listeners of these names, in their order. A name that nobody knows is an error. */
  get(types: readonly string[]): readonly JobListener[] {
    return types
      .map((type) => this.#find(type))
      .toSorted((a, b) => (a.order ?? lowestOrder) - (b.order ?? lowestOrder))
  }

  #find(type: string): JobListener {
    const listener = this.#listeners.get(type)
    if (listener !== undefined) return listener
    const known = [...this.#listeners.keys()].join(', ') || 'none'
    throw refused(`there is no listener "${type}"; there are ${known}`)
  }
}

function refused(message: string): ConfigurationError {
  return new ConfigurationError('the job listener', [{ key: 'jobListenerTypes', message }])
}
