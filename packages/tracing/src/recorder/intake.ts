import type { Clock, Timer } from '@elasticjob/zookeeper'

import { Fifo } from './fifo.ts'

export interface IntakeLimits {
  /** How often is looked whether something new was told, in milliseconds; if not, a burst is over. */
  readonly calm: number
  /** How long a burst is waited for, in milliseconds. */
  readonly patience: number
  /** How many notes are kept for that, and how many characters of texts with them. */
  readonly notes: number
  readonly characters: number
}

/** How many notes are worked on before others have their turn: about two milliseconds. */
const slice = 100

/**
 * What is told, as it is told. Jobs fire at whole seconds, a thousand of them at the same one: whatever
 * is made of an event at once makes those late that have yet to begin. So it is made when they have begun.
 */
export class Intake {
  readonly #limits: IntakeLimits
  readonly #clock: Clock
  readonly #emptied: (since: number) => void
  readonly #notes = new Fifo<() => void>()
  #characters = 0
  /** When the first of them was told, by the monotonic clock. */
  #since = 0
  #hasNew = false
  #timer: Timer | undefined

  /** `emptied` is called when all was worked on, with the time at which the first was told. */
  constructor(limits: IntakeLimits, clock: Clock, emptied: (since: number) => void) {
    this.#limits = limits
    this.#clock = clock
    this.#emptied = emptied
  }

  get isEmpty(): boolean {
    return this.#notes.length === 0
  }

  /** Keeps what is to be done, and a text of so many characters with it. */
  add(note: () => void, characters = 0): void {
    if (this.isEmpty) {
      this.#since = this.#clock.monotonic()
      this.#lookLater()
    } else {
      this.#hasNew = true
    }
    this.#notes.push(note)
    this.#characters += characters
    const { notes, characters: most } = this.#limits
    if (this.#notes.length >= notes || this.#characters >= most) this.empty()
  }

  /** Works on all of it now, in the order in which it was told. */
  empty(): void {
    if (this.isEmpty) return
    this.#work(this.#notes.length)
    this.#finish()
  }

  #lookLater(): void {
    const { calm, patience } = this.#limits
    this.#hasNew = false
    this.#timer?.cancel()
    this.#timer = this.#clock.setTimer(() => this.#look(), Math.min(calm, patience))
  }

  #look(): void {
    if (this.isEmpty) return
    const waited = this.#clock.monotonic() - this.#since
    if (this.#hasNew && waited < this.#limits.patience) {
      this.#lookLater()
      return
    }
    this.#work(slice)
    if (this.isEmpty) this.#finish()
    else this.#clock.afterPoll(() => this.#look())
  }

  #work(notes: number): void {
    for (let left = notes; left > 0; left--) this.#notes.shift()?.()
  }

  #finish(): void {
    this.#timer?.cancel()
    this.#characters = 0
    this.#emptied(this.#since)
  }
}
