import { inject, it, onTestFinished } from 'vitest'
import {
  systemRandom,
  ZooKeeper,
  type Random,
  type ZooKeeperEvents,
  type ZooKeeperOptions,
} from '@elasticjob/zookeeper'
import { Log } from './log.ts'

/** A kind of fault; skipped where no real ZooKeeper can be started. */
export const faults = it.describe.skipIf(!inject('realZooKeeper'))

type EventName = keyof ZooKeeperEvents

/** One of a client's events, with its payload and the moment it was told (`performance.now()`). */
interface SessionEvent<Name extends EventName = EventName> {
  readonly name: Name
  readonly payload: ZooKeeperEvents[Name][0]
  readonly at: number
}

const eventNames: readonly EventName[] = [
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

/** All that a client tells of its session, from before it connects. */
class SessionHistory {
  readonly #log = new Log<SessionEvent>()

  constructor(client: ZooKeeper) {
    for (const name of eventNames) {
      const record = (payload: SessionEvent['payload']): void =>
        this.#log.add({ name, payload, at: performance.now() })
      client.on(name, record)
    }
  }

  get names(): EventName[] {
    return this.#log.entries.map(({ name }) => name)
  }

  /** The first event of this name after so many events, at once if it was told already. */
  until<Name extends EventName>(name: Name, after?: number): Promise<SessionEvent<Name>> {
    const isIt = (event: SessionEvent): event is SessionEvent<Name> => event.name === name
    return this.#log.until(isIt, after)
  }
}

export interface TestClient {
  readonly zk: ZooKeeper
  readonly history: SessionHistory
}

const testDefaults = Object.freeze({
  sessionTimeout: 6_000,
  // Short delays, so that tests wait for what they are about.
  reconnect: Object.freeze({ initialDelay: 10, maxDelay: 200 }),
})

/** A client that is closed when its test is over, and has to leave nothing open then. */
export function prepareClient(options: ZooKeeperOptions): TestClient {
  const zk = new ZooKeeper({ ...testDefaults, ...options })
  const history = new SessionHistory(zk)
  onTestFinished(async () => {
    await zk.close()
    const { state, outstanding, watchCount } = zk
    if (state !== 'closed' || outstanding > 0 || watchCount > 0) {
      throw new Error(
        `${state} after its close, with ${outstanding} requests, ${watchCount} watches`,
      )
    }
  })
  return { zk, history }
}

export async function connectClient(options: ZooKeeperOptions): Promise<TestClient> {
  const client = prepareClient(options)
  await client.zk.connect()
  return client
}

/** Chance that leaves the list of servers as it is written: tests then know who is tried first. */
export const inListedOrder: Random = Object.freeze({
  ...systemRandom,
  fraction: () => 0.999_999,
})
