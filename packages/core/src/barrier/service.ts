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

/** The way of shards that begin together here through their run. */
export interface BarrierPass {
  /**
   * Resolves when the shards may begin: all have come, and the listeners have been called. Rejects if they have failed,
   * or not all have come in time.
   */
  begun(): Promise<void>
  /**
   * These shards of it have ended; the others will be begun again, by whoever. Resolves when no listener is being
   * called here because of that.
   */
  ended(shards: readonly number[]): Promise<void>
}

export class BarrierService {
  readonly #host: Coordination
  readonly #settings: () => CountSettings
  readonly #passes = new MostlyEmptySet<Promise<void>>()
  /** Undefined until shards enter: nearly all jobs have no such listeners. */
  #protocols: readonly [CountedBarrier, RegisteredBarrier] | undefined

  constructor(host: Coordination, settings: () => CountSettings) {
    this.#host = host
    this.#settings = settings
  }

  /** Shards that begin together here take part in their run. */
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

  /** Resolves when nobody who has entered is still here. */
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
    // Nobody will release what does not begin here.
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
   * How the shards are counted now. Java's instances count on ours, whether anybody here listens or not; among
   * ourselves nobody waits for nothing. Java writes no shard states, nor do our instances with monitorExecution off.
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

  /** The connection is back: changes in the meantime were missed. */
  readonly #resumed = (): void => {
    for (const protocol of this.#protocols ?? []) void protocol.check()
  }
}
