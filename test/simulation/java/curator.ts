/**
 * The registry as Java's instances use it: one request after the other, a few tries when the connection
 * is lost, and whatever fails after that is taken for absent.
 */
import {
  type Clock,
  isZooKeeperError,
  LeaderLatch,
  toText,
  type TransactionPart,
  type ZooKeeper,
} from '@elasticjob/zookeeper'

/** How long Curator waits before each further try, in milliseconds. */
const pauses = [1000, 2000, 3000]

export class Curator {
  readonly client: ZooKeeper
  readonly #clock: Clock

  constructor(client: ZooKeeper, clock: Clock) {
    this.client = client
    this.#clock = clock
  }

  /** What goes wrong in a thread of Java's is logged, and that is all. */
  async quietly(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      if (!isZooKeeperError(error)) throw error
    })
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.setTimer(resolve, milliseconds)
    })
  }

  async exists(path: string): Promise<boolean> {
    const stat = await this.#attempt(() => this.client.exists(path, { whileDisconnected: 'fail' }))
    return stat !== undefined
  }

  /** What a node says, asked of the server; undefined if it is not there, or nobody knows. */
  async read(path: string): Promise<string | undefined> {
    const content = await this.#attempt(() => this.client.get(path, { whileDisconnected: 'fail' }))
    return content === undefined ? undefined : toText(content.data)
  }

  /** In the order that all of Java builds on: descending. */
  async children(path: string): Promise<string[]> {
    const found = await this.#attempt(() =>
      this.client.children(path, { whileDisconnected: 'fail' }),
    )
    return (found?.children ?? []).toSorted((a, b) => (a < b ? 1 : -1))
  }

  async persist(path: string, text = ''): Promise<void> {
    if (await this.exists(path)) {
      await this.#attempt(() => this.client.set(path, text, { whileDisconnected: 'fail' }))
    } else await this.#create(path, text, 'persistent')
  }

  async persistEphemeral(path: string, text = ''): Promise<void> {
    if (await this.exists(path)) await this.remove(path)
    await this.#create(path, text, 'ephemeral')
  }

  async createIfNeeded(path: string): Promise<void> {
    if (!(await this.exists(path))) await this.#create(path, '', 'persistent')
  }

  async remove(path: string): Promise<void> {
    if (!(await this.exists(path))) return
    await this.#attempt(() => this.client.delete(path, { whileDisconnected: 'fail' }))
  }

  async removeAll(path: string): Promise<void> {
    for (const child of await this.children(path)) await this.removeAll(`${path}/${child}`)
    await this.remove(path)
  }

  async transact(parts: readonly TransactionPart[]): Promise<void> {
    await this.#attempt(() => this.client.multi(parts, { whileDisconnected: 'fail' }))
  }

  /** Does something while holding a latch; waits for it without an end. */
  async inLatch(path: string, act: () => Promise<void>): Promise<void> {
    const latch = new LeaderLatch(this.client, path)
    try {
      await latch.start()
      await latch.acquired()
      await act()
    } finally {
      await latch.stop()
    }
  }

  async #create(path: string, text: string, mode: 'persistent' | 'ephemeral'): Promise<void> {
    await this.#attempt(() =>
      this.client.create(path, text, { mode, parents: true, whileDisconnected: 'fail' }),
    )
  }

  async #attempt<T>(operation: () => Promise<T>): Promise<T | undefined> {
    for (let tries = 0; ; tries++) {
      try {
        return await operation()
      } catch (error) {
        if (!isZooKeeperError(error)) throw error
        if (isZooKeeperError(error, 'ZK_NO_NODE', 'ZK_NODE_EXISTS', 'ZK_NOT_EMPTY'))
          return undefined
        const pause = pauses[tries]
        if (pause === undefined) return undefined
        await this.sleep(pause)
      }
    }
  }
}
