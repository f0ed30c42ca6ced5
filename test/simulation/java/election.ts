/** Who leads, as Java decides it: inside a latch, whoever finds no leader becomes it. */
import type { JavaJob } from './java-job.ts'

export class JavaElection {
  readonly #job: JavaJob

  constructor(job: JavaJob) {
    this.#job = job
  }

  async elect(): Promise<void> {
    const { registry, instance } = this.#job
    await registry.inLatch(this.#job.path('leader', 'election', 'latch'), async () => {
      if (await this.hasLeader()) return
      await registry.persistEphemeral(this.#leader, instance)
    })
  }

  hasLeader(): Promise<boolean> {
    return this.#job.registry.exists(this.#leader)
  }

  /** By the cache: one that has just been elected may not know it yet. */
  async isLeader(): Promise<boolean> {
    if (this.#job.isShutDown) return false
    return (await this.#job.cached(this.#leader)) === this.#job.instance
  }

  async isLeaderUntilBlock(): Promise<boolean> {
    const { registry, ip } = this.#job
    while (!this.#job.isShutDown && !(await this.hasLeader())) {
      if (!(await this.#hasAvailableServers())) break
      await registry.sleep(100)
      if (!this.#job.isShutDown && (await this.#job.isServerAvailable(ip))) await this.elect()
    }
    return this.isLeader()
  }

  abdicate(): Promise<void> {
    return this.#job.registry.remove(this.#leader)
  }

  async #hasAvailableServers(): Promise<boolean> {
    for (const ip of await this.#job.registry.children(this.#job.path('servers'))) {
      if (await this.#job.isServerAvailable(ip)) return true
    }
    return false
  }

  get #leader(): string {
    return this.#job.path('leader', 'election', 'instance')
  }
}
