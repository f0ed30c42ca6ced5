import type { Clock, Timer } from '../clock.ts'
import { describe } from '../connection/connection.ts'
import type { Endpoint, Transport } from '../connection/transport.ts'
import { debug } from '../diagnostics.ts'
import { ZooKeeperError } from '../errors.ts'
import { type Random, shuffled } from '../random.ts'
import { backoffDelay, type BackoffOptions } from './backoff.ts'
import { type Host, HostList } from './host-list.ts'

export interface ServerSearchOptions {
  readonly hosts: readonly Host[]
  readonly sessionTimeout: number
  readonly reconnect: BackoffOptions
  readonly clock: Clock
  readonly random: Random
  readonly transport: Transport
}

/** How the search acts on its session. */
export interface ServerSearcher {
  /** Tries one address; returns the failure, or undefined when the session is attached. */
  attempt(endpoint: Endpoint, timeout: number): Promise<ZooKeeperError | undefined>
  /** In a whole round, servers were reachable but did not answer the handshake. */
  roundRefused(): void
}

/** The minimum time for an attempt, however many servers share the timeout. */
const shortestAttempt = 1000

/**
 * The minimum number of attempts within the session timeout, however few servers there are. A starting server
 * accepts connections and never answers some of them: waiting for one of those must not cost the session.
 */
const fewestAttempts = 3

/**
 * Searches for a server, round after round without limit. Resolves host names again for every attempt,
 * because their addresses may have changed.
 */
export class ServerSearch {
  readonly #options: ServerSearchOptions
  readonly #searcher: ServerSearcher
  readonly #hosts: HostList
  readonly #failures = new Map<string, string>()
  readonly #attemptTimeout: number
  #running = false
  /** Changes with every stop, so that results of a former search are ignored. */
  #generation = 0
  #round = 0
  #foundAt = -Infinity
  #timer: Timer | undefined

  constructor(options: ServerSearchOptions, searcher: ServerSearcher) {
    this.#options = options
    this.#searcher = searcher
    this.#hosts = new HostList(options.hosts, options.random)
    const share = options.sessionTimeout / Math.max(this.#hosts.size, fewestAttempts)
    this.#attemptTimeout = Math.max(share, shortestAttempt)
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    // A connection that ended at once does not count as a success; otherwise the client would connect and
    // lose it in a tight loop.
    const { clock, reconnect } = this.#options
    const lasted = clock.monotonic() - this.#foundAt
    this.#round = lasted >= reconnect.maxDelay ? 0 : this.#round + 1
    void this.#search(this.#generation)
  }

  /** Records a successful attempt at once, because the connection may be lost again within this turn. */
  found({ host, port }: Endpoint): void {
    this.#running = false
    this.#foundAt = this.#options.clock.monotonic()
    this.#failures.delete(`${host}:${port}`)
  }

  stop(): void {
    this.#running = false
    this.#generation++
    this.#timer?.cancel()
  }

  /** Why each tried server could not be used. */
  get failures(): readonly string[] {
    return [...this.#failures.values()]
  }

  async #search(generation: number): Promise<void> {
    for (; generation === this.#generation; this.#round++) {
      const { reconnect, random } = this.#options
      await this.#sleep(backoffDelay(this.#round, reconnect, random))
      const refusals: ZooKeeperError[] = []
      for (let i = 0; i < this.#hosts.size && generation === this.#generation; i++) {
        const failure = await this.#tryHost(this.#hosts.next(), generation)
        if (failure === undefined) return
        refusals.push(failure)
      }
      if (generation !== this.#generation) return
      if (refusals.some(({ code }) => code === 'ZK_HANDSHAKE_REFUSED')) {
        this.#searcher.roundRefused()
      }
    }
  }

  /** Returns why none of the host's addresses could be used, or undefined after a success. */
  async #tryHost(host: Host, generation: number): Promise<ZooKeeperError | undefined> {
    let failure = new ZooKeeperError('ZK_CONNECT_FAILED', `${host.host} has no address`)
    try {
      for (const address of await this.#resolve(host.host)) {
        if (generation !== this.#generation) return failure
        const endpoint = { address, host: host.host, port: host.port }
        const outcome = await this.#searcher.attempt(endpoint, this.#attemptTimeout)
        if (outcome === undefined) return undefined
        failure = outcome
        debug('%s: %s', describe(endpoint), outcome.message)
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      failure = new ZooKeeperError(
        'ZK_CONNECT_FAILED',
        `${host.host} cannot be resolved: ${reason}`,
        { cause: error },
      )
    }
    this.#failures.set(`${host.host}:${host.port}`, failure.message)
    return failure
  }

  async #resolve(host: string): Promise<string[]> {
    const { transport, random, clock } = this.#options
    let limit: Timer | undefined
    const late = new Promise<never>((_, reject) => {
      const reason = new Error(`no answer within ${this.#attemptTimeout} ms`)
      limit = clock.setTimer(() => reject(reason), this.#attemptTimeout)
      this.#timer = limit
    })
    try {
      return shuffled(await Promise.race([transport.resolve(host), late]), random)
    } finally {
      limit?.cancel()
    }
  }

  #sleep(milliseconds: number): Promise<void> | undefined {
    if (milliseconds === 0) return undefined
    return new Promise((resolve) => {
      this.#timer = this.#options.clock.setTimer(resolve, milliseconds)
    })
  }
}
