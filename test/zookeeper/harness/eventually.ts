import { setTimeout as sleep } from 'node:timers/promises'

export interface EventuallyOptions {
  /** What is waited for, in the words of the error that ends a wait in vain. */
  readonly what: string
  /** @default 15000 */
  readonly timeoutMs?: number
  /** @default 20 */
  readonly intervalMs?: number
}

/**
 * Asks again and again until there is an answer. Only for facts that nobody announces, such as
 * the role of a server process; whatever has an event is awaited by its event.
 */
export async function eventually<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  { what, timeoutMs = 15_000, intervalMs = 20 }: EventuallyOptions,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`)
    await sleep(intervalMs)
  }
}
