import type { ZooKeeper, ZooKeeperEvents } from '@elasticjob/zookeeper'

/** Remembers what it is called with, and lets a test wait for it. */
export class Recorder<T> {
  readonly seen: T[] = []
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = []

  readonly record = (value: T): void => {
    this.seen.push(value)
    for (const { count, resolve } of this.#waiting) if (this.seen.length >= count) resolve()
  }

  /** All that was recorded, as soon as it is so much. */
  async atLeast(count: number): Promise<readonly T[]> {
    if (this.seen.length < count) {
      await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }))
    }
    return this.seen
  }

  /** What was recorded first. */
  async first(): Promise<T> {
    const [first] = await this.atLeast(1)
    return first as T
  }
}

export type SessionEventName = keyof ZooKeeperEvents

const sessionEventNames: readonly SessionEventName[] = [
  'session:connected',
  'session:suspended',
  'session:reconnected',
  'session:lost',
  'session:expired',
  'session:renewed',
  'session:closed',
  'lease:ended',
  'lease:regained',
]

/** The names of a client's events from now on, in their order. */
export function recordEvents(client: ZooKeeper): Recorder<SessionEventName> {
  const events = new Recorder<SessionEventName>()
  for (const name of sessionEventNames) client.on(name, () => events.record(name))
  return events
}

/** The payload of a client's next event of this name. */
export function next<Name extends SessionEventName>(
  client: ZooKeeper,
  name: Name,
): Promise<ZooKeeperEvents[Name][0]> {
  return new Promise((resolve) => {
    const listener: (payload: ZooKeeperEvents[Name][0]) => void = resolve
    client.once(name, listener as never)
  })
}
