/** The common part of both barrier protocols: the waits of this instance, and one check at a time for all of them. */
import type { BarrierPhase } from '../events.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import type { Change } from '../job-tree/replica.ts'
import type { Watch } from '../registry/registry-client.ts'
import { isAccepted, isRegistryError } from '../registry/registry-error.ts'
import { CheckLoop } from './check-loop.ts'
import type { CountSettings } from './plan.ts'
import { type Arrival, type BarrierCall, expire, Wait } from './wait.ts'

export abstract class BarrierProtocol {
  protected readonly host: Coordination
  protected readonly settings: () => CountSettings
  readonly #checkLoop: CheckLoop
  readonly #waits = new Set<Wait>()
  readonly #calls = new Set<Promise<void>>()
  #watch: Promise<Watch> | undefined

  constructor(host: Coordination, settings: () => CountSettings) {
    this.host = host
    this.settings = settings
    this.#checkLoop = new CheckLoop(host.session.clock, () => this.safely(() => this.#checkAll()))
  }

  /** Decides about every wait. */
  protected abstract checkAll(): Promise<void>

  /** Watches the nodes that a wait depends on; rejects without a connection. */
  protected abstract listen(): Promise<Watch>

  /** Stops counting the shards of a wait, until they begin or end again. */
  abstract withdraw(phase: BarrierPhase, shards: readonly number[]): Promise<void>

  join(arrival: Arrival, phase: BarrierPhase, call: BarrierCall): Wait {
    const { clock } = this.host.session
    const wait = new Wait(arrival, phase, call, clock, () => void this.#late(wait))
    this.#waits.add(wait)
    void this.check()
    return wait
  }

  /** Resolves at the end of a check that began after this call. */
  check(): Promise<void> {
    return this.#checkLoop.now()
  }

  /** A node of the job changed; the change may end a wait. */
  touched(_change: Change): void {
    this.checkSoon()
  }

  /** Resolves when this process calls no listeners and their results are visible to the other instances. */
  async idle(): Promise<void> {
    await Promise.all(this.#calls)
  }

  async stop(): Promise<void> {
    for (const wait of this.waits) wait.release()
    this.#checkLoop.stop()
    const removal = this.#watch?.then((watch) => watch.remove())
    // Without a connection there is no watch to remove.
    if (removal !== undefined) await isAccepted(removal)
  }

  protected get waits(): readonly Wait[] {
    for (const wait of this.#waits) if (wait.isOver) this.#waits.delete(wait)
    return [...this.#waits]
  }

  protected checkSoon(): void {
    if (this.waits.length > 0) this.#checkLoop.soon()
  }

  /** Tracks a call of the listeners by this process until its result is visible to the other instances. */
  protected calling(call: Promise<void>): void {
    this.#calls.add(call)
    void call.then(() => this.#calls.delete(call))
  }

  /** Ignores registry errors: after a reconnect everything is checked again. */
  protected async safely(act: () => Promise<void>): Promise<void> {
    const { jobName, emit } = this.host
    try {
      await act()
    } catch (error) {
      if (!isRegistryError(error)) emit('error:unhandled', { jobName, error })
    }
  }

  async #checkAll(): Promise<void> {
    // Watch before reading, so that no change is missed.
    if (this.waits.length > 0) {
      this.#watch ??= this.listen().catch((error: unknown) => {
        this.#watch = undefined
        throw error
      })
      await this.#watch
    }
    await this.checkAll()
  }

  /** The wait timed out. One last check decides. */
  async #late(wait: Wait): Promise<void> {
    await this.check()
    expire(this.host.jobName, this.host.emit, wait)
    await this.withdraw(wait.phase, wait.arrival.shards)
  }
}
