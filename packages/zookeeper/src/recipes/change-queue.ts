import type { MultiReadResult } from '../client.ts'
import { Fifo } from '../fifo.ts'

/** Why a step is in the queue: a node was created, a node changed, or the whole tree is being loaded. */
type Cause = 'created' | 'changed' | 'load'

/** An entry of the queue: the state of a path, or a read that will provide it. */
export interface Step {
  readonly path: string
  readonly cause: Cause
  /** Undefined while the node is being read. `overtaken`: a later step replaces this one. */
  result: MultiReadResult | 'deleted' | 'overtaken' | undefined
  /** Every change up to this zxid is earlier in the queue. */
  readonly zxid: bigint
}

/** A node that is being read, and the step that waits for it. */
export interface Reading {
  step: Step
}

/**
 * The changes of a subtree in the order in which they are reported. Every event and every answer of the
 * server takes its position on arrival. An answer shows all events before it and none after it, so a node's
 * content is valid at the position of the node's last event before the answer.
 */
export class ChangeQueue {
  readonly #lastZxid: () => bigint
  readonly #steps = new Fifo<Step>()
  readonly #readings = new Map<string, Reading>()
  #pushed = 0
  #loadSteps = 0

  constructor(lastZxid: () => bigint) {
    this.#lastZxid = lastZxid
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0
  }

  /** Whether the queue holds answers of a load of the whole tree. */
  get isLoading(): boolean {
    return this.#loadSteps > 0
  }

  /** The number of steps pushed so far. */
  get pushed(): number {
    return this.#pushed
  }

  /** The number of steps taken so far. */
  get taken(): number {
    return this.#pushed - this.#steps.length
  }

  /** The zxid up to which all changes have been taken. */
  get zxid(): bigint {
    return this.#steps.peek()?.zxid ?? this.#lastZxid()
  }

  /**
   * Records that a node was created or changed. Returns the reading to start, unless the node is being read
   * already.
   */
  touched(path: string, cause: 'created' | 'changed'): Reading | undefined {
    const reading = this.#readings.get(path)
    if (reading === undefined) {
      const begun = { step: this.#push(path, cause) }
      this.#readings.set(path, begun)
      return begun
    }
    // The answer will show this change too, so it belongs at this position. This does not hold for a created
    // node: its children may be earlier in the queue.
    if (reading.step.cause === 'changed') {
      reading.step.result = 'overtaken'
      reading.step = this.#push(path, cause)
    }
    return undefined
  }

  deleted(path: string): void {
    this.#overtake(path)
    this.#push(path, 'changed').result = 'deleted'
  }

  /** Records that the answer for a node arrived: later events of the node need a new reading. */
  answered(reading: Reading): void {
    const { path } = reading.step
    if (this.#readings.get(path) === reading) this.#readings.delete(path)
  }

  /** Records an answer of the load: a node's content or its children. */
  loaded(path: string, about: 'content' | 'children'): Step {
    if (about === 'content') this.#overtake(path)
    this.#loadSteps++
    return this.#push(path, 'load')
  }

  /** Takes the next step, if its result is known. */
  take(): (Step & { readonly result: NonNullable<Step['result']> }) | undefined {
    const step = this.#steps.peek()
    if (step?.result === undefined) return undefined
    this.#steps.shift()
    if (step.cause === 'load') this.#loadSteps--
    return step as ReturnType<ChangeQueue['take']>
  }

  #push(path: string, cause: Cause): Step {
    const step: Step = { path, cause, result: undefined, zxid: this.#lastZxid() }
    this.#steps.push(step)
    this.#pushed++
    return step
  }

  /** Marks the pending reading of a node as overtaken. */
  #overtake(path: string): void {
    const reading = this.#readings.get(path)
    if (reading === undefined) return
    reading.step.result = 'overtaken'
    this.#readings.delete(path)
  }
}
