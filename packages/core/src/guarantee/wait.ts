/** Items of a round that wait here for the others: until all have begun or ended, and never for ever. */
import type { Clock, Timer } from '../clock.ts'
import { ElasticJobError } from '../errors.ts'
import type { Emit, RoundPhase, RoundReference } from '../events.ts'
import type { RoundKey } from './rounds-word.ts'

/** Items of one round that begin together on one instance. */
export interface Party extends RoundKey {
  readonly items: readonly number[]
  /** When all of them are aborted, nothing is left that could wait. */
  readonly signals: readonly AbortSignal[]
}

/** The listeners of a whole round, as far as they are called in one phase of it. */
export interface RoundCall {
  /** How long to wait, in milliseconds. */
  readonly timeout: number
  /** Calls them; undefined if there are none. */
  readonly act: (() => Promise<void>) | undefined
}

export class Wait {
  readonly party: Party
  readonly phase: RoundPhase
  readonly call: RoundCall
  /** Resolves when the items may go on; rejects if they may only in spite of something. */
  readonly over: Promise<void>
  isOver = false
  isLate = false
  /** The items that it waits for, as far as they are known. */
  missing: readonly number[] = []
  readonly #timer: Timer
  readonly #signals: readonly AbortSignal[]
  #resolve: () => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(
    party: Party,
    phase: RoundPhase,
    call: RoundCall,
    clock: Clock,
    late: (wait: Wait) => void,
  ) {
    this.party = party
    this.phase = phase
    this.call = call
    this.over = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // Whether anybody wants to know is their business.
    this.over.catch(() => {})
    this.#timer = clock.setTimer(() => {
      this.isLate = true
      late(this)
    }, call.timeout)
    // What has ended waits for the others whatever becomes of its own signals.
    this.#signals = phase === 'started' ? party.signals : []
    for (const signal of this.#signals) signal.addEventListener('abort', this.#aborted)
    if (phase === 'started') this.#aborted()
  }

  release(): void {
    this.#end()
    this.#resolve()
  }

  fail(error: unknown): void {
    this.#end()
    this.#reject(error)
  }

  #end(): void {
    this.isOver = true
    this.#timer.cancel()
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#aborted)
  }

  readonly #aborted = (): void => {
    if (this.#signals.every(({ aborted }) => aborted)) this.release()
  }
}

/** What events say of it. */
export function referenceOf(jobName: string, { party, phase }: Wait): RoundReference {
  return { jobName, phase, fireTime: party.time, round: party.round?.id }
}

/** The round is not what it should be, and here is why. */
export function brokenRound(jobName: string, { party }: Wait, reason: string): ElasticJobError {
  const time = new Date(party.time).toISOString()
  return new ElasticJobError(
    'JOB_GUARANTEE_BROKEN',
    `the items of job ${jobName} have not begun together at ${time}: ${reason}`,
  )
}

/** It has waited for as long as it may. */
export function expire(jobName: string, emit: Emit, wait: Wait): void {
  if (wait.isOver) return
  const { missing, call } = wait
  emit('guarantee:timed-out', { ...referenceOf(jobName, wait), timeout: call.timeout, missing })
  // What has ended has waited for nothing but the news.
  if (wait.phase === 'completed') wait.release()
  else wait.fail(brokenRound(jobName, wait, `not all of them have within ${call.timeout} ms`))
}
