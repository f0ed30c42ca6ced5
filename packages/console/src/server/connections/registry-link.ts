/** The connection to one registry: opened with the first request for it, then kept. */
import {
  type Clock,
  isElasticJobError,
  type Random,
  type RegistryOptions,
  type MessageValue,
  type Timer,
} from '@elasticjob/core'
import { Operations } from '@elasticjob/core/operations'

import type { RegistryState } from '../../contract/registries.ts'
import { ConsoleError } from '../../errors.ts'
import { message } from '../../message.ts'
import { NamespaceView } from '../live/namespace-view.ts'
import { codeOf, reasonFrom, whyOf } from '../message-fields.ts'

/** The timeout of the first connection, in milliseconds: a user waits for it. */
const connectionTimeout = 5000
/** The interval between connection attempts while a stream follows the registry. */
const retryAfter = 3000
/**
 * How long a request waits for the first read of a large namespace, in milliseconds. Longer than the connection
 * timeout, so that a failed connection is reported as such.
 */
const loadingTimeout = 8000
/** The interval between progress messages, in milliseconds. */
const progressInterval = 250

export interface LinkOptions {
  readonly name: string
  readonly registry: RegistryOptions
  readonly clock: Clock
  readonly random: Random
  /** Called when a namespace view is complete for the first time. */
  readonly filled?: ((view: NamespaceView) => void) | undefined
}

/** Called whenever the state or the view of the registry changes. */
export type Watcher = () => void

export class RegistryLink {
  readonly name: string
  readonly registry: RegistryOptions
  readonly #options: LinkOptions
  readonly #watchers = new Set<Watcher>()
  #state: RegistryState
  /** Why the registry is not connected, for errors. */
  #why: MessageValue = message('registry-unreached')
  #operations: Operations | undefined
  #view: NamespaceView | undefined
  /** A view that is not complete yet. */
  #filling: NamespaceView | undefined
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

  /** The view, whether it is current or not; undefined before the first connection. */
  get view(): NamespaceView | undefined {
    return this.#view
  }

  /**
   * The operations and the view of a connected registry; otherwise throws the reason. Outdated data are never
   * returned as current.
   */
  async open(): Promise<{ readonly operations: Operations; readonly view: NamespaceView }> {
    if (this.#isClosed) throw this.#lostError()
    if (this.#view === undefined) await this.#connectInTime()
    const [operations, view] = [this.#operations, this.#view]
    if (this.#state.state !== 'connected' || operations === undefined || view === undefined) {
      throw this.#lostError()
    }
    return { operations, view }
  }

  /** Calls back on every change until the returned function is called, and retries the connection meanwhile. */
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
    await this.#view?.close()
    await this.#operations?.close()
    this.#why = message('registry-removed')
    const since = this.#options.clock.now()
    this.#become({ state: 'lost', since, ...reasonFrom(this.#why) })
  }

  #connect(): Promise<void> {
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined))
    return this.#opening
  }

  /** Waits with a timeout: after it, throws an error with the progress, so that the client can try again. */
  async #connectInTime(): Promise<void> {
    const isLate = new Promise<'late'>((resolve) => {
      const timer = this.#options.clock.setTimer(() => resolve('late'), loadingTimeout)
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
    let view: NamespaceView | undefined
    try {
      operations = await Operations.connect({
        connectionTimeoutMilliseconds: connectionTimeout,
        ...this.registry,
      })
      const connected = operations
      this.#become({ state: 'connecting', since: clock.now() })
      const filling = new NamespaceView(clock, random, {
        moved: () => (this.#view === undefined ? this.#progressed(filling) : this.#tell()),
        lost: (reason) => this.#lost(reason),
        current: () => this.#connected(),
      })
      view = this.#filling = filling
      await view.start((listener) => connected.follow(listener))
    } catch (error) {
      this.#filling = undefined
      await view?.close().catch(() => {})
      await operations?.close().catch(() => {})
      this.#lost(bottomOf(error))
      throw this.#lostError()
    }
    this.#operations = operations
    this.#view = view
    this.#filling = undefined
    this.#connected()
    if (!this.#isClosed) filled?.(view)
  }

  #progressed({ progress }: NamespaceView): void {
    const now = this.#options.clock.monotonic()
    if (this.#state.state !== 'connecting' || now - this.#progressedAt < progressInterval) return
    this.#progressedAt = now
    this.#become({ ...this.#state, ...(progress === undefined ? {} : { progress }) })
  }

  #connected(): void {
    if (this.#view === undefined || this.#state.state === 'connected') return
    this.#become({ state: 'connected', since: this.#options.clock.now() })
  }

  /** Keeps the time of the loss over failed attempts to reconnect. */
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

  /** After the first connection the client reconnects by itself; before that, this timer retries. */
  #tryLater(): void {
    if (this.#view !== undefined || this.#isClosed) return
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
    const reading = message('registry-loading', {
      name: this.name,
      since: new Date(since).toISOString(),
    })
    return new ConsoleError(
      'CONSOLE_REGISTRY_LOADING',
      progress === undefined
        ? reading
        : message('registry-progress', {
            loading: reading,
            done: progress.done,
            total: progress.total,
          }),
      { retryAfter: Math.ceil(retryAfter / 1000) },
    )
  }

  #lostError(): ConsoleError {
    const since = new Date(this.#state.since).toISOString()
    return new ConsoleError(
      'CONSOLE_REGISTRY_LOST',
      message('registry-lost', { name: this.name, since, reason: this.#why }),
      { retryAfter: Math.ceil(retryAfter / 1000) },
    )
  }
}

/** The underlying cause, without the instructions for a terminal. */
export function bottomOf(error: unknown): unknown {
  const isUnreachable = isElasticJobError(error, 'JOB_REGISTRY_UNREACHABLE')
  return isUnreachable && error.cause instanceof Error ? error.cause : error
}
