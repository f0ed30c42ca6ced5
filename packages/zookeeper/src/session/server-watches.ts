import { isZooKeeperError, serverFailure } from '../errors.ts'
import { addWatchMode, watcherType } from '../jute/op-codes.ts'
import type { ClientOperation } from '../jute/operation.ts'
import { serverError } from '../jute/server-errors.ts'
import { addWatch, removeWatches } from '../jute/watch-operations.ts'
import type { RequestOptions } from './pending-call.ts'
import type { Session } from './session.ts'
import type { OneShotKind, PersistentMode, WatchListener } from './watch-registry.ts'

const oneShotKindsOf: Record<keyof typeof watcherType, readonly OneShotKind[]> = {
  data: ['data', 'exist'],
  children: ['child'],
  any: ['data', 'exist', 'child'],
}

/** Sends a request about a path, for the caller and for request tracing. */
type SubmitWatchRequest = <Request>(
  operation: ClientOperation<Request, void>,
  request: Request,
  path: string,
  options: RequestOptions,
) => Promise<void>

/**
 * Keeps the server's watches in step with the local listeners. Uses full server paths; errors show the
 * client's paths.
 */
export class ServerWatches {
  readonly #session: Session
  readonly #submit: SubmitWatchRequest
  readonly #toClient: (path: string) => string

  constructor(session: Session, submit: SubmitWatchRequest, toClient: (path: string) => string) {
    this.#session = session
    this.#submit = submit
    this.#toClient = toClient
  }

  /** Adds a persistent watch and returns a handle to remove it. */
  async add(
    path: string,
    mode: PersistentMode,
    listener: WatchListener,
    options: RequestOptions,
  ): Promise<() => Promise<void>> {
    const { watches } = this.#session
    // Registered before the request is sent: a later read with a one-shot watch must not replace it.
    watches.addLasting(mode, path, listener)
    try {
      await this.#setLasting(path, options)
    } catch (error) {
      // The server may hold the watch nevertheless, or one less than before: correct it.
      this.#remove(path, mode, listener).catch(() => {})
      throw error
    }
    let removed: Promise<void> | undefined
    return () => (removed ??= this.#remove(path, mode, listener))
  }

  /** Removes all listeners of a kind; `any` includes the persistent ones. */
  async removeAll(
    path: string,
    kind: keyof typeof watcherType,
    options: RequestOptions,
  ): Promise<void> {
    const { watches } = this.#session
    const wasCovered = watches.isCovered(path)
    const dropped = [
      watches.dropOneShots(path, oneShotKindsOf[kind]),
      kind === 'any' && watches.dropLasting(path),
    ].includes(true)
    if (!dropped) throw serverFailure(serverError.NO_WATCHER, 'removeWatches', this.#toClient(path))
    // While a persistent watch covers the path, the server holds no other watch there.
    if (wasCovered && kind !== 'any') return
    await this.#drop(path, watcherType[kind], options)
  }

  async #setLasting(path: string, options: RequestOptions): Promise<void> {
    const mode = this.#session.watches.lastingMode(path)
    if (mode === undefined) return
    const code = mode === 'recursive' ? addWatchMode.persistentRecursive : addWatchMode.persistent
    await this.#submit(addWatch, { path, mode: code }, this.#toClient(path), options)
  }

  async #remove(path: string, mode: PersistentMode, listener: WatchListener): Promise<void> {
    const { watches } = this.#session
    const before = watches.lastingMode(path)
    watches.removeLasting(mode, path, listener)
    const after = watches.lastingMode(path)
    if (before === after) return
    if (after !== undefined) await this.#setLasting(path, {})
    else await this.#drop(path, watcherType.any, {})
  }

  /** A lost connection took its watches along, and the next one does not register them. */
  async #drop(path: string, type: number, options: RequestOptions): Promise<void> {
    if (this.#session.state !== 'connected') return
    const removed = this.#submit(removeWatches, { path, type }, this.#toClient(path), {
      ...options,
      whileDisconnected: 'fail',
    })
    // Sent right behind it: changes at the server before the answer arrives would otherwise be missed.
    this.#session.rearmOneShots(path)
    try {
      await removed
    } catch (error) {
      const gone = isZooKeeperError(error, 'ZK_NO_WATCHER', 'ZK_CONNECTION_LOSS', 'ZK_CLOSED')
      if (!gone) throw error
    }
  }
}
