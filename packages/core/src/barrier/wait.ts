/** Shards of a run that wait here for the others: until all have begun or ended, and never for ever. */
import type { Clock, Timer } from '../clock.ts'
import { ElasticJobError } from '../errors.ts'
import type { Emit, BarrierPhase, BarrierReference } from '../events.ts'
import type { BarrierKey } from './barrier-state.ts'

/** Shards of one run that begin together on one instance. */
export interface Arrival extends BarrierKey {
  readonly shards: readonly number[]
  /** When all of them are aborted, nothing is left that could wait. */
  readonly signals: readonly AbortSignal[]
}

/** The listeners of a whole run, as far as they are called in one phase of it. */
export interface BarrierCall {
  /** How long to wait, in milliseconds. */
  readonly timeout: number
  /** Calls them; undefined if there are none. */
  readonly act: (() => Promise<void>) | undefined
}

export class Wait {
  readonly arrival: Arrival
  readonly phase: BarrierPhase
  readonly call: BarrierCall
  /** Resolves when the shards may go on; rejects if they may only in spite of something. */
  readonly over: Promise<void>
  isOver = false
  isLate = false
  /** The shards that it waits for, as far as they are known. */
  missing: readonly number[] = []
  readonly #timer: Timer
  readonly #signals: readonly AbortSignal[]
  #resolve: () => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(
    arrival: Arrival,
    phase: BarrierPhase,
    call: BarrierCall,
    clock: Clock,
    late: (wait: Wait) => void,
  ) {
    this.arrival = arrival
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
    this.#signals = phase === 'started' ? arrival.signals : []
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
export function referenceOf(jobName: string, { arrival, phase }: Wait): BarrierReference {
  return { jobName, phase, fireTime: arrival.time, manualRun: arrival.manualRun?.id }
}

/** The run is not what it should be, and here is why. */
export function brokenBarrier(jobName: string, { arrival }: Wait, reason: string): ElasticJobError {
  const time = new Date(arrival.time).toISOString()
  return new ElasticJobError(
    'JOB_BARRIER_BROKEN',
    `the shards of job ${jobName} have not begun together at ${time}: ${reason}`,
  )
}

/** It has waited for as long as it may. */
export function expire(jobName: string, emit: Emit, wait: Wait): void {
  if (wait.isOver) return
  const { missing, call } = wait
  emit('barrier:timed-out', { ...referenceOf(jobName, wait), timeout: call.timeout, missing })
  // What has ended has waited for nothing but the news.
  if (wait.phase === 'completed') wait.release()
  else wait.fail(brokenBarrier(jobName, wait, `not all of them have within ${call.timeout} ms`))
}
