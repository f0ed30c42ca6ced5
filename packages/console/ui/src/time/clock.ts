/** The one place where the page asks for the time. */
import { signal, type ReadonlySignal } from '@preact/signals'

const ticking = signal(Date.now())
let ahead = 0

/** The server's time, once a second: `in 4 s` must be right on a laptop whose clock is not. */
export const now: ReadonlySignal<number> = ticking

export function currentTime(): number {
  return Date.now() + ahead
}

/** The server has told its time. */
export function setServerTime(time: number): void {
  ahead = time - Date.now()
  ticking.value = time
}

export function startClock(): void {
  setInterval(() => (ticking.value = currentTime()), 1000)
}

/** Calls back once, later; the answer calls it off. */
export function after(milliseconds: number, then: () => void): () => void {
  const timer = setTimeout(then, milliseconds)
  return () => clearTimeout(timer)
}
