/** The only source of time in the page. */
import { signal, type ReadonlySignal } from '@preact/signals'

const ticking = signal(Date.now())
let ahead = 0

/** The time of the server, updated every second: `in 4 s` has to be right on a machine with a wrong clock. */
export const now: ReadonlySignal<number> = ticking

export function currentTime(): number {
  return Date.now() + ahead
}

/** Adjusts the time to the server's. */
export function setServerTime(time: number): void {
  ahead = time - Date.now()
  ticking.value = time
}

export function startClock(): void {
  setInterval(() => (ticking.value = currentTime()), 1000)
}

/** Calls back once, later; the returned function cancels it. */
export function after(milliseconds: number, then: () => void): () => void {
  const timer = setTimeout(then, milliseconds)
  return () => clearTimeout(timer)
}
