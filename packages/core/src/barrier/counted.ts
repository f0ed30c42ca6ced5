/**
 * The barrier of a job in native mode. It counts the shard states. The first instance to record a call in the barrier
 * state calls the listeners.
 */
import type { JobView } from '../job-tree/job-view.ts'
import { readStates } from '../job-tree/read-states.ts'
import type { Change } from '../job-tree/replica.ts'
import type { Watch, WatchEvent } from '../registry/registry-client.ts'
import { isRegistryError } from '../registry/registry-error.ts'
import { part, toText } from '../registry/transaction.ts'
import { messageOf } from '../thrown.ts'
import {
  callOf,
  type CallState,
  type BarrierState,
  decodeBarrierState,
  encodeBarrierState,
  noBarriers,
} from './barrier-state.ts'
import { decide, type Decision, planOutcome, tally, verdictOf } from './plan.ts'
import { BarrierProtocol } from './protocol.ts'
import { brokenBarrier, expire, referenceOf, type Wait } from './wait.ts'

/** A call of the listeners by this process. */
interface OwnCall {
  readonly wait: Wait
  /** The instance id of this process when the call began. */
  readonly by: string
  /** The result of the call; undefined while it is in progress. */
  outcome: CallState | undefined
}

export class CountedBarrier extends BarrierProtocol {
  readonly #calls = new Map<string, OwnCall>()
  /** The barrier state as it was last read or written. */
  #state = noBarriers
  #version = -1
  /** The last check was deferred: the replica was not synced, or a state could not be read. */
  #isDeferred = false

  /** A dead instance, a disabled shard or a shard that has begun a later run may end a wait. */
  override touched(change: Change): void {
    const { replica } = this.host
    if (this.#isDeferred && replica.isSynced) void this.check()
    if (this.waits.length === 0) return
    const isRun = change?.kind === 'mark' && change.mark === 'running'
    // A living instance that has run a shard checks by itself whether that shard was the last.
    const matters =
      !isRun || this.waits.some(({ phase }) => phase === 'started') || !isAnyRunning(replica)
    if (matters) this.checkSoon()
  }

  /** Does nothing: no shard is registered, the shard states count. */
  override async withdraw(): Promise<void> {}

  protected override listen(): Promise<Watch> {
    const { session, replica } = this.host
    const check = ({ type }: WatchEvent): void => {
      if (type === 'dataChanged') void this.check()
    }
    const options = { whileDisconnected: 'fail' } as const
    return session.client.watch(replica.paths.shardStates, 'persistent', check, options)
  }

  protected override async checkAll(): Promise<void> {
    this.#isDeferred = false
    let isDecided = false
    // If another instance was faster, its result may be the awaited one.
    while (!isDecided) isDecided = await this.#decideAll()
  }

  /** Returns false if another instance changed the barrier state in between. */
  async #decideAll(): Promise<boolean> {
    if (this.waits.length === 0 && this.#calls.size === 0) return true
    if (!(await this.#read())) return this.#defer()
    for (const [name, call] of this.#calls) {
      if (!(await this.#tell(name, call))) return false
    }
    for (const wait of this.waits) {
      const call = this.#callOf(wait)
      if (call !== undefined) this.#follow(wait, verdictOf(call, wait.phase))
    }
    const { waits } = this
    return waits.length === 0 || (await this.#count(waits))
  }

  async #count(waits: readonly Wait[]): Promise<boolean> {
    const { session, replica } = this.host
    const settings = this.settings()
    // While an instance calls the listeners, there is nothing to count.
    const isCounted = waits.some((wait) => this.#callOf(wait) === undefined)
    const length = isCounted ? settings.shardingTotalCount : 0
    const shards = Array.from({ length }, (_, shard) => shard)
    const { states, unreadable } = await readStates(this.host, shards)
    // A shard with an unreadable state may or may not have begun. Defer the count until the state is readable.
    if (!replica.isSynced || unreadable.size > 0) return this.#defer()
    for (const wait of waits) {
      const { arrival: key, phase, isLate } = wait
      const waiting = { key, phase, isLate, isCalling: this.#calls.has(nameOf(wait)) }
      const counted = tally(replica, key, states, settings)
      const decision = decide(replica, this.#state, counted, waiting, session.instance, settings)
      const state = 'state' in decision ? decision.state : undefined
      if (state !== undefined && !(await this.#write(state))) return false
      this.#follow(wait, decision)
    }
    return true
  }

  #callOf({ arrival, phase }: Wait): CallState | undefined {
    return callOf(this.#state, arrival, phase)
  }

  /** Defers the check until the replica is synced. */
  #defer(): true {
    this.#isDeferred = true
    return true
  }

  /** Records the result of a call in the barrier state, for the other instances. */
  async #tell(name: string, { wait, by, outcome }: OwnCall): Promise<boolean> {
    if (outcome === undefined) return true
    const { arrival: key, phase } = wait
    const state = planOutcome(this.#state, { key, phase }, by, outcome)
    if (state !== undefined && !(await this.#write(state))) return false
    this.#calls.delete(name)
    return true
  }

  #follow(wait: Wait, decision: Decision): void {
    switch (decision.do) {
      case 'wait':
        wait.missing = decision.missing
        break
      case 'go':
        wait.release()
        break
      case 'fail':
        this.#fail(wait, decision.reason)
        break
      case 'call':
        this.calling(this.#call(wait))
        break
      case 'give up':
        this.#giveUp(wait, decision.reason)
        break
    }
  }

  /** Emits the event once: only the instance that gives up the call emits it. */
  #giveUp(wait: Wait, reason: string): void {
    const { jobName, emit } = this.host
    if (wait.isLate) expire(jobName, emit, wait)
    else emit('barrier:broken', { ...referenceOf(jobName, wait), reason })
    this.#fail(wait, reason)
  }

  #fail(wait: Wait, reason: string): void {
    if (wait.phase === 'completed') wait.release()
    else wait.fail(brokenBarrier(this.host.jobName, wait, reason))
  }

  async #call(wait: Wait): Promise<void> {
    const call: OwnCall = { wait, by: this.host.session.instance, outcome: undefined }
    this.#calls.set(nameOf(wait), call)
    try {
      await wait.call.act?.()
      call.outcome = { state: 'done' }
      wait.release()
    } catch (error) {
      const message = messageOf(error)
      call.outcome = { state: 'failed', error: `a listener failed on ${call.by}: ${message}` }
      wait.fail(error)
    }
    await this.check()
  }

  /** Returns whether the barrier state is readable. */
  async #read(): Promise<boolean> {
    const { session, replica, health } = this.host
    const path = replica.paths.shardStates
    const { data, stat } = await session.get(path)
    const { value, problem } = decodeBarrierState(toText(data), path)
    health.read(path, problem)
    if (value === undefined) return false
    this.#state = value
    this.#version = stat.version
    return true
  }

  /** Returns false if another instance changed the barrier state since it was read. */
  async #write(state: BarrierState): Promise<boolean> {
    const { session, replica } = this.host
    const operation = part.set(replica.paths.shardStates, encodeBarrierState(state), this.#version)
    try {
      const [result] = await session.commit([operation])
      this.#state = state
      this.#version = result?.stat?.version ?? -1
      return true
    } catch (error) {
      if (isRegistryError(error, 'REGISTRY_BAD_VERSION')) return false
      throw error
    }
  }
}

function isAnyRunning({ shards }: JobView): boolean {
  for (const { running } of shards.values()) if (running) return true
  return false
}

/** A key that is unique to a call. */
function nameOf({ arrival: { time, manualRun }, phase }: Wait): string {
  return `${phase} ${time} ${manualRun?.id ?? ''}`
}
