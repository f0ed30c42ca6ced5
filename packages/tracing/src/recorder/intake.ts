import type { Clock, Timer } from '@elasticjob/core'

import { Fifo } from './fifo.ts'

export interface IntakeLimits {
  /** How often to check for new events, in milliseconds; a check without any ends the burst. */
  readonly calm: number
  /** The maximum time to wait for the end of a burst, in milliseconds. */
  readonly timeout: number
  /** The maximum number of notes, and of characters in their texts. */
  readonly notes: number
  readonly characters: number
}

/** The number of notes processed before the event loop continues: about two milliseconds. */
const slice = 100

/**
 * Collects events before they are processed. Jobs fire at whole seconds, a thousand of them at once:
 * processing an event at once would delay the runs that have yet to start. So it is processed after they have
 * started.
 */
export class Intake {
  readonly #limits: IntakeLimits
  readonly #clock: Clock
  readonly #emptied: (since: number) => void
  readonly #notes = new Fifo<() => void>()
  #characters = 0
  /** When the first note was added, in monotonic time. */
  #since = 0
  #hasNew = false
  #timer: Timer | undefined

  /** `emptied` is called when all notes are processed, with the time of the first. */
  constructor(limits: IntakeLimits, clock: Clock, emptied: (since: number) => void) {
    this.#limits = limits
    this.#clock = clock
    this.#emptied = emptied
  }

  get isEmpty(): boolean {
    return this.#notes.length === 0
  }

  /** Adds work for later, with the number of characters of its text. */
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

  /** Processes all notes now, in order. */
  empty(): void {
    if (this.isEmpty) return
    this.#work(this.#notes.length)
    this.#finish()
  }

  #lookLater(): void {
    const { calm, timeout } = this.#limits
    this.#hasNew = false
    this.#timer?.cancel()
    this.#timer = this.#clock.setTimer(() => this.#look(), Math.min(calm, timeout))
  }

  #look(): void {
    if (this.isEmpty) return
    const waited = this.#clock.monotonic() - this.#since
    if (this.#hasNew && waited < this.#limits.timeout) {
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
