import { setTimeout as pass } from 'node:timers/promises'

/** Undefined when it takes longer than so many milliseconds. */
export async function within<T>(milliseconds: number, wanted: Promise<T>): Promise<T | undefined> {
  const settled = new AbortController()
  const late = pass(milliseconds, undefined, { signal: settled.signal }).catch(() => undefined)
  try {
    return await Promise.race([wanted, late])
  } finally {
    settled.abort()
  }
}
