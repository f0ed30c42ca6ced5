/**
 * Listeners that are called once for a whole run of a job: when the last of its shards is about to begin, and when the
 * last of them has ended.
 */
import type { Coordination } from '../job-tree/coordination.ts'
import { isMixed } from '../job-tree/job-view.ts'
import type { Change } from '../job-tree/replica.ts'
import { MostlyEmptySet } from '../mostly-empty.ts'
import { CountedService } from './counted-service.ts'
import type { CountSettings } from './plan.ts'
import { RegisteredService } from './registered-service.ts'
import { type Arrival, type BarrierCall, Wait } from './wait.ts'

export interface BarrierCalls {
  readonly started: BarrierCall
  readonly completed: BarrierCall
}

/** A party's way through its run. */
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

/** The two ways in which shards are counted. */
interface Ways {
  readonly counted: CountedService
  readonly registered: RegisteredService
}

export class BarrierService {
  readonly #host: Coordination
  readonly #settings: () => CountSettings
  readonly #passes = new MostlyEmptySet<Promise<void>>()
  /** Undefined until somebody enters: nearly all jobs have no such listeners. */
  #ways: Ways | undefined

  constructor(host: Coordination, settings: () => CountSettings) {
    this.#host = host
    this.#settings = settings
  }

  /** Shards that begin together here take part in their run. */
  enter(arrival: Arrival, calls: BarrierCalls): BarrierPass {
    const ways = (this.#ways ??= this.#open())
    let leave = (): void => {}
    const pass = new Promise<void>((resolve) => {
      leave = resolve
    })
    this.#passes.add(pass)
    return {
      begun: () => this.#begun(ways, arrival, calls.started),
      ended: async (shards) => {
        if (shards.length > 0) await this.#ended(ways, { ...arrival, shards }, calls.completed)
        this.#passes.delete(pass)
        leave()
      },
    }
  }

  touched(change: Change): void {
    this.#ways?.counted.touched(change)
    this.#ways?.registered.touched()
  }

  /** Resolves when nobody who has entered is still here. */
  async idle(): Promise<void> {
    await Promise.all(this.#passes)
  }

  async stop(): Promise<void> {
    const { session } = this.#host
    session.off('session:resumed', this.#resumed)
    session.off('session:renewed', this.#resumed)
    await Promise.all([this.#ways?.counted.stop(), this.#ways?.registered.stop()])
  }

  async #begun(ways: Ways, arrival: Arrival, call: BarrierCall): Promise<void> {
    const way = this.#wayOf(ways, call)
    if (way === undefined) return
    const { clock } = this.#host.session
    const wait = new Wait(arrival, 'started', call, clock, (late) => void way.late(late))
    void way.join(wait)
    await wait.over
    // Nobody will release what does not begin here.
    if (way === ways.registered && arrival.signals.some(({ aborted }) => aborted)) {
      await ways.registered.withdraw('started', arrival.shards)
    }
  }

  async #ended(ways: Ways, arrival: Arrival, call: BarrierCall): Promise<void> {
    const way = this.#wayOf(ways, call)
    if (way === undefined) return
    const { clock } = this.#host.session
    await way.join(new Wait(arrival, 'completed', call, clock, (late) => void way.late(late)))
    await way.idle()
  }

  /**
   * How the shards are counted now. Java's instances count on ours, whether anybody here listens or not; among
   * ourselves nobody waits for nothing.
   */
  #wayOf({ counted, registered }: Ways, { act }: BarrierCall): Ways[keyof Ways] | undefined {
    if (!this.#isCounted) return registered
    return act === undefined ? undefined : counted
  }

  /** Java writes no shard states, nor do our instances with monitorExecution off. */
  get #isCounted(): boolean {
    return this.#settings().monitorExecution && !isMixed(this.#host.replica)
  }

  #open(): Ways {
    const { session } = this.#host
    session.on('session:resumed', this.#resumed)
    session.on('session:renewed', this.#resumed)
    return {
      counted: new CountedService(this.#host, this.#settings),
      registered: new RegisteredService(this.#host, this.#settings),
    }
  }

  readonly #resumed = (): void => {
    this.#ways?.counted.resumed()
    this.#ways?.registered.resumed()
  }
}
