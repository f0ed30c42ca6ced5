/** One registry: connected when somebody asks for it, and kept from then on. */
import {
  isElasticJobError,
  Operations,
  type RegistryOptions,
  say,
  type SentenceValue,
} from '@elasticjob/core'
import type { Clock, Random, Timer } from '@elasticjob/zookeeper'

import type { RegistryState } from '../../contract/registries.ts'
import { ConsoleError } from '../../errors.ts'
import { Board } from '../live/board.ts'
import { codeOf, reasonFrom, whyOf } from '../wire-words.ts'

/** How long the first connection may take, in milliseconds: somebody sits in front of it. */
const connectionTimeout = 5000
/** While somebody looks, it is tried again after so long. */
const retryAfter = 3000
/**
 * How long a request waits for a large namespace that is read for the first time, in milliseconds. Longer than
 * a connection may take: one that fails is told as such.
 */
const loadingPatience = 8000
/** How often those who wait are told how far it has come. */
const progressInterval = 250

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
  /** Why it is not there, for whoever asks something of it. */
  #why: SentenceValue = say`nobody has reached it yet`
  #operations: Operations | undefined
  #board: Board | undefined
  /** One that does not show everything yet. */
  #filling: Board | undefined
  #opening: Promise<void> | undefined
  #retry: Timer | undefined
  #progressedAt = -Infinity
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
    if (this.#board === undefined) await this.#connectInTime()
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
    await this.#filling?.close()
    await this.#opening?.catch(() => {})
    await this.#board?.close()
    await this.#operations?.close()
    this.#why = say`it was taken out`
    const since = this.#options.clock.now()
    this.#become({ state: 'lost', since, ...reasonFrom(this.#why) })
  }

  #connect(): Promise<void> {
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined))
    return this.#opening
  }

  /** Whoever waits longer than that is told how far it has come, and can come back. */
  async #connectInTime(): Promise<void> {
    const isLate = new Promise<'late'>((resolve) => {
      const timer = this.#options.clock.setTimer(() => resolve('late'), loadingPatience)
      const cancel = (): void => timer.cancel()
      this.#connect().then(cancel, cancel)
    })
    if ((await Promise.race([this.#connect(), isLate])) === 'late' && this.#filling) {
      throw this.#loadingError()
    }
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
      this.#become({ state: 'connecting', since: clock.now() })
      const filling = new Board(clock, random, {
        moved: () => (this.#board === undefined ? this.#progressed(filling) : this.#tell()),
        lost: (reason) => this.#lost(reason),
        current: () => this.#connected(),
      })
      board = this.#filling = filling
      await board.start((listener) => connected.follow(listener))
    } catch (error) {
      this.#filling = undefined
      await board?.close().catch(() => {})
      await operations?.close().catch(() => {})
      this.#lost(bottomOf(error))
      throw this.#lostError()
    }
    this.#operations = operations
    this.#board = board
    this.#filling = undefined
    this.#connected()
    if (!this.#isClosed) filled?.(board)
  }

  #progressed({ progress }: Board): void {
    const now = this.#options.clock.monotonic()
    if (this.#state.state !== 'connecting' || now - this.#progressedAt < progressInterval) return
    this.#progressedAt = now
    this.#become({ ...this.#state, ...(progress === undefined ? {} : { progress }) })
  }

  #connected(): void {
    if (this.#board === undefined || this.#state.state === 'connected') return
    this.#become({ state: 'connected', since: this.#options.clock.now() })
  }

  /** Since when, not how often it was tried. */
  #lost(reason: unknown): void {
    const { state, since } = this.#state
    this.#why = whyOf(reason)
    this.#become({
      state: 'lost',
      since: state === 'lost' ? since : this.#options.clock.now(),
      ...reasonFrom(this.#why, codeOf(reason)),
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

  #loadingError(): ConsoleError {
    const { since, progress } = this.#state
    const reading = say`the registry ${this.name} is being read since ${new Date(since).toISOString()}`
    return new ConsoleError(
      'CONSOLE_REGISTRY_LOADING',
      progress === undefined
        ? reading
        : say`${reading}: ${progress.done} of ${progress.total} jobs are known`,
      { retryAfter: Math.ceil(retryAfter / 1000) },
    )
  }

  #lostError(): ConsoleError {
    const since = new Date(this.#state.since).toISOString()
    return new ConsoleError(
      'CONSOLE_REGISTRY_LOST',
      say`the registry ${this.name} is not there since ${since}: ${this.#why}`,
      { retryAfter: Math.ceil(retryAfter / 1000) },
    )
  }
}

/** What is at the bottom of it, without what to do in a terminal. */
export function bottomOf(error: unknown): unknown {
  const isUnreachable = isElasticJobError(error, 'JOB_REGISTRY_UNREACHABLE')
  return isUnreachable && error.cause instanceof Error ? error.cause : error
}
