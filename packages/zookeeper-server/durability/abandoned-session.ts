import { ZooKeeper } from '@elasticjob/zookeeper'
import { setTimeout as delay } from 'node:timers/promises'

/** Much longer than a session takes to expire. */
const timeout = 30_000

/** A session whose client ends while the server is down: the session has to expire, but not early. */
export class AbandonedSession {
  readonly #client: ZooKeeper
  readonly #path: string

  private constructor(client: ZooKeeper, path: string) {
    this.#client = client
    this.#path = path
  }

  static async open(
    servers: string,
    path: string,
    sessionTimeout: number,
  ): Promise<AbandonedSession> {
    const client = await ZooKeeper.connect({ servers, sessionTimeout })
    await client.create(path, undefined, { mode: 'ephemeral' })
    return new AbandonedSession(client, path)
  }

  /** Closed while there is no server, which therefore does not learn of it. */
  leave(): Promise<void> {
    return this.#client.close()
  }

  /** Resolves when the server has expired the session; `startedAt` is the earliest start time of that server. */
  async expectToExpire(witness: ZooKeeper, startedAt: number): Promise<void> {
    const path = this.#path
    let hasChanged = (): void => undefined
    const change = new Promise<void>((resolve) => (hasChanged = resolve))
    const stat = await witness.exists(path, { watch: hasChanged })
    const age = performance.now() - startedAt
    if (stat === undefined) {
      if (age >= this.#client.sessionTimeout) return
      throw new Error(
        `${path} was gone ${age.toFixed(0)} ms after the start, before the session timeout`,
      )
    }
    const giveUp = new AbortController()
    await Promise.race([
      change,
      delay(timeout, undefined, { signal: giveUp.signal }).then(() => {
        throw new Error(`${path} is still there after ${timeout} ms`)
      }),
    ]).finally(() => giveUp.abort())
  }
}
