/**
 * Listeners that are called once for a whole run of a job: when the last of its shards is about to begin, and when the
 * last of them has ended.
 */
import type { Coordination } from '../job-tree/coordination.ts'
import { isMixed } from '../job-tree/job-view.ts'
import type { Change } from '../job-tree/replica.ts'
import { MostlyEmptySet } from '../mostly-empty.ts'
import { CountedBarrier } from './counted.ts'
import type { CountSettings } from './plan.ts'
import type { BarrierProtocol } from './protocol.ts'
import { RegisteredBarrier } from './registered.ts'
import type { Arrival, BarrierCall } from './wait.ts'

export interface BarrierCalls {
  readonly started: BarrierCall
  readonly completed: BarrierCall
}

/** The passage of shards that begin together on this instance through the barriers of their run. */
export interface BarrierPass {
  /**
   * Resolves when the shards may begin: all shards of the run have arrived and the listeners have been called. Rejects
   * if a listener failed or a shard did not arrive in time.
   */
  begun(): Promise<void>
  /**
   * Reports the shards that have ended; an instance will begin the others again. Resolves when this process calls no
   * listeners because of it.
   */
  ended(shards: readonly number[]): Promise<void>
}

export class BarrierService {
  readonly #host: Coordination
  readonly #settings: () => CountSettings
  readonly #passes = new MostlyEmptySet<Promise<void>>()
  /** Undefined until the first shards enter: nearly all jobs have no such listeners. */
  #protocols: readonly [CountedBarrier, RegisteredBarrier] | undefined

  constructor(host: Coordination, settings: () => CountSettings) {
    this.#host = host
    this.#settings = settings
  }

  /** Enters shards that begin together on this instance into the barriers of their run. */
  enter(arrival: Arrival, calls: BarrierCalls): BarrierPass {
    let leave = (): void => {}
    const pass = new Promise<void>((resolve) => {
      leave = resolve
    })
    this.#passes.add(pass)
    return {
      begun: () => this.#begun(arrival, calls.started),
      ended: async (shards) => {
        if (shards.length > 0) await this.#ended({ ...arrival, shards }, calls.completed)
        this.#passes.delete(pass)
        leave()
      },
    }
  }

  touched(change: Change): void {
    for (const protocol of this.#protocols ?? []) protocol.touched(change)
  }

  /** Resolves when every pass has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#passes)
  }

  async stop(): Promise<void> {
    const { session } = this.#host
    session.off('session:resumed', this.#resumed)
    session.off('session:renewed', this.#resumed)
    await Promise.all((this.#protocols ?? []).map((protocol) => protocol.stop()))
  }

  async #begun(arrival: Arrival, call: BarrierCall): Promise<void> {
    const protocol = this.#protocolFor(call)
    await protocol?.join(arrival, 'started', call).over
    // Aborted shards do not begin here, so no instance would delete their registrations.
    const isAborted = arrival.signals.some(({ aborted }) => aborted)
    if (isAborted) await protocol?.withdraw('started', arrival.shards)
  }

  async #ended(arrival: Arrival, call: BarrierCall): Promise<void> {
    const protocol = this.#protocolFor(call)
    protocol?.join(arrival, 'completed', call)
    await protocol?.check()
    await protocol?.idle()
  }

  /**
   * The protocol that counts the shards now. Java instances wait for the registrations of native instances, even if
   * those have no listeners. In native mode, a barrier without listeners needs no wait. Neither Java instances nor
   * native instances with `monitorExecution` off write shard states, so those cases need registration.
   */
  #protocolFor({ act }: BarrierCall): BarrierProtocol | undefined {
    const [counted, registered] = (this.#protocols ??= this.#open())
    if (!this.#settings().monitorExecution || isMixed(this.#host.replica)) return registered
    return act === undefined ? undefined : counted
  }

  #open(): readonly [CountedBarrier, RegisteredBarrier] {
    const { session } = this.#host
    session.on('session:resumed', this.#resumed)
    session.on('session:renewed', this.#resumed)
    return [
      new CountedBarrier(this.#host, this.#settings),
      new RegisteredBarrier(this.#host, this.#settings),
    ]
  }

  /** The connection is back, and the watch missed the changes in between. */
  readonly #resumed = (): void => {
    for (const protocol of this.#protocols ?? []) void protocol.check()
  }
}
