/**
 * Runs of a job without Java instances: counted in the shard states, and called by whoever says so first in the barrier
 * state.
 */
import type { BarrierPhase } from '../events.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import type { ShardState } from '../job-tree/shard-state.ts'
import type { JobView, Versioned } from '../job-tree/job-view.ts'
import { readStates } from '../job-tree/read-states.ts'
import type { Change } from '../job-tree/replica.ts'
import { CheckLoop } from './check-loop.ts'
import { type CountSettings, decide, type Decision, planOutcome, tally, verdictOf } from './plan.ts'
import { BarrierNode } from './barrier-node.ts'
import { callOf, type CallState, type BarrierKey } from './barrier-state.ts'
import { brokenBarrier, expire, referenceOf, type Wait } from './wait.ts'
import { safely, BarrierWaits } from './barrier-waits.ts'
import { messageOf } from '../thrown.ts'

/** A call of the listeners by this process. */
interface OwnCall {
  readonly key: BarrierKey
  readonly phase: BarrierPhase
  /** The instance that this process was when it began. */
  readonly by: string
  /** What came of it; undefined while it goes on. */
  outcome: CallState | undefined
}

type Words = ReadonlyMap<number, Versioned<ShardState>>

export class CountedService {
  readonly #host: Coordination
  readonly #settings: () => CountSettings
  readonly #node: BarrierNode
  readonly #room: BarrierWaits
  readonly #calls = new Map<string, OwnCall>()
  readonly #busy = new Set<Promise<void>>()
  /** The replica was not quiet when it was needed. */
  #isDeferred = false

  constructor(host: Coordination, settings: () => CountSettings) {
    this.#host = host
    this.#settings = settings
    this.#node = new BarrierNode(host)
    // The calls of others need no counting.
    const ear = new CheckLoop(host.session.clock, () => safely(host, () => this.#hear()))
    this.#room = new BarrierWaits(
      host,
      () => ({
        path: host.replica.paths.shardStates,
        mode: 'persistent',
        heard: ({ type }) => {
          if (type === 'dataChanged') void ear.now()
        },
      }),
      () => this.#look(),
    )
  }

  /** Resolves when it is known where the run stands. */
  join(wait: Wait): Promise<void> {
    return this.#room.join(wait)
  }

  late(wait: Wait): Promise<void> {
    return this.#room.late(wait)
  }

  /** Somebody is gone, a shard is disabled or has begun a later run: that may be what is waited for. */
  touched(change: Change): void {
    const { replica } = this.#host
    if (this.#isDeferred && replica.isSynced) void this.#room.look()
    const { waits } = this.#room
    if (waits.length === 0) return
    const isRun = change?.kind === 'mark' && change.mark === 'running'
    // Who has run a shard sees by itself whether it was the last, if it lives.
    const matters =
      !isRun || waits.some(({ phase }) => phase === 'started') || !isAnyRunning(replica)
    if (matters) this.#room.lookSoon()
  }

  /** The connection is back: changes in the meantime were missed. */
  resumed(): void {
    void this.#room.look()
  }

  /** Resolves when no listener is being called here, and the others know it. */
  async idle(): Promise<void> {
    await Promise.all(this.#busy)
  }

  stop(): Promise<void> {
    return this.#room.stop()
  }

  async #look(): Promise<void> {
    this.#isDeferred = false
    if (this.#room.waits.length === 0 && this.#calls.size === 0) return
    await this.#room.listening()
    let isDecided = false
    // If another instance was faster, its result may be the awaited one.
    while (!isDecided) isDecided = await this.#decideAll()
  }

  async #hear(): Promise<void> {
    if (this.#room.waits.length === 0) return
    const heard = new BarrierNode(this.#host)
    if (!(await heard.read())) return
    for (const wait of this.#room.waits) {
      const call = callOf(heard.value, wait.arrival, wait.phase)
      if (call !== undefined) this.#follow(wait, verdictOf(call, wait.phase))
    }
  }

  /** Answers whether nobody came in between. */
  async #decideAll(): Promise<boolean> {
    const { replica } = this.#host
    const settings = this.#settings()
    if (!(await this.#node.read())) {
      this.#isDeferred = true
      return true
    }
    for (const [name, call] of this.#calls) {
      if (!(await this.#tell(name, call))) return false
    }
    if (this.#room.waits.length === 0) return true
    const shards = Array.from({ length: settings.shardingTotalCount }, (_, shard) => shard)
    const { states, unreadable } = await readStates(this.#host, shards)
    // Whether a shard whose state cannot be read has begun is not known: nobody counts it until it is.
    if (!replica.isSynced || unreadable.size > 0) {
      this.#isDeferred = true
      return true
    }
    for (const wait of this.#room.waits) {
      if (!(await this.#decide(wait, states, settings))) return false
    }
    return true
  }

  /** The others hear what came of a call. */
  async #tell(name: string, call: OwnCall): Promise<boolean> {
    if (call.outcome === undefined) return true
    const state = planOutcome(this.#node.value, call, call.by, call.outcome)
    if (state !== undefined && !(await this.#node.write(state))) return false
    this.#calls.delete(name)
    return true
  }

  async #decide(wait: Wait, states: Words, settings: CountSettings): Promise<boolean> {
    const { session, replica } = this.#host
    const { arrival: key, phase, isLate } = wait
    const isCalling = this.#calls.has(nameOf(wait))
    const decision = decide(
      replica,
      this.#node.value,
      tally(replica, key, states, settings),
      { key, phase, isLate, isCalling },
      session.instance,
      settings,
    )
    const state = 'state' in decision ? decision.state : undefined
    if (state !== undefined && !(await this.#node.write(state))) return false
    this.#follow(wait, decision)
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
        this.#begin(wait)
        break
      case 'give up':
        this.#giveUp(wait, decision.reason)
        break
    }
  }

  /** Told once: by whoever has given it up. */
  #giveUp(wait: Wait, reason: string): void {
    const { jobName, emit } = this.#host
    if (wait.isLate) expire(jobName, emit, wait)
    else emit('barrier:broken', { ...referenceOf(jobName, wait), reason })
    this.#fail(wait, reason)
  }

  #fail(wait: Wait, reason: string): void {
    if (wait.phase === 'completed') wait.release()
    else wait.fail(brokenBarrier(this.#host.jobName, wait, reason))
  }

  #begin(wait: Wait): void {
    const { arrival: key, phase } = wait
    const call: OwnCall = { key, phase, by: this.#host.session.instance, outcome: undefined }
    this.#calls.set(nameOf(wait), call)
    const busy = this.#call(wait, call)
    this.#busy.add(busy)
    void busy.then(() => this.#busy.delete(busy))
  }

  async #call(wait: Wait, call: OwnCall): Promise<void> {
    try {
      await wait.call.act?.()
      call.outcome = { state: 'done' }
      wait.release()
    } catch (error) {
      const message = messageOf(error)
      call.outcome = { state: 'failed', error: `a listener failed on ${call.by}: ${message}` }
      wait.fail(error)
    }
    await this.#room.look()
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
