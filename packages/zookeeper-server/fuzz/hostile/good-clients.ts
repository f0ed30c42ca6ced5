import { setTimeout as pause } from 'node:timers/promises'

import { ZooKeeper } from '@elasticjob/zookeeper'

/** Well-behaved clients that detect any failure. */
export class GoodClients {
  readonly #clients: readonly ZooKeeper[]
  readonly failures: string[] = []
  operations = 0
  events = 0
  readonly #stop = new AbortController()
  #loops: Promise<void>[] = []

  private constructor(clients: readonly ZooKeeper[]) {
    this.#clients = clients
  }

  static async start(servers: string, count: number): Promise<GoodClients> {
    const clients = await Promise.all(
      Array.from({ length: count }, () => ZooKeeper.connect({ servers, sessionTimeout: 5000 })),
    )
    const good = new GoodClients(clients)
    await clients[0]?.create('/good', '0')
    for (const client of clients) await good.#watch(client)
    good.#loops = clients.map((client, index) => good.#work(client, `/good/${index}`))
    return good
  }

  get count(): number {
    return this.#clients.length
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#loops)
    await Promise.all(this.#clients.map((client) => client.close()))
  }

  async #watch(client: ZooKeeper): Promise<void> {
    client.on('session:suspended', ({ reason }) =>
      this.failures.push(`suspended: ${reason.message}`),
    )
    await client.addWatch('/good', 'recursive', () => this.events++)
  }

  /** Every write is read back, and every client has to receive its event. */
  async #work(client: ZooKeeper, path: string): Promise<void> {
    try {
      await client.create(path)
      for (let i = 0; !this.#stop.signal.aborted; i++) {
        const written = await client.set(path, String(i))
        const { data, stat } = await client.get(path)
        if (stat.version !== written.version || String(data) !== String(i)) {
          this.failures.push(`${path}: wrote ${i}, read ${String(data)}`)
        }
        this.operations += 2
        // A steady load below the maximum: most of the machine is for the attackers.
        await pause(5)
      }
    } catch (error) {
      this.failures.push(String(error))
    }
  }
}
