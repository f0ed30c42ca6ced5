import type { MultiReadResult } from '../client.ts'
import { Fifo } from '../fifo.ts'

/** Why something stands in the queue: a node was created, it changed, or everything is being read. */
type Cause = 'created' | 'changed' | 'load'

/** A place in the queue: what was learnt about a path, or will be once it has been read. */
export interface Step {
  readonly path: string
  readonly cause: Cause
  /** Undefined while the node is being read. `overtaken`: what follows in the queue says it all. */
  result: MultiReadResult | 'deleted' | 'overtaken' | undefined
  /** All that happened up to this zxid stands before it in the queue. */
  readonly zxid: bigint
}

/** A node that is being read, and the place in the queue that waits for it. */
export interface Reading {
  step: Step
}

/**
 * What happened in a subtree, in the order in which it has to be told: every event, and every answer
 * of the server, takes its place when it arrives. An answer shows all events before it and none after
 * it, so what was read of a node is true at the place of the node's last event before the answer.
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

  /** Whether answers to the reading of everything are waiting here. */
  get isLoading(): boolean {
    return this.#loadSteps > 0
  }

  /** How many steps there were so far. */
  get pushed(): number {
    return this.#pushed
  }

  /** How many of them have been taken. */
  get taken(): number {
    return this.#pushed - this.#steps.length
  }

  /** The zxid up to which everything has been taken. */
  get zxid(): bigint {
    return this.#steps.peek()?.zxid ?? this.#lastZxid()
  }

  /** A node was created or changed. Answers what waits for it to be read, unless it is being read. */
  touched(path: string, cause: 'created' | 'changed'): Reading | undefined {
    const reading = this.#readings.get(path)
    if (reading === undefined) {
      const begun = { step: this.#push(path, cause) }
      this.#readings.set(path, begun)
      return begun
    }
    // The answer will show this change, too, and belongs here. Not so that of a node that was created:
    // its children may stand before us.
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

  /** The answer for a node has arrived: whatever happens to the node from here on is news. */
  answered(reading: Reading): void {
    const { path } = reading.step
    if (this.#readings.get(path) === reading) this.#readings.delete(path)
  }

  /** An answer of the reading of everything has arrived, about a node's content or its children. */
  loaded(path: string, about: 'content' | 'children'): Step {
    if (about === 'content') this.#overtake(path)
    this.#loadSteps++
    return this.#push(path, 'load')
  }

  /** Takes the next step whose result is known, if it is next. */
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

  /** Nobody needs to know any more what is being read of a node. */
  #overtake(path: string): void {
    const reading = this.#readings.get(path)
    if (reading === undefined) return
    reading.step.result = 'overtaken'
    this.#readings.delete(path)
  }
}
