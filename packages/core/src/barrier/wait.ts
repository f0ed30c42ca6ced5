/**
 * A wait of shards on this instance for the other shards of their run. It ends when all have begun or ended, or at its
 * timeout.
 */
import type { Clock, Timer } from '../clock.ts'
import { ElasticJobError } from '../errors.ts'
import type { Emit, BarrierPhase, BarrierReference } from '../events.ts'
import type { BarrierKey } from './barrier-state.ts'

/** Shards of one run that begin together on one instance. */
export interface Arrival extends BarrierKey {
  readonly shards: readonly number[]
  /** The wait ends when all of them are aborted. */
  readonly signals: readonly AbortSignal[]
}

/** The listeners of one phase of a whole run. */
export interface BarrierCall {
  /** How long to wait, in milliseconds. */
  readonly timeout: number
  /** Calls the listeners; undefined if there are none. */
  readonly act: (() => Promise<void>) | undefined
}

export class Wait {
  readonly arrival: Arrival
  readonly phase: BarrierPhase
  readonly call: BarrierCall
  /** Resolves when the shards may continue; rejects if a listener failed or the barrier broke. */
  readonly over: Promise<void>
  isOver = false
  isLate = false
  /** The shards that the wait still needs, as of the last check. */
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
    // Prevents an unhandled rejection when no caller awaits `over`.
    this.over.catch(() => {})
    this.#timer = clock.setTimer(() => {
      this.isLate = true
      late(this)
    }, call.timeout)
    // A wait for the end of the run does not depend on the signals of its own shards.
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

/** Identifies the wait in events. */
export function referenceOf(jobName: string, { arrival, phase }: Wait): BarrierReference {
  return { jobName, phase, fireTime: arrival.time, manualRun: arrival.manualRun?.id }
}

/** The error for shards that did not begin together. */
export function brokenBarrier(jobName: string, { arrival }: Wait, reason: string): ElasticJobError {
  const time = new Date(arrival.time).toISOString()
  return new ElasticJobError(
    'JOB_BARRIER_BROKEN',
    `the shards of job ${jobName} have not begun together at ${time}: ${reason}`,
  )
}

/** Ends a wait that timed out. */
export function expire(jobName: string, emit: Emit, wait: Wait): void {
  if (wait.isOver) return
  const { missing, call } = wait
  emit('barrier:timed-out', { ...referenceOf(jobName, wait), timeout: call.timeout, missing })
  // The shards have already ended; there is no run left to fail.
  if (wait.phase === 'completed') wait.release()
  else wait.fail(brokenBarrier(jobName, wait, `not all of them have within ${call.timeout} ms`))
}
