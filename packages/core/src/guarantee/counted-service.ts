/** Rounds of a pure job: counted in the items' words, and called by whoever says so first in the rounds' word. */
import type { RoundPhase } from '../events.ts'
import type { Coordination } from '../job-tree/coordination.ts'
import type { ItemWord } from '../job-tree/item-word.ts'
import type { JobView, Versioned } from '../job-tree/job-view.ts'
import { readWords } from '../job-tree/read-words.ts'
import type { Change } from '../job-tree/replica.ts'
import { Lookout } from './lookout.ts'
import { type CountSettings, decide, type Decision, planOutcome, tally, verdictOf } from './plan.ts'
import { RoundsNode } from './rounds-node.ts'
import { callOf, type CallWord, type RoundKey } from './rounds-word.ts'
import { brokenRound, expire, referenceOf, type Wait } from './wait.ts'
import { safely, WaitingRoom } from './waiting-room.ts'

/** A call of the listeners by this process. */
interface OwnCall {
  readonly key: RoundKey
  readonly phase: RoundPhase
  /** The instance that this process was when it began. */
  readonly by: string
  /** What came of it; undefined while it goes on. */
  outcome: CallWord | undefined
}

type Words = ReadonlyMap<number, Versioned<ItemWord>>

export class CountedService {
  readonly #host: Coordination
  readonly #settings: () => CountSettings
  readonly #node: RoundsNode
  readonly #room: WaitingRoom
  readonly #calls = new Map<string, OwnCall>()
  readonly #busy = new Set<Promise<void>>()
  /** The replica was not quiet when it was needed. */
  #isDeferred = false

  constructor(host: Coordination, settings: () => CountSettings) {
    this.#host = host
    this.#settings = settings
    this.#node = new RoundsNode(host)
    // The calls of others need no counting.
    const ear = new Lookout(host.session.clock, () => safely(host, () => this.#hear()))
    this.#room = new WaitingRoom(
      host,
      () => ({
        path: host.replica.paths.words,
        mode: 'persistent',
        heard: ({ type }) => {
          if (type === 'dataChanged') void ear.now()
        },
      }),
      () => this.#look(),
    )
  }

  /** Resolves when it is known where the round stands. */
  join(wait: Wait): Promise<void> {
    return this.#room.join(wait)
  }

  late(wait: Wait): Promise<void> {
    return this.#room.late(wait)
  }

  /** Somebody is gone, an item is disabled or has begun a later round: that may be what is waited for. */
  touched(change: Change): void {
    const { replica } = this.#host
    if (this.#isDeferred && replica.isQuiet) void this.#room.look()
    const { waits } = this.#room
    if (waits.length === 0) return
    const isRun = change?.kind === 'mark' && change.mark === 'running'
    // Who has run an item sees by itself whether it was the last, if it lives.
    const matters =
      !isRun || waits.some(({ phase }) => phase === 'started') || !isAnyRunning(replica)
    if (matters) this.#room.lookSoon()
  }

  /** The connection is back: what was said meanwhile was not heard. */
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
    // If somebody else was faster, what they have said may be what is waited for.
    while (!isDecided) isDecided = await this.#decideAll()
  }

  async #hear(): Promise<void> {
    if (this.#room.waits.length === 0) return
    const heard = new RoundsNode(this.#host)
    await heard.read()
    for (const wait of this.#room.waits) {
      const call = callOf(heard.value, wait.party, wait.phase)
      if (call !== undefined) this.#follow(wait, verdictOf(call, wait.phase))
    }
  }

  /** Answers whether nobody came in between. */
  async #decideAll(): Promise<boolean> {
    const { session, replica } = this.#host
    const settings = this.#settings()
    await this.#node.read()
    for (const [name, call] of this.#calls) {
      if (!(await this.#tell(name, call))) return false
    }
    if (this.#room.waits.length === 0) return true
    const items = Array.from({ length: settings.shardingTotalCount }, (_, item) => item)
    const words = await readWords(session, replica.paths, items)
    if (!replica.isQuiet) {
      this.#isDeferred = true
      return true
    }
    for (const wait of this.#room.waits) {
      if (!(await this.#decide(wait, words, settings))) return false
    }
    return true
  }

  /** The others hear what came of a call. */
  async #tell(name: string, call: OwnCall): Promise<boolean> {
    if (call.outcome === undefined) return true
    const word = planOutcome(this.#node.value, call, call.by, call.outcome)
    if (word !== undefined && !(await this.#node.write(word))) return false
    this.#calls.delete(name)
    return true
  }

  async #decide(wait: Wait, words: Words, settings: CountSettings): Promise<boolean> {
    const { session, replica } = this.#host
    const { party: key, phase, isLate } = wait
    const isCalling = this.#calls.has(nameOf(wait))
    const decision = decide(
      replica,
      this.#node.value,
      tally(replica, key, words, settings),
      { key, phase, isLate, isCalling },
      session.instance,
      settings,
    )
    const word = 'word' in decision ? decision.word : undefined
    if (word !== undefined && !(await this.#node.write(word))) return false
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
    else emit('guarantee:broken', { ...referenceOf(jobName, wait), reason })
    this.#fail(wait, reason)
  }

  #fail(wait: Wait, reason: string): void {
    if (wait.phase === 'completed') wait.release()
    else wait.fail(brokenRound(this.#host.jobName, wait, reason))
  }

  #begin(wait: Wait): void {
    const { party: key, phase } = wait
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
      const message = error instanceof Error ? error.message : String(error)
      call.outcome = { state: 'failed', error: `a listener failed on ${call.by}: ${message}` }
      wait.fail(error)
    }
    await this.#room.look()
  }
}

function isAnyRunning({ items }: JobView): boolean {
  for (const { running } of items.values()) if (running) return true
  return false
}

/** What tells a call from all others. */
function nameOf({ party: { time, round }, phase }: Wait): string {
  return `${phase} ${time} ${round?.id ?? ''}`
}
