/**
 * Runs of a job without Java instances: counted in the shard states, and called by the instance that is first to say so
 * in the barrier state.
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
  /** The instance that this process was when it began. */
  readonly by: string
  /** What came of it; undefined while it goes on. */
  outcome: CallState | undefined
}

export class CountedBarrier extends BarrierProtocol {
  readonly #calls = new Map<string, OwnCall>()
  /** The barrier state as it was last read or written. */
  #state = noBarriers
  #version = -1
  /** The replica was not synced when it was needed, or a state could not be read. */
  #isDeferred = false

  /** An instance that is gone, a disabled shard and a shard that has begun a later run may end a wait. */
  override touched(change: Change): void {
    const { replica } = this.host
    if (this.#isDeferred && replica.isSynced) void this.check()
    if (this.waits.length === 0) return
    const isRun = change?.kind === 'mark' && change.mark === 'running'
    // The instance that has run a shard sees by itself whether it was the last, if it lives.
    const matters =
      !isRun || this.waits.some(({ phase }) => phase === 'started') || !isAnyRunning(replica)
    if (matters) this.checkSoon()
  }

  /** Nothing is registered: the shard states count. */
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

  /** Answers whether no other instance came in between. */
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
    // While the listeners are being called there is nothing to count.
    const isCounted = waits.some((wait) => this.#callOf(wait) === undefined)
    const length = isCounted ? settings.shardingTotalCount : 0
    const shards = Array.from({ length }, (_, shard) => shard)
    const { states, unreadable } = await readStates(this.host, shards)
    // Whether a shard whose state cannot be read has begun is not known: nobody counts it until it is.
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

  /** Checked again when the replica is synced. */
  #defer(): true {
    this.#isDeferred = true
    return true
  }

  /** The others hear what came of a call. */
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

  /** Told once: by whoever has given it up. */
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

  /** Answers whether the barrier state can be read. */
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

  /** Answers whether no other instance had changed the barrier state since it was read. */
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

/** What tells a call from all others. */
function nameOf({ arrival: { time, manualRun }, phase }: Wait): string {
  return `${phase} ${time} ${manualRun?.id ?? ''}`
}
