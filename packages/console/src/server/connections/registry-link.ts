/** One registry: connected when somebody asks for it, and kept from then on. */
import { isElasticJobError, Operations, type RegistryOptions } from '@elasticjob/core'
import type { Clock, Random, Timer } from '@elasticjob/zookeeper'

import type { RegistryState } from '../../contract/registries.ts'
import { ConsoleError } from '../../errors.ts'
import { Board } from '../live/board.ts'

/** How long the first connection may take, in milliseconds: somebody sits in front of it. */
const connectionTimeout = 5000
/** While somebody looks, it is tried again after so long. */
const retryAfter = 3000

export interface LinkOptions {
  readonly name: string
  readonly registry: RegistryOptions
  readonly clock: Clock
  readonly random: Random
  /** Called with every board that is complete for the first time. */
  readonly filled?: ((board: Board) => void) | undefined
}

/** Who follows a registry: told whenever its state or its board is another. */
export type Watcher = () => void

export class RegistryLink {
  readonly name: string
  readonly registry: RegistryOptions
  readonly #options: LinkOptions
  readonly #watchers = new Set<Watcher>()
  #state: RegistryState
  #operations: Operations | undefined
  #board: Board | undefined
  #opening: Promise<void> | undefined
  #retry: Timer | undefined
  #isClosed = false

  constructor(options: LinkOptions) {
    this.name = options.name
    this.registry = options.registry
    this.#options = options
    this.#state = { state: 'idle', since: options.clock.now() }
  }

  get state(): RegistryState {
    return this.#state
  }

  /** The board, whether it is current or not; undefined before the first connection. */
  get board(): Board | undefined {
    return this.#board
  }

  /** Both, if the registry is there; else why it is not. What is old is never given as new. */
  async open(): Promise<{ readonly operations: Operations; readonly board: Board }> {
    if (this.#isClosed) throw this.#lostError()
    if (this.#board === undefined) await this.#connect()
    const [operations, board] = [this.#operations, this.#board]
    if (this.#state.state !== 'connected' || operations === undefined || board === undefined) {
      throw this.#lostError()
    }
    return { operations, board }
  }

  /** Calls back whenever something changes, until the answer is called. Tries to connect for as long. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    void this.open().catch(() => this.#tryLater())
    return () => {
      this.#watchers.delete(watcher)
      if (this.#watchers.size === 0) this.#cancelRetry()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRetry()
    await this.#opening?.catch(() => {})
    await this.#board?.close()
    await this.#operations?.close()
    this.#become({ state: 'lost', since: this.#options.clock.now(), reason: 'it was taken out' })
  }

  #connect(): Promise<void> {
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined))
    return this.#opening
  }

  async #open(): Promise<void> {
    const { clock, random, filled } = this.#options
    if (this.#state.state === 'idle') this.#become({ state: 'connecting', since: clock.now() })
    let operations: Operations | undefined
    let board: Board | undefined
    try {
      operations = await Operations.connect({
        connectionTimeoutMilliseconds: connectionTimeout,
        ...this.registry,
      })
      const connected = operations
      board = new Board(clock, random, {
        moved: () => this.#tell(),
        lost: (reason) => this.#lost(reason),
        current: () => this.#connected(),
      })
      await board.start((listener) => connected.follow(listener))
    } catch (error) {
      await board?.close().catch(() => {})
      await operations?.close().catch(() => {})
      this.#lost(reasonOf(error))
      throw this.#lostError()
    }
    this.#operations = operations
    this.#board = board
    this.#connected()
    filled?.(board)
  }

  #connected(): void {
    if (this.#board === undefined || this.#state.state === 'connected') return
    this.#become({ state: 'connected', since: this.#options.clock.now() })
  }

  /** Since when, not how often it was tried. */
  #lost(reason: string): void {
    const { state, since } = this.#state
    this.#become({
      state: 'lost',
      since: state === 'lost' ? since : this.#options.clock.now(),
      reason,
    })
    this.#tryLater()
  }

  #become(state: RegistryState): void {
    this.#state = state
    this.#tell()
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher()
  }

  /** Once connected, the client comes back by itself; before that somebody has to try. */
  #tryLater(): void {
    if (this.#board !== undefined || this.#isClosed) return
    if (this.#watchers.size === 0 || this.#retry !== undefined) return
    this.#retry = this.#options.clock.setTimer(() => {
      this.#retry = undefined
      void this.open().catch(() => this.#tryLater())
    }, retryAfter)
  }

  #cancelRetry(): void {
    this.#retry?.cancel()
    this.#retry = undefined
  }

  #lostError(): ConsoleError {
    const { since, reason = 'nobody has reached it yet' } = this.#state
    return new ConsoleError(
      'CONSOLE_REGISTRY_LOST',
      `the registry ${this.name} is not there since ${new Date(since).toISOString()}: ${reason}`,
      { retryAfter: Math.ceil(retryAfter / 1000) },
    )
  }
}

/** What is at the bottom of it, without what to do in a terminal. */
export function reasonOf(error: unknown): string {
  if (isElasticJobError(error, 'JOB_REGISTRY_UNREACHABLE') && error.cause instanceof Error) {
    return error.cause.message
  }
  return error instanceof Error ? error.message : String(error)
}
